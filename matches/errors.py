"""Refusals of the matches' services."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.messages import parameters_to_json
from web.errors import DomainError, fault_code


class MatchNotFound(DomainError):
    """There is no such match, or it has no such ply."""

    code = "not_found"


class TextNotFound(DomainError):
    """Kickabout reads and writes no such text for this game."""

    code = "not_found"


class AnalysisNotFound(DomainError):
    """The match has no analysis."""

    code = "not_found"


class TooManyComputerMatches(DomainError):
    """The client already plays as many matches against computers as it may."""

    code = "too_many_computer_matches"


class TooManySeeks(DomainError):
    """The player already has as many open seeks as a player may."""

    code = "too_many_seeks"


class TooManyInvitations(DomainError):
    """The player has too many open invitations, altogether or to one player."""

    code = "too_many_invitations"


class TooManyAnalyses(DomainError):
    """The player has requested as many analyses as may be unfinished."""

    code = "too_many_analyses"


class NotYourMatch(DomainError):
    """Somebody else's match."""

    code = "not_your_match"


class MatchOver(DomainError):
    """The match has ended."""

    code = "match_over"


class StalePly(DomainError):
    """The match is at another ply."""

    code = "stale_ply"


class NotYourTurn(DomainError):
    """The other side is to act."""

    code = "not_your_turn"


class TooLate(DomainError):
    """The deadline has passed, although the match has not been ended yet."""

    code = "too_late"


class MatchPaused(DomainError):
    """The clocks of the match stand still, and nobody moves."""

    code = "match_paused"


class MatchNotPaused(DomainError):
    """The clocks of the match run."""

    code = "match_not_paused"


class UnreadableMove(DomainError):
    """The text is not a move of this game; ``ply`` is the ply at which it was to be played, if any.

    ``reason_code`` and ``parameters`` tell programs why the engine cannot read it.
    """

    code = "invalid_notation"

    def __init__(self, reason: str | InvalidNotation, *, ply: int | None = None) -> None:
        super().__init__(str(reason))
        self.ply = ply
        if isinstance(reason, InvalidNotation):
            self.reason_code = reason.code
            self.parameters = parameters_to_json(reason.parameters)


class TooManyPlies(DomainError):
    """The text of a match has more moves and rolls than are replayed."""

    code = "too_many_plies"


class RefusedMove(DomainError):
    """A move against the rules: ``rule`` is the broken rule's id, ``preset`` the game that has it.

    ``reason_code`` and ``parameters`` say for programs how the rule is broken. ``ply`` is the one that the move would
    have had, where it was to be played.
    """

    code = "illegal_move"

    def __init__(self, refusal: IllegalMove, *, preset: str, ply: int | None = None) -> None:
        super().__init__(str(refusal))
        self.rule = refusal.rule
        self.reason_code = refusal.code
        self.parameters = parameters_to_json(refusal.parameters)
        self.preset = preset
        self.ply = ply


class TurnOver(DomainError):
    """The turn ends, or dice are rolled, before the last of the actions that were sent for it.

    ``ply`` is that of the first action that is too many.
    """

    code = "turn_over"

    def __init__(self, reason: str, *, ply: int) -> None:
        super().__init__(reason)
        self.ply = ply


class AnswerNotPossible(DomainError):
    """What was given beforehand answers nothing that can come, or another answer stands."""

    code = "answer_not_possible"


class AbortNotPossible(DomainError):
    """Only a match outside of competitions can be aborted, before both sides have moved."""

    code = "abort_not_possible"


class OfferNotPossible(DomainError):
    """Nothing like this can be offered in the match now."""

    code = "offer_not_possible"


class NoSuchOffer(DomainError):
    """The opponent does not offer this, or no longer."""

    code = "no_such_offer"


class UnknownGame(DomainError):
    """No game has this key."""

    code = "unknown_game"


class ComputersNotAdmitted(DomainError):
    """The seek is for people only."""

    code = "computers_not_admitted"


class NoComputer(DomainError):
    """The computer does not play this game, or does not analyse it."""

    code = "no_computer"


class InvalidTimeControl(DomainError):
    """Bank, increment and cap do not make sense together: ``reason_code`` and ``parameters`` say for programs why."""

    code = "invalid_time_control"

    def __init__(self, reason: str, *, fault: StrEnum, parameters: dict[str, int]) -> None:
        super().__init__(reason)
        self.reason_code = fault_code(fault)
        self.parameters = parameters


class SeekNotFound(DomainError):
    """There is no such seek for this player."""

    code = "not_found"


class SeekClosed(DomainError):
    """The seek was taken, withdrawn or declined."""

    code = "seek_closed"


class OwnSeek(DomainError):
    """A player cannot take their own seek."""

    code = "own_seek"


class GuestsNotRated(DomainError):
    """Only players with an account can play rated matches."""

    code = "guests_not_admitted"


class RatedGamesUsedUp(DomainError):
    """The two players have had as many rated games, or rated wins over a computer, as they may for now."""

    code = "rated_games_used_up"


class RatingOutOfRange(DomainError):
    """The player's rating is outside the limits of the seek."""

    code = "rating_out_of_limits"


class InvalidRatingRange(DomainError):
    """The lowest rating is higher than the highest."""

    code = "invalid_rating_range"


class NotYourSeek(DomainError):
    """Only the creator may withdraw a seek, and only the invited player may decline it."""

    code = "not_your_seek"


class MatchNotOver(DomainError):
    """Rematches and analyses follow finished matches."""

    code = "match_not_over"


class UnknownPlayer(DomainError):
    """There is no player with this username."""

    code = "unknown_player"


class SitePauseRefused(Exception):
    """A pause of the site that makes no sense now. Operators are told; no client of the site can meet it."""


@contextmanager
def refusals_of(game: str, *, ply: int | None = None) -> Iterator[None]:
    """Raise ``UnreadableMove`` or ``RefusedMove`` for a move at ``ply`` where the engine raises its own errors."""
    try:
        yield
    except IllegalMove as error:
        raise RefusedMove(error, preset=game, ply=ply) from error
    except InvalidNotation as error:
        raise UnreadableMove(error, ply=ply) from error
