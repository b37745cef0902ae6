"""Tags and filters of pages that show competitions and ratings, the pages of matches and players among them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from formats.pairing.challenge import Refusal
from formats.pairing.proposed import PairingWarning
from matches.models import Match
from players.models import Player
from players.selectors import ratings_in
from rules_engine.values import BySide
from tournaments.desk.acts import ANNOUNCEMENT, ENTRY, INVITATION, ROUND, WAITING, acts_on
from tournaments.desk.acts.bulk_summaries import tell_turn
from tournaments.desk.selectors import Decision
from tournaments.desk.sentences import decision_sentence, pairing_warning_text
from tournaments.making.selectors.season_history import SeasonsPlayed, latest_seasons_of
from tournaments.models import (
    Competition,
    Entry,
    EntryInvitation,
    Fixture,
    LogEntry,
    RatingChange,
    Round,
    Title,
    WaitingPlayer,
)
from tournaments.models.elo import name_rank
from tournaments.models.game_families import FAMILIES
from tournaments.office.selectors.announcements import ANNOUNCED
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.sentences import (
    competition_format_text,
    decider_text,
    prospect_text,
    reasons_text,
    refusal_sentence,
    waiting_sentence,
)
from tournaments.office.services.log import ACTIONS
from tournaments.office.stage_names import name_part
from tournaments.pages.pictures.plot import Plot, Reading, draw_plot
from tournaments.records.competitions import coming_fixtures, open_competitions
from tournaments.records.cups import Waiting
from tournaments.running.forecast_ranges import Range
from tournaments.tables.selectors.records import (
    RatingRecord,
    past_entries,
    rating_records,
    running_entries,
)
from tournaments.tables.selectors.titles import find_holder, titles_of
from web.templatetags.moments import day, moment

MAX_SHOWN = 5

MAX_HELD = 3
"""The most titles of a player that stand below the name."""

Subject = Entry | EntryInvitation | Round | LogEntry | WaitingPlayer
KINDS = {
    Entry: ENTRY,
    EntryInvitation: INVITATION,
    LogEntry: ANNOUNCEMENT,
    Round: ROUND,
    WaitingPlayer: WAITING,
}
"""The kinds of things to act on, by the models whose rows have buttons."""

register = template.Library()
register.filter("part_name", name_part)
register.filter("rank_name", name_rank)
register.filter("competition_format", competition_format_text)
register.filter("reasons_in_words", reasons_text)
register.filter("prospect_in_words", prospect_text)


@dataclass(frozen=True, slots=True)
class PlottedRating:
    """A rating with its history as a plot."""

    title: str
    record: RatingRecord
    plot: Plot | None


@register.simple_tag(takes_context=True)
def page_query(context: Context, parameter: str, value: str | int) -> str:
    """Return the query of the page with one parameter changed: the game or filter and the other lists stay."""
    query = context["request"].GET.copy()
    query[parameter] = str(value)
    return f"?{query.urlencode()}"


@register.filter
def rounded(rating: Decimal) -> str:
    """Return a rating as people say it: without decimals."""
    return f"{rating:.0f}"


@register.filter
def signed(number: int) -> str:
    """Return a number with its sign, a true minus."""
    return f"{number:+d}".replace("-", "−") if number else "±0"


@register.filter
def change_of(change: RatingChange) -> int:
    """Return by how much a match changed the rating as it is shown: the difference of the rounded numbers."""
    return int(rounded(change.after)) - int(rounded(change.before))


@register.filter
def refusal_in_words(refusal: Refusal) -> str:
    """Return why there can be no challenge, with moments in the reader's zone."""
    return mark_safe(refusal_sentence(refusal, _in_html))  # noqa: S308 - what is no text of ours is escaped


@register.filter
def waiting_in_words(waiting: Waiting) -> str:
    """Return what a cup waits for, with moments in the reader's zone."""
    return mark_safe(waiting_sentence(waiting, _in_html))  # noqa: S308 - what is no text of ours is escaped


@register.filter
def range_in_words(ends: Range) -> str:
    """Return when something will probably end, in the reader's zone: by the day where the range is wide.

    A range that begins and ends at one moment is that moment alone.
    """
    show = day if ends.is_in_days else moment
    if ends.early == ends.late:
        return show(ends.likely)
    early, likely, late = (show(each) for each in (ends.early, ends.likely, ends.late))
    return format_html(_("{} (between {} and {})"), likely, early, late)


@register.filter
def turn_in_words(waiting: Waiting) -> str:
    """Return whose turn it is in the match that a cup waits for, since when, and how much time is left."""
    return "" if waiting.fixture is None else tell_turn(waiting.fixture, timezone.now())


@register.filter
def reason_of(line: LogEntry, competition: Competition) -> str:
    """Return why something was done in a competition. The reason of a decided tie is kept as a code."""
    if line.action != "tie-decided":
        return line.reason
    return decider_text(line.reason, of_teams=competition.boards is not None)


@register.filter
def subject_in_words(line: LogEntry) -> str:
    """Return what something was done to. The number by which a draw can be made again is called what it is."""
    return _("number %(number)s") % {"number": line.subject} if line.action == "drawn" else line.subject


@register.filter
def warning_in_words(player: Entry, warning: PairingWarning) -> str:
    """Return what speaks against a pairing or a bye of a player."""
    return pairing_warning_text(warning, player)


@register.filter
def action_name(action: str) -> Any:
    """Return an action of a competition's log as pages name it."""
    return ACTIONS.get(action, action)


@register.filter
def absolute(number: int) -> int:
    """Return a number without its sign."""
    return abs(number)


@register.simple_tag
def decision_in_words(decision: Decision, number: int, boards: int | None) -> str:
    """Return what an organiser has to decide; the number is that of the matches, players or teams concerned."""
    return decision_sentence(decision, number, of_teams=boards is not None)


@register.simple_tag
def match_ratings(match: Match) -> dict[str, str]:
    """Return both sides' ratings by side; empty for a side that has none: guests play no rated matches."""
    ratings = ratings_in(family=match.rules.family, players=list(match.players))
    return {
        side: "" if player.is_guest else rounded(ratings[player.pk])
        for side, player in (("yellow", match.yellow), ("red", match.red))
    }


@register.simple_tag
def match_rating_changes(match: Match) -> list[RatingChange]:
    """Return what a rated match did to its players' ratings, Yellow's change first; empty before it is counted."""
    if not match.is_rated or match.finished_at is None:
        return []
    changes = RatingChange.objects.filter(match=match).select_related("player")
    return sorted(changes, key=lambda change: change.player_id != match.yellow_id)


@register.simple_tag
def match_points(match: Match) -> BySide[int] | None:
    """Return what a finished match is worth: in its competition, else by its game."""
    outcome = match.outcome
    if match.competition is None or outcome is None:
        return match.points
    competition = Competition.objects.filter(pk=match.competition).only("game", "point_table").first()
    return match.points if competition is None else competition.points_of(outcome)


@register.simple_tag
def match_fixture(match: Match) -> Fixture | None:
    """Return the fixture of a competition that the match is, with its competition, round and teams, if it is one.

    A competition that is hidden is not named.
    """
    if match.competition is None:
        return None
    fixtures = Fixture.objects.filter(match=match, competition__hidden_at=None)
    related = ("competition", "group__stage", "round", "tie", "yellow__team", "red__team")
    return fixtures.select_related(*related).first()


@register.simple_tag
def player_ratings(player: Player) -> list[PlottedRating]:
    """Return the player's ratings with their plots."""
    return [
        PlottedRating(FAMILIES.get(record.rating.family, record.rating.family), record, _plot(record))
        for record in rating_records(player)
    ]


@register.simple_tag
def player_titles(player: Player) -> list[Title]:
    """Return the latest titles that the player has won."""
    return titles_of(player)


@register.filter
def held(titles: list[Title]) -> list[Title]:
    """Return the first few of a player's titles that the player holds."""
    return [title for title in titles if vars(title)["is_held"]][:MAX_HELD]


@register.simple_tag
def title_holder(competition: Competition) -> Title | None:
    """Return the title of the season before, of one who plays in this season of a series."""
    return find_holder(competition)


@register.simple_tag
def player_seasons(player: Player) -> list[SeasonsPlayed]:
    """Return the latest seasons that the player has played, series by series."""
    return latest_seasons_of(player)


@register.filter
def family_title(family: str) -> str:
    """Return what people call a family of games."""
    return FAMILIES.get(family, family)


@register.simple_tag
def player_competitions(player: Player) -> dict[str, Any]:
    """Return the player's competitions: those that are ``running``, and ``past`` ones."""
    return {"running": running_entries(player), "past": past_entries(player)}


@register.filter
def join_competitions(entries: list[Entry]) -> str:
    """Return the names of the competitions that players have entered alone, as a sentence lists them."""
    return ", ".join(entry.competition.name for entry in entries if entry.team_id is None)


@register.simple_tag(takes_context=True)
def competitions_to_enter(context: Context) -> list[Competition]:
    """Return a few competitions that everybody can enter now, if with a password, and that the viewer is not in."""
    competitions = open_competitions().filter(by_invitation=False)
    player = context.get("user")
    if isinstance(player, Player):
        competitions = competitions.exclude(entries__player=player)
    return list(competitions[:MAX_SHOWN])


@register.simple_tag(takes_context=True)
def entry_invitations(context: Context) -> list[EntryInvitation]:
    """Return the latest invitations to competitions that the viewer has not answered."""
    player = context.get("user")
    return list(open_invitations(player=player)[:MAX_SHOWN]) if isinstance(player, Player) else []


@register.simple_tag(takes_context=True)
def next_fixtures(context: Context) -> list[Fixture]:
    """Return the viewer's next fixtures in competitions, those whose match has not begun."""
    player = context.get("user")
    return list(coming_fixtures(player)[:MAX_SHOWN]) if isinstance(player, Player) else []


def _in_html(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    return value if isinstance(value, int) else conditional_escape(str(value))


def _plot(record: RatingRecord) -> Plot | None:
    if not record.changes:
        return None
    first = record.changes[0]
    readings = [Reading(first.finished_at, float(first.before))]
    readings += [Reading(change.finished_at, float(change.after)) for change in record.changes]
    return draw_plot(readings, until=timezone.now())


@register.inclusion_tag("tournaments/organise/act_buttons.html", takes_context=True)
def act_buttons(
    context: Context, subject: Entry | EntryInvitation | Round | LogEntry | WaitingPlayer
) -> dict[str, Any]:
    """Return buttons for the acts that organisers can do to a row of one of ``KINDS``; of a log to announcements."""
    if isinstance(subject, LogEntry) and subject.action != ANNOUNCED:
        return {}
    kind = KINDS[type(subject)]
    competition = context["competition"]
    acts = [(act, act.url(competition, subject)) for act in acts_on(kind, competition, subject, context["rights"])]
    return {"acts": acts, "name": kind.name_of(subject)}
