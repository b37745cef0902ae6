"""Refusals about organisers' decisions."""

from web.errors import DomainError


class CompetitionPaused(DomainError):
    """The clocks of the competition stand still already."""

    code = "competition_paused"


class CompetitionNotPaused(DomainError):
    """The clocks of the competition run."""

    code = "competition_not_paused"


class ResultStands(DomainError):
    """The fixture has its result, or was annulled: the request comes too late."""

    code = "result_stands"


class NoResult(DomainError):
    """The fixture has not been played, so there is nothing to take back."""

    code = "no_result"


class TieNeedsResult(DomainError):
    """A tie of a knock-out cannot do without one of its matches."""

    code = "tie_needs_result"


class NotWithdrawn(DomainError):
    """The entrant has not been withdrawn, so there is nothing to take back."""

    code = "not_withdrawn"


class NotDisqualified(DomainError):
    """The entrant has not been disqualified, so there is nothing to take back."""

    code = "not_disqualified"


class NothingToTakeBack(DomainError):
    """No organiser has decided this, or it was taken back already."""

    code = "nothing_to_take_back"


class EndedByResults(DomainError):
    """The competition ended with its last result: only what led to that can be taken back."""

    code = "ended_by_results"


class PairingsChanged(DomainError):
    """The pairings that wait are others than those that were read."""

    code = "pairings_changed"


class CannotSwap(DomainError):
    """A player has no place in the round that could be another's."""

    code = "cannot_swap"


class ReasonMissing(DomainError):
    """An act that others have to understand needs a reason."""

    code = "reason_missing"


class ClockFull(DomainError):
    """The clock holds as much as it may."""

    code = "clock_full"


class InvalidResult(DomainError):
    """A result that the competition's points cannot give; ``fields`` says why."""

    code = "invalid_result"


class InvalidOutage(DomainError):
    """A span in which no matches can be let go on; ``fields`` says why."""

    code = "invalid_outage"


class InvalidRoundDate(DomainError):
    """A date by which a round cannot be let end; ``fields`` says why."""

    code = "invalid_round_date"


class DisputeRefused(DomainError):
    """The result of the match cannot be disputed, or no more."""

    code = "dispute_refused"


class NoDispute(DomainError):
    """Nobody disputes the result of the match."""

    code = "no_dispute"
