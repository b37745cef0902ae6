"""Tags and filters about competitions, on pages of matches and players too."""

from datetime import datetime
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from database.clock import current_moment
from database.compiled_queries import CompiledQuery
from formats.pairing.challenge import Refusal
from matches.models import Match
from players.models import Player
from tournaments.decisions.selectors import disputed_by, is_party, reason_not_to_dispute
from tournaments.models import Competition, EntryInvitation, Fixture, RoleInvitation
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.selectors.role_invitations import roles_offered
from tournaments.office.sentences import competition_format_text
from tournaments.office.stage_names import name_part
from tournaments.pages.sentences import action_name, subject_in_words
from tournaments.records.competitions import coming_fixtures, latest_to_enter
from tournaments.records.cups import Waiting
from tournaments.rounds.sentences import reason_of
from tournaments.running.forecast_ranges import Range
from tournaments.running.sentences import prospect_text, refusal_sentence, waiting_sentence
from tournaments.tables.selectors.records import past_entries, running_entries
from web.templatetags.moments import day, moment

register = template.Library()
register.filter("reason_of", reason_of)
register.filter("subject_in_words", subject_in_words)
register.filter("action_name", action_name)
register.filter("part_name", name_part)
register.filter("competition_format", competition_format_text)
register.filter("prospect_in_words", prospect_text)

MAX_SHOWN = 5


@register.simple_tag(takes_context=True)
def page_query(context: Context, parameter: str, value: str | int) -> str:
    """Return the query of the page with one parameter changed: the game or filter and the other lists stay."""
    query = context["request"].GET.copy()
    query[parameter] = str(value)
    return f"?{query.urlencode()}"


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
def provisional_until(competition: Competition) -> datetime | None:
    """Return when the end of a competition becomes final; ``None`` once it has, and while there is no end."""
    until = competition.provisional_until
    return until if until is not None and current_moment() < until else None


@register.filter
def absolute(number: int) -> int:
    """Return a number without its sign."""
    return abs(number)


@register.simple_tag
def match_fixture(match: Match) -> Fixture | None:
    """Return the fixture of a competition that the match is, with its competition, round and teams, if it is one.

    A competition that is hidden is not named.
    """
    if match.competition is None:
        return None
    return _OF_MATCH.find(match_id=match.pk)


_OF_MATCH = CompiledQuery(
    lambda match_id: (
        Fixture.objects.filter(match=match_id, competition__hidden_at=None)
        .select_related("competition", "group__stage", "round", "tie", "yellow__team", "red__team")
        .order_by("pk")
    )
)


@register.simple_tag(takes_context=True)
def dispute_page(context: Context, fixture: Fixture, competition: Competition | None = None) -> str:
    """Return the page on which the viewer disputes the result of a match, empty where they cannot.

    Lists give the ``competition``, so that it is not read for each row.
    """
    player = context.get("user")
    if fixture.finished_at is None or not isinstance(player, Player) or not is_party(fixture=fixture, player=player):
        return ""
    competition, now = competition or fixture.competition, current_moment()
    if reason_not_to_dispute(fixture=fixture, competition=competition, now=now):
        return ""
    # Until when, only the time says: the page is no other reader's, and not the same one's for long.
    vars(context["request"])["is_for_now"] = True
    return reverse(f"{competition.kind}-dispute", args=[competition.slug, fixture.pk])


@register.simple_tag(takes_context=True)
def has_disputed(context: Context, fixture: Fixture) -> bool:
    """Return whether the viewer, who is a player, has disputed the result that counts now; one query a page."""
    known = vars(context["request"])
    if "disputed" not in known:
        known["disputed"] = disputed_by(player=context["user"], competition_id=fixture.competition_id)
    return fixture.pk in known["disputed"]


@register.simple_tag
def player_competitions(player: Player) -> dict[str, Any]:
    """Return the player's competitions: those that are ``running``, and ``past`` ones."""
    return {"running": running_entries(player), "past": past_entries(player)}


@register.simple_tag(takes_context=True)
def competitions_to_enter(context: Context) -> list[Competition]:
    """Return a few competitions that everybody can enter now, if with a password, and that the viewer is not in."""
    player = context.get("user")
    return latest_to_enter(player) if isinstance(player, Player) else []


@register.simple_tag(takes_context=True)
def entry_invitations(context: Context) -> list[EntryInvitation]:
    """Return the latest invitations to competitions that the viewer has not answered."""
    player = context.get("user")
    return _INVITATIONS.all(player_id=player.pk) if isinstance(player, Player) else []


@register.simple_tag(takes_context=True, name="roles_offered")
def offer_roles(context: Context) -> list[RoleInvitation]:
    """Return the latest roles in running competitions that the viewer has been offered and has not answered."""
    player = context.get("user")
    return _ROLES.all(player_id=player.pk) if isinstance(player, Player) else []


@register.simple_tag(takes_context=True)
def next_fixtures(context: Context) -> list[Fixture]:
    """Return the viewer's next fixtures in competitions, those whose match has not begun."""
    player = context.get("user")
    return coming_fixtures(player) if isinstance(player, Player) else []


_INVITATIONS = CompiledQuery(lambda player_id: open_invitations(player=player_id)[:MAX_SHOWN])
_ROLES = CompiledQuery(lambda player_id: roles_offered(player=player_id)[:MAX_SHOWN])


def _in_html(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    return value if isinstance(value, int) else conditional_escape(str(value))
