"""Refusals about draws and stages."""

from collections.abc import Iterable
from enum import StrEnum

from web.errors import DomainError, fault_code


class WrongCompetitionStatus(DomainError):
    """The competition has not come so far, or has gone too far, for this."""

    code = "wrong_competition_status"


class TooFewEntrants(DomainError):
    """A cup needs two entrants."""

    code = "too_few_entrants"


class TooManyEntrants(DomainError):
    """More entrants than the groups of a stage can take."""

    code = "too_many_entrants"


class InvalidSeeding(DomainError):
    """An order of seeds that names strangers, or somebody twice: ``reason_code`` says for programs which.

    ``parameters`` has the ids of the strangers, the entries that are none of the competition's.
    """

    code = "invalid_seeding"

    def __init__(self, reason: str, *, fault: StrEnum, strangers: Iterable[str]) -> None:
        super().__init__(reason)
        self.reason_code = fault_code(fault)
        entries = [int(entry) for entry in strangers]
        self.parameters = {"entries": entries} if entries else {}


class MatchesWouldBeLost(DomainError):
    """Somebody has moved in matches that would be annulled; ``matches`` are their numbers."""

    code = "matches_would_be_lost"

    def __init__(self, reason: str, *, matches: list[int]) -> None:
        super().__init__(reason)
        self.matches = matches


class InvalidStages(DomainError):
    """Stages of a competition that do not go together; ``fields`` has the sentences by the option at fault."""

    code = "invalid_stages"
