"""Texts of pages and mails: times, endings, whose turn it is."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.clock import TimeControl
from matches.models import Match, SitePause
from matches.selectors.replay import Stage
from rules_engine.protocol import State
from rules_engine.values import Ending, Outcome, Side
from web.moments import format_moment

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def format_time_left(left: timedelta) -> str:
    """Return a time as on a match's clock: its two largest units; minutes and seconds under an hour.

    ``formatTime`` in ``static/js/clocks.js`` shows the same while the clock runs.
    """
    left = max(timedelta(0), left)
    if left >= DAY:
        return _("%(days)d d %(hours)02d h") % {"days": left // DAY, "hours": left % DAY // HOUR}
    if left >= HOUR:
        return _("%(hours)d h %(minutes)02d min") % {"hours": left // HOUR, "minutes": left % HOUR // MINUTE}
    seconds = -(-left // timedelta(seconds=1))
    return f"{seconds // 60}:{seconds % 60:02d}"


def format_duration(length: timedelta) -> str:
    """Return a length of time in the largest unit that has no fraction, such as ``"36 hours"``."""
    seconds = int(length.total_seconds())
    if seconds and seconds % 3600 == 0:
        hours = seconds // 3600
        if hours % 24 == 0:
            return ngettext("%d day", "%d days", hours // 24) % (hours // 24)
        return ngettext("%d hour", "%d hours", hours) % hours
    if seconds and seconds % 60 == 0:
        return ngettext("%d minute", "%d minutes", seconds // 60) % (seconds // 60)
    return ngettext("%d second", "%d seconds", seconds) % seconds


def format_time_control(control: TimeControl) -> str:
    """Return a time control in words, such as ``"10 days + 36 hours a turn"``."""
    if control.by_decision:
        return _("%(time)s a decision") % {"time": format_duration(control.bank)}
    if not control.increment:
        return format_duration(control.bank)
    return _("%(bank)s + %(increment)s a turn") % {
        "bank": format_duration(control.bank),
        "increment": format_duration(control.increment),
    }


def turn_headline(match: Match, you: Side | None) -> str:
    """Return whose turn it is."""
    player = match.player_to_act
    if player is None:
        return _("The match is over")
    if match.side == you:
        return _("Your turn")
    return _("%(name)s to move") % {"name": player.username}


def matches_to_move_text(count: int) -> str:
    """Return how many matches wait for a player."""
    return ngettext("%(count)d to move", "%(count)d to move", count) % {"count": count}


def vacation_text(match: Match) -> str:
    """Return the text about what vacation may do in a match."""
    if not match.allows_vacation:
        return _("none")
    limit = match.vacation_limit
    if limit is None:
        return _("adds time when a clock runs out")
    return (
        ngettext(
            "adds time when a clock runs out, at most %d day for each player",
            "adds time when a clock runs out, at most %d days for each player",
            limit,
        )
        % limit
    )


def first_move_text(match: Match) -> str:
    """Return the text about the first move that somebody still has to make in a match; empty if nobody has."""
    if not match.side or not any(match.held):
        return ""
    if match.must_begin and match.deadline is not None and match.paused_at is None:
        return _("%(player)s has until %(until)s to make it, or forfeits the match.") % {
            "player": match.player_to_act,
            "until": format_moment(match.deadline),
        }
    return _("Each player has %(length)s of their clock to make it, or forfeits the match.") % {
        "length": format_duration(timedelta(seconds=match.begin_within or 0))
    }


def paused_sentence(pause: SitePause | None) -> str:
    """Return the sentence for a paused match, while the site may be paused."""
    if pause is None:
        return _("The match is paused. The clocks are stopped, and nobody can move.")
    sentence = _("The site is paused: all clocks are stopped, and nobody can move.")
    if pause.expected_until is None:
        return sentence
    until = _("Expected to go on: %(until)s.") % {"until": format_moment(pause.expected_until)}
    return f"{sentence} {until}"


def waiting_pattern() -> str:
    """Return the sentence for those who wait for a move, with a placeholder ``{name}`` for the player to act."""
    return _("Waiting for {name}. The move will appear here.")


def waiting_sentence(match: Match) -> str:
    """Return the sentence about whose move a match waits for; empty once it is over."""
    player = match.player_to_act
    return waiting_pattern().format(name=player.username) if player else ""


def board_label_pattern() -> str:
    """Return the label of a board, with placeholders for its stage and the score of both sides."""
    return _("Board, {stage}, {yellow} to {red}")


def board_label(state: State) -> str:
    """Return the label of a board with this position."""
    return board_label_pattern().format(stage=state.stage, yellow=state.score.yellow, red=state.score.red)


def describe_move(stage: Stage) -> str:
    """Return what a move or a roll does, and if its player did not play it, why."""
    sentence = str(stage.before.describe(stage.move.text))
    if stage.move.is_drawn:
        return f"{_('Time ran out, so the dice chose the move.')} {sentence}"
    return f"{_('By itself:')} {sentence}" if stage.move.by_itself else sentence


def move_sentence(stage: Stage) -> str:
    """Return the sentence about a move, and the score if it has changed."""
    sentence, score = describe_move(stage), stage.after.score
    if score == stage.before.score:
        return sentence
    return f"{sentence} {_('%(yellow)d to %(red)d.') % {'yellow': score.yellow, 'red': score.red}}"


def result_text(match: Match, outcome: Outcome, you: Side | None) -> str:
    """Return who won."""
    if outcome.ending is Ending.CANCELLED:
        return _("The match was cancelled")
    if outcome.winner is None:
        return _("Nobody wins")
    if outcome.winner is you:
        return _("You win!")
    return _("%(name)s wins") % {"name": match.players[outcome.winner].username}


def ending_sentence(ending: Ending) -> str:
    """Return the sentence about how a match ended."""
    return {
        Ending.NORMAL_TIME: _("Played to the end."),
        Ending.SUDDEN_DEATH: _("By sudden death in extra time."),
        Ending.LAST_GOAL: _("Level after extra time: the last goal decided."),
        Ending.GOALLESS: _("No goal, not even in extra time."),
        Ending.OVER_TIME: _("Decided in over time."),
        Ending.PENALTIES: _("Level after over time: penalties decided."),
        Ending.RESIGNATION: _("By resignation."),
        Ending.TIMEOUT: _("Time ran out."),
        Ending.FORFEIT: _("By forfeit."),
        Ending.ADJUDICATION: _("By decision."),
        Ending.AGREEMENT: _("A draw by agreement."),
        Ending.CANCELLED: _("It counts for nothing."),
    }[ending]
