"""The organisers' first pages: what they run, where a competition stands, and what they can do next."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from database.clock import current_moment
from formats.protocol import Flow
from players.models import Player
from players.views.buttons import own_page
from tournaments.decisions.selectors import disputes_in
from tournaments.desk.acts import COMPETITION, ENTRY, FIXTURE, PROPOSED_ROUND, acts_on, bulk_acts_on, was_played
from tournaments.desk.acts.bulk import tell_turn
from tournaments.desk.selectors import held_up_by, organised_before, organised_now
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    OF_PLAY,
    SITTING,
    Competition,
    CompetitionStatus,
    Cup,
    Fixture,
    Group,
    Note,
)
from tournaments.models.dispute import OPEN
from tournaments.models.rights import Right
from tournaments.office.selectors.changes import listed_lines, with_former_texts
from tournaments.office.selectors.invitations import invitations_to
from tournaments.office.selectors.organisers import (
    entries_named,
    entries_of_closed_accounts,
    get_fixture,
    get_organised_competition,
    members_named,
    rights_to,
)
from tournaments.office.stage_names import name_stages
from tournaments.office.views import asked_number
from tournaments.pages.views.groups import neighbours_of
from tournaments.records.competitions import count_checked_in
from tournaments.records.cups import Wait, cup_waits_for, next_to_end, rounds_of, with_open_matches
from tournaments.records.errors import GroupNotFound
from tournaments.records.groups import SEATS
from tournaments.records.matches import with_players
from tournaments.records.stages import StageGroups, find_group, group_in, is_of_parts, latest_of, stages_of
from tournaments.rounds.selectors import proposed_rounds_of
from tournaments.rounds.sentences import names_in_brackets
from tournaments.running.selectors.forecasts import find_forecast
from tournaments.teams.selectors.line_ups import read_coming_rounds
from web.pages.keyset_pages import NEWEST_FIRST, OLDEST_FIRST, keyset_page

MAX_LATEST = 8
MAX_NOTES = 3
MAX_WAITING = 12
MAX_COUNTED = 1000
"""The most matches that go on that are counted for a page."""

PAGE = 50

OVER = 20
"""The competitions that are over on a page of those that a player runs."""


@own_page
def organise(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return where the competition stands, what it waits for, and the doors to everything that its organiser can do."""
    competition = organised_competition(request, slug, Right.DECIDE)
    if not competition.get_absolute_url().startswith(f"/{kind}s/"):
        return redirect(competition.get_desk_url())
    now = current_moment()
    cup = competition if isinstance(competition, Cup) else None
    waiting = [] if cup is None else cup_waits_for(cup, now, limit=MAX_WAITING + 1)
    turns = [] if cup else _next_deadlines(competition, now)
    lacks_players = any(each.kind is Wait.ENTRANTS for each in waiting)
    shared = frame(request, competition)
    # A competition that lacks players cannot start yet, whatever comes next then.
    is_next = [act.is_next and not (lacks_players and act.name == "start") for act in shared["acts"]]
    running = Fixture.objects.filter(competition_id=competition.pk, counted_at=None, is_annulled=False)
    context = {
        **shared,
        "next_acts": [act for act, comes_next in zip(shared["acts"], is_next, strict=True) if comes_next],
        "later_acts": [act for act, comes_next in zip(shared["acts"], is_next, strict=True) if not comes_next],
        "lacks_players": lacks_players,
        "tab": "competition",
        "entrants": competition.entrants,
        "entered": competition.entered,
        "checked_in": count_checked_in(competition) if competition.is_checking_in(now) else None,
        "notes": Note.objects.filter(competition=competition).select_related("author")[:MAX_NOTES],
        "running": running[:MAX_COUNTED].count(),
        "max_counted": MAX_COUNTED,
        "waiting": [each for each in waiting[:MAX_WAITING] if each.kind is not Wait.PUBLICATION],
        "forecast": find_forecast(competition),
        "held_up": held_up_by(competition, now=now),
        "proposed": _proposed_rounds(cup) if cup else [],
        "turns": turns[:MAX_WAITING],
        "shows_first": MAX_WAITING if len(turns or waiting) > MAX_WAITING else 0,
        "disputes": disputes_in(competition).filter(OPEN)[:MAX_WAITING] if vars(competition)["is_disputed"] else (),
        "closed": entries_of_closed_accounts(competition, limit=MAX_WAITING),
        **(_rounds(request, cup) if cup else {}),
        "log": with_former_texts(listed_lines(competition))[:MAX_LATEST],
    }
    return render(request, "tournaments/organise/competition.html", context)


def _proposed_rounds(cup: Cup) -> list[tuple[str, str]]:
    """Return the names and the pages of the rounds that wait to be published."""
    return [(PROPOSED_ROUND.name_of(each), PROPOSED_ROUND.page_of(each)) for each in proposed_rounds_of(cup)]


def _next_deadlines(competition: Competition, now: datetime) -> list[tuple[Fixture, str]]:
    """Return the matches whose players have least time left, each with whose turn it is and since when."""
    fixtures = next_to_end(competition, limit=MAX_WAITING + 1)
    return [(fixture, tell_turn(fixture, now)) for fixture in fixtures]


def _rounds(request: HttpRequest, cup: Cup) -> dict[str, Any]:
    """Return the rounds of a group, that in the query or the first of the latest stage, and links to the others."""
    stages = stages_of(cup, with_sizes=False) if is_of_parts(cup.first_stage) else []
    group = _asked_group(request, stages) if stages else find_group(cup, stage=1)
    rounds = list(with_open_matches(rounds_of(group.pk)))
    for each in rounds:
        each.group = group
    is_bracket = group.stage.format_spec.flow is Flow.TIES
    names = names_in_brackets([group.pk]).get(group.pk, {}) if is_bracket else {}
    named = [
        (" · ".join(name for (number, _part), name in names.items() if number == each.number), each) for each in rounds
    ]
    if not stages:
        return {"rounds": named}
    titles = name_stages(each.stage for each in stages)
    shown = next(each for each in stages if each.stage.number == group.stage.number)
    return {
        "rounds": named,
        "shown_group": group,
        "stages": [(titles[each.stage.number], each.stage.number) for each in stages if each.groups],
        "neighbours": neighbours_of(shown, group),
    }


def _asked_group(request: HttpRequest, stages: Sequence[StageGroups]) -> Group:
    latest = latest_of(stages).stage.number
    stage, group = asked_number(request, "stage"), asked_number(request, "group")
    try:
        return group_in(stages, stage=latest if stage is None else stage, group=group or 1)
    except GroupNotFound:
        return group_in(stages, stage=latest, group=1)


@own_page
def list_entries(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """List everybody who has entered, by pages, or those whose usernames have what is asked for in them."""
    competition = organised_competition(request, slug, Right.DECIDE)
    entries = competition.entries.select_related("player", "team", "replaced_by__player").prefetch_related(SEATS)
    query = request.GET.get("player", "").strip()
    if query:
        entries = entries.filter(pk__in=entries_named(competition, query))
    shared = frame(request, competition)
    page = keyset_page(entries, request.GET.get("page"), size=PAGE, order=OLDEST_FIRST)
    read_coming_rounds(page.object_list)
    context = {
        **shared,
        "tab": "entries",
        "query": query,
        "bulk_acts": bulk_acts_on(ENTRY, competition, shared["rights"]),
        "page": page,
    }
    return render(request, "tournaments/organise/entries.html", context)


@own_page
def list_invitations(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """List whom organisers have invited, by pages, with what they answered."""
    competition = organised_competition(request, slug)
    invitations = keyset_page(invitations_to(competition), request.GET.get("page"), size=PAGE)
    context = {**frame(request, competition), "tab": "invitations", "page": invitations}
    return render(request, "tournaments/organise/invitations.html", context)


@own_page
def list_fixtures(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the competition's matches by pages, or those of the players or teams that are asked for.

    Of those that go on the earliest come first, by group and round as they were drawn; of those that have ended the
    latest. Unless asked for otherwise these are shown once the competition is over.
    """
    competition = organised_competition(request, slug, Right.DECIDE)
    is_ended = request.GET.get("state", "ended" if competition.status in ENDED else "") == "ended"
    fixtures = Fixture.objects.filter(competition_id=competition.pk).filter(
        Q(counted_at__isnull=False) | Q(is_annulled=True) if is_ended else Q(counted_at=None, is_annulled=False)
    )
    query = request.GET.get("player", "").strip()
    if query:
        named = entries_named(competition, query)
        asked_for = Q(yellow__in=named) | Q(red__in=named)
        if competition.boards is not None:
            seated = members_named(competition, query)
            asked_for |= Q(yellow_player__in=seated) | Q(red_player__in=seated)
        fixtures = fixtures.filter(asked_for)
    shared = frame(request, competition)
    order = NEWEST_FIRST if is_ended else OLDEST_FIRST
    # By an index alone: read with all that is shown, the others would be passed over row by row.
    page = keyset_page(fixtures.only("pk"), request.GET.get("page"), size=PAGE, order=order)
    shown = with_players(Fixture.objects.select_related(*SITTING, "round", "tie", "group__stage", "match"))
    rows = shown.defer(*OF_PLAY).in_bulk([each.pk for each in page])
    context = {
        **shared,
        "tab": "fixtures",
        "query": query,
        "bulk_acts": bulk_acts_on(FIXTURE, competition, shared["rights"]),
        "is_ended": is_ended,
        "round_names": names_in_brackets({each.group_id for each in rows.values()}),
        "page": replace(page, object_list=[rows[each.pk] for each in page if each.pk in rows]),
    }
    return render(request, "tournaments/organise/fixtures.html", context)


@own_page
def show_fixture(request: HttpRequest, kind: str, slug: str, fixture_id: int) -> HttpResponse:
    """Return one match of the competition, and what its organiser can do about it."""
    competition = organised_competition(request, slug, Right.DECIDE)
    fixture = get_fixture(competition, fixture_id)
    context = {**frame(request, competition), "tab": "fixtures", "fixture": fixture}
    context["disputes"] = disputes_in(competition).filter(fixture=fixture)
    context["round_names"] = names_in_brackets([fixture.group_id])
    rights = rights_to(subject=fixture, player=organiser_of(request), rights=context["rights"])
    context |= {"acts": acts_on(FIXTURE, competition, fixture, rights), "is_own": rights != context["rights"]}
    return render(request, "tournaments/organise/fixture.html", context)


def organised_competition(request: HttpRequest, slug: str, right: Right = Right.ORGANISE) -> Competition:
    """Return the competition with this slug.

    Raises ``CompetitionNotFound``, or ``NotAnOrganiser`` for who has not this right in it.
    """
    return get_organised_competition(slug=slug, player=request.user, right=right)


def organiser_of(request: HttpRequest) -> Player:
    """Return who sends a request that only organisers may send."""
    return cast("Player", request.user)


def frame(request: HttpRequest, competition: Competition) -> dict[str, Any]:
    """Return what all organisers' pages of a competition show."""
    kind = "cup" if isinstance(competition, Cup) else "ladder"
    rights = vars(competition)["rights"]
    acts = acts_on(COMPETITION, competition, competition, rights)
    return {
        "section": f"{kind}s",
        "kind": kind,
        "competition": competition,
        "base": competition.get_desk_url(),
        "has_not_started": competition.status in NOT_STARTED,
        "is_checking_in": competition.is_checking_in(current_moment()),
        "is_over": competition.status in ENDED,
        "can_decide": was_played(competition),
        "rights": rights,
        "organises": Right.ORGANISE in rights,
        "acts": acts,
        "can_admit": any(act.name == "admit" for act in acts),
        "can_ask_again": any(act.name == "ask-again" for act in acts),
        "can_admit_team": any(act.name == "admit-team" for act in acts),
        "is_running": competition.status == CompetitionStatus.RUNNING,
        "admin_url": (
            reverse(f"admin:tournaments_{kind}_change", args=[competition.pk])
            if organiser_of(request).is_staff and Right.ORGANISE in rights
            else ""
        ),
    }


@own_page
def my_competitions(request: HttpRequest) -> HttpResponse:
    """Show what the player runs: what needs a decision, drafts, what goes on, and, by pages, what is over."""
    player = organiser_of(request)
    rows = organised_now(player=player, now=current_moment())
    rest = [row for row in rows if not row.decisions]
    context = {
        "section": "mine",
        "waiting": [row for row in rows if row.decisions],
        "drafts": [row for row in rest if row.competition.status == CompetitionStatus.DRAFT],
        "going_on": [row for row in rest if row.competition.status != CompetitionStatus.DRAFT],
        "over": keyset_page(organised_before(player=player), request.GET.get("page"), size=OVER),
    }
    return render(request, "tournaments/organise/mine.html", context)
