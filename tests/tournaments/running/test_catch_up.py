"""Whatever is done to a competition: what is over or overdue in it is counted before, dated by its own moment."""

from datetime import timedelta
from functools import partial

import pytest

from matches.models import Match, Status
from matches.services.adjudication import adjudicate_match
from matches.services.expiry import expire_due
from players.models import Player
from rules_engine.values import Side
from tests.matches.play import set_up
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.fixture_decisions import extend_clock
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import announce, finish_competition
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.making.services.competitions import change_competition
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, LogEntry, RoundEnd
from tournaments.office.services.locks import lock_competition
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.challenges import challenge
from tournaments.running.services.settlement import settle_finished
from web.errors import DomainError

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DEADLINE = NOON + HOUR
LATER = NOON + 2 * HOUR
WHY = "It has to be."


def let_run_out(fixture, at=DEADLINE):
    Match.objects.filter(pk=fixture.match_id).update(deadline=at)


def to_act(fixture):
    return fixture.yellow if fixture.match.side == Side.YELLOW else fixture.red


def test_a_player_who_won_a_tie_on_time_and_withdraws_has_won_it_and_forfeits_the_next():
    cup, _ = verbs.start_cup(4, legs=1)
    first, other = verbs.running(cup)
    loser = to_act(first)
    winner = first.red if loser == first.yellow else first.yellow
    let_run_out(first)
    verbs.withdraw(winner, winner.player, LATER)
    tie = verbs.tie_of(cup, 1, first.tie.slot)
    assert (tie.winner, tie.decided_by, tie.decided_at) == (winner, "points", DEADLINE)
    adjudicate_match(match_id=other.match_id, winner=Side.YELLOW, now=LATER + HOUR)
    settle_finished(now=LATER + HOUR)
    final = verbs.tie_of(cup, 2, 0)
    assert (final.winner, final.decided_by) == (other.yellow, "withdrawal")
    assert loser.pk not in {final.first_id, final.second_id}
    cup.refresh_from_db()
    assert (cup.winner, cup.finished_at) == (other.yellow, LATER + HOUR)


def test_withdrawing_while_a_tie_is_open_loses_it_though_the_forfeit_makes_points_level():
    cup, _ = verbs.start_cup(2, legs=2, replays=0)
    one, two = verbs.running(cup)
    leaver = one.yellow
    adjudicate_match(match_id=one.match_id, winner=Side.YELLOW, now=NOON)
    verbs.withdraw(leaver, leaver.player, LATER)
    tie = verbs.tie_of(cup, 1, 0)
    assert (tie.winner, tie.decided_by, tie.decided_at) == (two.yellow, "withdrawal", LATER)


ACTS_IN_CUPS = {
    "withdraw": lambda s: verbs.withdraw(s.entry, s.organiser, LATER),
    "leave": lambda s: verbs.leave(s.entry, LATER),
    "replace": lambda s: verbs.replace(s.entry, s.stranger, s.organiser, LATER),
    "enter late": lambda s: verbs.enter(s.competition, s.stranger, LATER),
    "admit": lambda s: verbs.admit(s.competition, s.stranger, s.organiser, LATER),
    "import": lambda s: import_entry_list(
        competition_id=s.competition.pk, text="stranger\n", actor=s.organiser, now=LATER
    ),
    "adjudicate": lambda s: verbs.adjudicate(s.other, None, s.organiser, LATER),
    "annul": lambda s: verbs.annul(s.other, s.organiser, LATER),
    "replay": lambda s: verbs.replay(s.other, s.organiser, LATER),
    "extend": lambda s: extend_clock(
        fixture_id=s.other.pk, side=Side.YELLOW, by=HOUR, actor=s.organiser, reason=WHY, now=LATER
    ),
    "end a round": lambda s: end_round(
        round=verbs.round_of(s.competition, 1), policy=RoundEnd.FORFEIT, actor=s.organiser, now=LATER
    ),
    "date a round": lambda s: set_round_date(
        round=verbs.round_of(s.competition, 1), ends_at=LATER + HOUR, actor=s.organiser, now=LATER
    ),
    "pause": lambda s: verbs.pause(s.competition, s.organiser, LATER),
    "cancel": lambda s: verbs.cancel(s.competition, s.organiser, LATER),
    "change": lambda s: change_competition(
        competition=s.competition,
        stage=s.competition.first_stage,
        changed=["at_round_end"],
        reason="Late.",
        actor=s.organiser,
        now=LATER,
    ),
    "announce": lambda s: announce(competition_id=s.competition.pk, actor=s.organiser, text="Hello", now=LATER),
}
ACTS_ON_LADDERS = {
    "leave": ACTS_IN_CUPS["leave"],
    "withdraw": ACTS_IN_CUPS["withdraw"],
    "enter": ACTS_IN_CUPS["enter late"],
    "pair": lambda s: verbs.pair(s.competition, LATER),
    "challenge": lambda s: challenge(
        ladder_id=s.competition.pk, challenger=s.others[3].player, opponent=s.others[2].player, now=LATER
    ),
    "finish": lambda s: finish_competition(competition_id=s.competition.pk, actor=s.organiser, now=LATER),
}


class Scene:
    """A running competition in which one match's time has run out and nothing was done about it."""

    def __init__(self, competition, boss):
        self.competition, self.organiser = competition, boss
        self.stranger = Player.objects.create(username="stranger")
        self.overdue, self.other, *_ = verbs.running(competition)
        self.loser = to_act(self.overdue)
        busy = {self.overdue.yellow_id, self.overdue.red_id}
        self.others = list(Entry.objects.filter(competition=competition).exclude(pk__in=busy).select_related("player"))
        self.entry = self.others[0]
        let_run_out(self.overdue)

    def check(self):
        fixture = Fixture.objects.select_related("match").get(pk=self.overdue.pk)
        assert (fixture.ending, fixture.finished_at, fixture.counted_at) == ("timeout", DEADLINE, LATER)
        assert (fixture.match.status, fixture.match.settled_at) == (Status.FINISHED, LATER)


@pytest.mark.parametrize("act", list(ACTS_IN_CUPS))
def test_every_act_on_a_cup_comes_after_what_is_overdue_in_it(act, boss):
    cup, _ = verbs.start_cup(6, late_entry=True, **ROUND_ROBIN)
    scene = Scene(cup, boss)
    ACTS_IN_CUPS[act](scene)
    scene.check()


def test_resuming_comes_after_what_was_overdue_before_the_pause(boss):
    cup, _ = verbs.start_cup(6, **ROUND_ROBIN)
    scene = Scene(cup, boss)
    # A pause as it was before it counted what is overdue.
    Competition.objects.filter(pk=cup.pk).update(paused_at=LATER - HOUR / 2)
    verbs.resume(cup, boss, LATER)
    scene.check()


@pytest.mark.parametrize("act", list(ACTS_ON_LADDERS))
def test_every_act_on_a_ladder_comes_after_what_is_overdue_in_it(act, boss):
    ladder, _entries = verbs.start_ladder(9, format="challenge-ladder")
    verbs.pair(ladder)
    scene = Scene(ladder, boss)
    try:
        ACTS_ON_LADDERS[act](scene)
    except DomainError:
        assert act == "challenge"
        with pytest.raises(DomainError):
            ACTS_ON_LADDERS[act](scene)
        return
    scene.check()
    assert Entry.objects.get(pk=scene.loser.pk).waits_since == DEADLINE


def test_a_round_is_cut_short_as_of_its_date_before_clocks_that_run_out_after_it():
    cup, _ = verbs.start_cup(4, legs=1, round_days=1, at_round_end=RoundEnd.ADJUDICATE)
    end_of_round = NOON + timedelta(days=1)
    before, after = verbs.running(cup)
    for each in (before, after):
        set_up(each.match)
    let_run_out(before, end_of_round - HOUR)
    let_run_out(after, end_of_round + HOUR)
    with pytest.raises(DomainError):
        end_round(round=verbs.round_of(cup, 1), policy=RoundEnd.FORFEIT, actor=None, now=end_of_round + 5 * HOUR)
    catch_up(competition=lock_competition(competition_id=cup.pk), now=end_of_round + 5 * HOUR)
    ends = {each.pk: (each.ending, each.finished_at) for each in Fixture.objects.filter(round__number=1)}
    assert ends == {before.pk: ("timeout", end_of_round - HOUR), after.pk: ("adjudication", end_of_round)}
    assert verbs.round_of(cup, 1).ended_at == end_of_round
    assert LogEntry.objects.get(action="round-cut-short").logged_at == end_of_round
    assert verbs.round_of(cup, 2).started_at == end_of_round


def test_an_act_finds_a_cup_over_that_has_ended_before_its_round_was_due(boss):
    cup, _ = verbs.start_cup(2, legs=1, round_days=1, at_round_end=RoundEnd.ADJUDICATE)
    (fixture,) = verbs.running(cup)
    let_run_out(fixture)
    with pytest.raises(WrongCompetitionStatus):
        verbs.adjudicate(fixture, Side.RED, boss, NOON + timedelta(days=2))


def test_a_competition_whose_time_has_come_starts_before_anybody_leaves_it():
    cup, entries = verbs.open_cup(3, starts_at=DEADLINE)
    verbs.leave(entries[0], LATER)
    cup.refresh_from_db()
    assert (cup.status, cup.started_at) == (CompetitionStatus.RUNNING, LATER)
    assert Entry.objects.get(pk=entries[0].pk).status == EntryStatus.GONE


def test_a_match_that_cannot_be_counted_stops_no_act(boss, monkeypatch):
    cup, _ = verbs.start_cup(6, **ROUND_ROBIN)
    scene = Scene(cup, boss)
    really = Competition.points_of

    def fail(competition, outcome):
        if outcome.winner is None:
            raise RuntimeError("this result is poison")
        return really(competition, outcome)

    monkeypatch.setattr(Competition, "points_of", fail)
    adjudicate_match(match_id=scene.other.match_id, winner=None, now=NOON)
    announce(competition_id=cup.pk, actor=boss, text="Hello", now=LATER)
    scene.check()
    assert Fixture.objects.get(pk=scene.other.pk).counted_at is None


def test_nothing_to_catch_up_with_costs_three_queries_and_one_for_the_stage_of_which_acts_ask_next():
    cup, _ = verbs.start_cup(6, **ROUND_ROBIN)
    competition = lock_competition(competition_id=cup.pk)
    assert len(queries_of(partial(catch_up, competition=competition, now=NOON))) == 4
    assert len(queries_of(lambda: competition.first_stage.chosen_options)) == 0
    draft = lock_competition(competition_id=verbs.make_cup(slug="draft").pk)
    assert len(queries_of(partial(catch_up, competition=draft, now=NOON))) == 0


@pytest.mark.parametrize("options", [ROUND_ROBIN, {"format": "points-ladder"}])
def test_a_backlog_costs_the_same_queries_however_long_it_is(options):
    costs = []
    for size in (4, 12):
        make = verbs.make_cup if options is ROUND_ROBIN else verbs.make_ladder
        competition = make(slug=f"of-{size}", **options)
        verbs.enter_all(competition, verbs.make_players(size, prefix=f"of-{size}"))
        verbs.start(competition)
        if options is not ROUND_ROBIN:
            verbs.pair(competition)
        for fixture in verbs.running(competition)[1:]:
            let_run_out(fixture)
        locked = lock_competition(competition_id=competition.pk)
        costs.append(len(queries_of(partial(catch_up, competition=locked, now=LATER))))
    assert costs[0] == costs[1] <= 40


def test_the_sweep_of_clocks_and_the_acts_agree_about_what_is_lost():
    cup, _ = verbs.start_cup(4, **ROUND_ROBIN)
    (fixture, *_) = verbs.running(cup)
    let_run_out(fixture)
    expire_due(now=LATER)
    catch_up(competition=lock_competition(competition_id=cup.pk), now=LATER)
    assert Match.objects.get(pk=fixture.match_id).finished_at == DEADLINE
