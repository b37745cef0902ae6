"""Refusals about making competitions and series."""

from web.errors import DomainError


class SeriesNotFound(DomainError):
    """There is no such series."""

    code = "not_found"


class SeriesRefused(DomainError):
    """A series cannot be made of this competition, or not be changed any more."""

    code = "series_refused"


class InvalidSeries(DomainError):
    """The options of a series cannot be so."""

    code = "invalid"


class MakingRefused(DomainError):
    """A player may not make a competition; each reason is a class of its own."""

    code = "making_refused"


class MakerClosed(MakingRefused):
    """The account of the player is closed."""

    code = "account_closed"


class MakerIsGuest(MakingRefused):
    """Guests make no competitions."""

    code = "guests_make_none"


class MakerIsComputer(MakingRefused):
    """Computers make no competitions."""

    code = "computers_make_none"


class EmailNotConfirmed(MakingRefused):
    """Nobody could reach the organiser: the player has not confirmed an e-mail."""

    code = "email_not_confirmed"


class NoFinishedMatch(MakingRefused):
    """The player has not played a match to its end."""

    code = "no_finished_match"


class TooManyUnfinished(MakingRefused):
    """Too many competitions that the player has made have not ended."""

    code = "too_many_unfinished_competitions"


class TooManyMade(MakingRefused):
    """The player has made too many competitions within a day."""

    code = "too_many_new_competitions"


class InvalidCompetition(DomainError):
    """Options that a competition cannot have; ``fields`` has the sentences by the option at fault."""

    code = "invalid"


class EntrantsNotAsked(DomainError):
    """Players have agreed to what is to change by joining, and are not to be asked again."""

    code = "entrants_not_asked"
