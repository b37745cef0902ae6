"""The table of acts: each can be done by a page and by the API, which ask for the same."""

import inspect
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import get_args, get_type_hints

import pytest
from django.urls import Resolver404, resolve

from formats.protocol import DrawnRound
from matches.errors import UnknownPlayer
from rules_engine.values import Side
from tests.tournaments.rounds.test_levels import start_levels
from tests.tournaments.verbs import NOON, make_players, running, start_cup
from tournaments.decisions.services.undo.rivals import Counting
from tournaments.desk.acts import ACTS, ENTRY, Act, acts_on, get_act
from tournaments.desk.acts.inputs import NOBODY
from tournaments.models import Cup, Disqualification, Entry, EntryInvitation, Fixture, LogEntry, Round, RoundEnd
from tournaments.models.rights import RIGHTS, Role
from tournaments.rounds.services.proposed_rounds import propose_round
from tournaments.teams.services.teams import found_team

EVERY_ACT = pytest.mark.parametrize("act", ACTS, ids=lambda act: act.operation)

SAMPLES = {
    "text": ("Welcome!", "Welcome!", "Welcome!"),
    "reason": ("ill", "ill", "ill"),
    "confirm": ("on", True, True),
    "counts": ("new", "new", Counting.NEW),
    "side": ("red", "red", Side.RED),
    "by": ("1.5", 5400, timedelta(minutes=90)),
    "round_number": ("2", 2, 2),
    "policy": ("forfeit", "forfeit", RoundEnd.FORFEIT),
    "level": ("1", 1, 1),
    "place": ("2", 2, 2),
    "rule": ("annulled", "annulled", Disqualification.ANNULLED),
    "points_yellow": ("4", 4, 4),
    "points_red": ("1", 1, 1),
    "goals_yellow": ("2", 2, 2),
    "goals_red": ("", None, None),
    "is_rated": ("on", True, True),
    "version": ("3f", "3f", "3f"),
    "begins_at": ("2026-11-30T12:00", "2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC)),
    "kept": (["3", "7"], [3, 7], [3, 7]),
    "ends_at": ("2026-12-01T12:00", "2026-12-01T12:00:00Z", datetime(2026, 12, 1, 12, tzinfo=UTC)),
}
"""The value of an input as a form sends it, as the API takes it, and as the service gets it."""


@pytest.fixture
def cup(db) -> Cup:
    cup, _entries = start_cup(2, legs=1)
    return cup


@pytest.fixture
def entry(cup) -> Entry:
    return cup.entries.select_related("player").earliest("pk")


def find_act(operation: str) -> Act:
    return next(act for act in ACTS if act.operation == operation)


@EVERY_ACT
def test_a_service_takes_what_its_act_is_done_to_and_what_it_asks_for(act):
    parameters = inspect.signature(act.service).parameters.values()
    named = [parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    unpacked = [get_args(get_type_hints(act.service)[each.name])[0] for each in parameters if each not in named]
    taken = {parameter.name for parameter in named}.union(*(each.__annotations__ for each in unpacked))
    assert taken >= {act.on.keyword, *act.inputs, "actor", "now"}
    owed = {parameter.name for parameter in named if parameter.default is parameter.empty}
    assert owed <= {act.on.keyword, *act.inputs, "actor", "now"}


@EVERY_ACT
def test_an_act_has_a_page_and_an_endpoint(act):
    page = resolve(f"/cups/cup/organise/{act.path_of(7)}{act.name}/")
    assert get_act(page.kwargs.get("path", ""), page.kwargs["action"]) is act
    endpoint = resolve(f"/api/v1/competitions/cup/{act.path_of(7)}{act.api_path or act.name}/")
    assert act.api_method in {name for name in ("post", "put") if hasattr(endpoint.func.view_class, name)}  # type: ignore[attr-defined]


def test_no_page_and_no_operation_is_another_ones_too():
    assert len({(act.on.path, act.name) for act in ACTS}) == len(ACTS)
    assert len({act.operation for act in ACTS}) == len(ACTS)
    assert [kind for kind, _acts in groupby(act.on.name for act in ACTS)] == [
        "competition",
        "announcement",
        "line of the log",
        "entry",
        "waiting player",
        "invitation",
        "fixture",
        "round",
        "proposed round",
    ]
    assert get_act("entries", "cancel") is None
    with pytest.raises(Resolver404):
        resolve("/api/v1/competitions/cup/entries/7/cancel/")


@EVERY_ACT
def test_a_form_and_the_api_give_the_service_the_same(act, cup, entry):
    samples = SAMPLES
    if "player" in act.inputs:
        (late,) = make_players(1, "late")
        samples = SAMPLES | {"player": ("LATE-1", "late-1", late)}
    if "winner" in act.inputs:
        samples = SAMPLES | {"winner": ("yellow", "yellow", Side.YELLOW)}
    if "first" in act.inputs:
        one, other = make_players(2, "swapped")
        samples = SAMPLES | {
            "first": ("swapped-1", "swapped-1", one),
            "second": ("swapped-2", "swapped-2", other),
        }
    if "players" in act.inputs:
        one, other = make_players(2, "seated")
        shirt = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}
        team = found_team(name="Red Foxes", captain=one, now=NOON, **shirt)
        samples = SAMPLES | {
            "team_id": (" RED foxes", "red-foxes", team.pk),
            "players": ("seated-2\nSEATED-1", ["Seated-2", "seated-1"], [other.pk, one.pk]),
        }
    subjects = {
        "entry": entry,
        "invitation": EntryInvitation(competition=cup, player=entry.player),
        "line of the log": LogEntry(competition=cup),
        "fixture": Fixture.objects.first(),
        "round": Round.objects.first(),
        "proposed round": propose_round(group_id=entry.seat.group_id, drawn=DrawnRound(3, ()), now=NOON),
    }
    subject = subjects.get(act.on.name, cup)
    if "level" in act.inputs:
        mini, _players = start_levels(5, slug="mini", prefix="mini")
        subject = mini.entries.latest("pk")
    expected = {name: samples[name][2] for name in act.inputs}
    form = act.form({name: samples[name][0] for name in act.inputs}, subject=subject)
    assert form.is_valid(), form.errors
    assert form.cleaned_data == expected
    if act.serializer is None:
        assert not act.inputs
        return
    read = act.serializer(data={each.api_name or name: samples[name][1] for name, each in act.inputs.items()})
    assert read.is_valid(), read.errors
    assert dict(read.validated_data) == expected


def test_nobody_can_win(cup):
    act = find_act("adjudicate_fixture")
    form = act.form({"winner": NOBODY, "reason": "rain"}, subject=running(cup)[0])
    assert form.is_valid()
    read = act.serializer(data={"winner": None, "reason": "rain"})
    assert read.is_valid()
    assert form.cleaned_data["winner"] is read.validated_data["winner"] is None


@EVERY_ACT
def test_every_act_has_an_inverse_or_says_why_it_has_none(act):
    assert bool(act.inverse) != bool(act.final)
    if act.inverse:
        assert find_act(act.inverse).operation == act.inverse
    else:
        assert str(act.final) in act.ask()


def test_somebody_unknown_is_refused_beside_the_field_and_by_a_code(cup):
    act = find_act("admit_player")
    assert act.form({"player": "nobody"}).errors == {"player": ["There is no player with this username."]}
    with pytest.raises(UnknownPlayer, match="There is no player with this username"):
        act.serializer(data={"player": "nobody"}).is_valid()


def test_offered_acts_follow_the_status_of_the_entry_and_its_cup(cup, entry):
    assert [act.name for act in acts_on(ENTRY, cup, entry, RIGHTS[Role.ORGANISER])] == [
        "withdraw",
        "disqualify",
        "replace",
    ]
    entry.status = "replaced"
    assert [act.name for act in acts_on(ENTRY, cup, entry, RIGHTS[Role.ORGANISER])] == ["take-back-replacement"]
    entry.status, cup.status = "active", "cancelled"
    assert acts_on(ENTRY, cup, entry, RIGHTS[Role.ORGANISER]) == []
