"""Competitions from draft to end: opened, closed, drawn, started, finished, cancelled."""

from datetime import timedelta

import pytest

from matches.models import Match
from matches.services.adjudication import adjudicate_match
from players.models import Rating
from rules_engine.values import Side
from tests.matches.play import move_both
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.status import cancel_competition, finish_competition
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    Ladder,
    Round,
    RoundEnd,
    Seeding,
    Standing,
    Tie,
)
from tournaments.office.selectors.changes import listed_lines
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.rounds.errors import InvalidSeeding, TooFewEntrants, WrongCompetitionStatus
from tournaments.rounds.services.draws import preview_draw
from tournaments.running.services.start import start_competition_if_due, start_due_competitions
from tournaments.tables.services.ratings import rate_pending
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)


def actions(competition):
    return list(listed_lines(competition).order_by("pk").values_list("action", flat=True))


def names(entries):
    return [str(entry) for entry in entries]


def test_a_cup_is_opened_closed_and_opened_again():
    cup = verbs.make_cup()
    assert verbs.close_entry(cup).status == CompetitionStatus.CLOSED
    assert verbs.close_entry(cup).status == CompetitionStatus.CLOSED
    assert verbs.open_entry(cup).status == CompetitionStatus.OPEN
    assert actions(cup) == ["opened", "closed", "opened"]


def test_a_cup_needs_two_players():
    cup, _entries = verbs.open_cup(1)
    with pytest.raises(TooFewEntrants):
        verbs.start(cup)
    with pytest.raises(TooFewEntrants):
        preview_draw(competition=cup)


def test_a_draw_with_the_seed_of_its_preview_is_the_same():
    cup, _entries = verbs.open_cup(9, seeding=Seeding.DRAW)
    preview = preview_draw(competition=cup)
    assert not Round.objects.exists()
    drawn = verbs.draw(cup, seed=preview.seed)
    assert drawn == preview
    cup.refresh_from_db()
    assert (cup.first_stage.draw_seed, cup.status) == (preview.seed, CompetitionStatus.CLOSED)
    assert list(Entry.objects.filter(competition=cup).order_by("seats__seed")) == list(preview.entries)
    assert verbs.draw(cup, seed=preview.seed) == preview
    assert Tie.objects.filter(round__group__stage__competition=cup).count() == 8


def test_seeds_by_rating_the_unrated_start_at_1500():
    cup, entries = verbs.open_cup(4, seeding=Seeding.RATING)
    for entry, rating in zip(entries, (1400, 1501, 1700), strict=False):
        Rating.objects.create(player=entry.player, family="streetsoccer", rating=rating)
    assert names(preview_draw(competition=cup).entries) == ["player-3", "player-2", "player-4", "player-1"]


def test_seeds_by_hand_and_the_others_drawn_behind_them():
    cup, entries = verbs.open_cup(4, seeding=Seeding.HAND)
    order = [entries[2].pk, entries[0].pk]
    drawn = verbs.draw(cup, order=order, seed=1)
    assert names(drawn.entries)[:2] == ["player-3", "player-1"]
    assert verbs.draw(cup, seed=2).entries == drawn.entries
    with pytest.raises(InvalidSeeding, match=r"^These seeds cannot be used: an entrant is seeded twice\.$") as twice:
        preview_draw(competition=cup, order=[entries[0].pk, entries[0].pk])
    with pytest.raises(
        InvalidSeeding, match=r"^These seeds cannot be used\. Not in the competition: -1, 0\.$"
    ) as strangers:
        preview_draw(competition=cup, order=[0, -1])
    assert [(each.value.reason_code, each.value.parameters) for each in (twice, strangers)] == [
        ("chosen_twice", {}),
        ("not_entered", {"entries": [-1, 0]}),
    ]


def test_a_cup_that_is_not_drawn_is_drawn_when_it_starts_and_does_so_once():
    cup, _ = verbs.start_cup(4)
    verbs.start(cup)
    assert Match.objects.count() == 4
    assert actions(cup)[:3] == ["opened", "drawn", "started"]
    assert cup.first_stage.draw_seed is not None
    with pytest.raises(WrongCompetitionStatus):
        verbs.draw(cup)
    with pytest.raises(WrongCompetitionStatus):
        finish_competition(competition_id=cup.pk, actor=None, now=SOON)


def test_opening_a_drawn_cup_again_forgets_the_draw():
    cup, _entries = verbs.open_cup(4, **ROUND_ROBIN)
    verbs.draw(cup)
    assert Fixture.objects.filter(competition=cup).count() == 6
    verbs.open_entry(cup)
    assert not Fixture.objects.filter(competition=cup).exists()


def test_matches_have_the_clock_of_the_competition_and_its_rating():
    cup, _ = verbs.start_cup(2, time_bank=600, time_increment=5, time_cap=900, is_rated=True)
    match = verbs.running(cup)[0].match
    assert (match.time_bank, match.time_increment, match.time_cap, match.is_rated) == (600, 5, 900, True)


def test_a_competition_starts_at_its_time_and_a_cup_waits_for_its_second_player():
    cup, ladder = verbs.make_cup(starts_at=SOON), verbs.make_ladder(starts_at=SOON)
    assert start_due_competitions(now=NOON) == 0
    assert start_due_competitions(now=SOON) == 1
    ladder.refresh_from_db()
    assert (ladder.status, ladder.started_at) == (CompetitionStatus.RUNNING, SOON)
    verbs.enter_all(cup, verbs.make_players(2))
    assert start_due_competitions(now=SOON) == 1
    assert start_due_competitions(now=SOON) == 0
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.RUNNING


def test_drafts_do_not_start_by_themselves():
    cup, _entries = verbs.open_cup(2, starts_at=NOON)
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.DRAFT)
    assert start_due_competitions(now=SOON) == 0


def test_the_last_place_starts_a_competition_that_starts_when_full(monkeypatch, django_capture_on_commit_callbacks):
    queued = []
    monkeypatch.setattr(
        "tournaments.office.services.after_commit._send",
        lambda task, competition_id: queued.append((task, competition_id)),
    )
    cup = verbs.make_cup(max_entrants=3, starts_when_full=True)
    with django_capture_on_commit_callbacks(execute=True):
        verbs.enter_all(cup, verbs.make_players(3))
    assert set(queued) == {("tournaments.tasks.start_competition", cup.pk)}
    assert start_competition_if_due(competition_id=cup.pk, now=NOON)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.RUNNING
    assert not start_competition_if_due(competition_id=cup.pk, now=NOON)


def test_one_competition_that_cannot_start_stops_no_other():
    first, _entries = verbs.open_cup(2, starts_at=NOON)
    second, _entries = verbs.open_cup(2, slug="second", starts_at=NOON, prefix="other")
    Cup.objects.filter(pk=first.pk).update(game="chess")
    assert start_due_competitions(now=NOON) == 1
    second.refresh_from_db()
    assert second.status == CompetitionStatus.RUNNING


def test_a_cancelled_cup_has_no_matches_that_go_on_and_counts_none():
    cup, _ = verbs.start_cup(4)
    cancelled = verbs.cancel(cup, now=SOON, reason="too few")
    assert (cancelled.status, cancelled.finished_at) == (CompetitionStatus.CANCELLED, SOON)
    assert not Match.objects.filter(status="playing").exists()
    verbs.settle_all()
    assert not Fixture.objects.filter(competition=cup, counted_at__isnull=False).exists()
    assert verbs.cancel(cup, now=SOON).status == CompetitionStatus.CANCELLED
    with pytest.raises(WrongCompetitionStatus):
        verbs.start(cup, now=SOON)


def test_a_finished_ladder_starts_no_games_and_none_goes_on():
    ladder, _entries = verbs.start_ladder(3)
    assert verbs.pair(ladder) == 3
    assert finish_competition(competition_id=ladder.pk, actor=None, now=SOON).finished_at == SOON
    assert verbs.pair(ladder, now=SOON) == 0
    assert not Match.objects.filter(status="playing").exists()


def test_matches_that_are_over_when_a_competition_ends_count_though_nobody_has_counted_them_yet():
    cup, _ = verbs.start_cup(3, **ROUND_ROBIN)
    ladder, _ = verbs.start_ladder(3, prefix="climber")
    verbs.pair(ladder)
    for competition, end_competition in ((cup, cancel_competition), (ladder, finish_competition)):
        over, late, _going_on = verbs.running(competition)
        adjudicate_match(match_id=move_both(over.match).pk, winner=Side.RED, now=NOON)
        Match.objects.filter(pk=move_both(late.match).pk).update(deadline=NOON)
        end_competition(competition_id=competition.pk, actor=None, now=SOON)
        verbs.settle_all(SOON)
        fixtures = Fixture.objects.filter(competition=competition).order_by("pk")
        assert list(fixtures.values_list("ending", "is_annulled", "match__annulled_at")) == [
            ("adjudication", False, None),
            ("timeout", False, None),
            ("", True, SOON),
        ]
        recompute_stale(now=SOON)
        assert sum(Standing.objects.filter(group__stage__competition=competition).values_list("played", flat=True)) == 4
        assert verbs.faults_of(competition, now=SOON) == []
    assert rate_pending(family="streetsoccer", now=SOON) == 4


def test_a_competition_that_was_never_started_needs_no_table():
    for number, competition in enumerate(
        (verbs.make_ladder(), verbs.make_ladder(slug="cancelled"), verbs.make_cup(**ROUND_ROBIN))
    ):
        verbs.enter_all(competition, verbs.make_players(2, f"of-{number}"))
    verbs.cancel(Ladder.objects.get(slug="cancelled"), now=SOON)
    assert recompute_stale(now=SOON) == 0
    assert [verbs.faults_of(competition, now=SOON) for competition in Competition.objects.all()] == [[], [], []]


@pytest.mark.parametrize(
    ("options", "entrants", "expected"),
    [
        ({}, 0, [Wait.ENTRANTS, Wait.START]),
        ({}, 2, [Wait.START]),
        ({"starts_at": SOON}, 2, [Wait.START]),
        ({"max_entrants": 3, "starts_when_full": True}, 2, [Wait.ENTRANTS]),
    ],
)
def test_a_cup_waits_for_entrants_or_its_start_before_it_starts(options, entrants, expected):
    cup, _entries = verbs.open_cup(entrants, **options)
    assert [waiting.kind for waiting in cup_waits_for(cup, NOON)] == expected


def test_a_running_cup_waits_for_moves():
    cup, _ = verbs.start_cup(4, round_days=7, at_round_end=RoundEnd.FORFEIT)
    waits = cup_waits_for(cup, NOON)
    assert {waiting.kind for waiting in waits} == {Wait.MOVE}
    assert len(waits) == 4
    assert len(cup_waits_for(cup, NOON, limit=3)) == 3
    verbs.cancel(cup)
    cup.refresh_from_db()
    assert cup_waits_for(cup, NOON) == []
