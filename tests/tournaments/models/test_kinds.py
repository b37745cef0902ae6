"""A competition acts by its format: the kind says only where it is listed and what its URLs are."""

from datetime import timedelta

import pytest

from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.status import finish_competition
from tournaments.decisions.services.undo.annulments import annul_fixture
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Entry, EntryStatus, Fixture
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.running.services.departure import ladders_left_inactive
from tournaments.running.services.ladder_pairings import pair_ladders

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture
def players(db):
    return verbs.make_players(6)


@pytest.fixture
def begun(players, olga):
    """Return a running challenge ladder that is listed among the cups, and its entries from the top."""
    ladder = verbs.make_ladder(format="challenge-ladder", max_outgoing=1, organiser=olga)
    entries = verbs.enter_all(ladder, players)
    verbs.start(ladder)
    Competition.objects.filter(pk=ladder.pk).update(kind=CompetitionKind.CUP)
    return Competition.objects.get(pk=ladder.pk), entries


def order_of(competition):
    on_ladder = Entry.objects.filter(competition=competition, seats__position__isnull=False)
    return list(on_ladder.order_by("seats__position"))


def test_challenges_move_players_and_games_start(begun):
    competition, (a, b, c, d, e, f) = begun
    verbs.end(verbs.let_challenge(d, b), d, NOON + HOUR)
    assert order_of(competition) == [a, d, b, c, e, f]
    assert pair_ladders(now=NOON + DAY) == 5
    assert verbs.faults_of(competition, now=NOON + DAY) == []
    fixture = Fixture.objects.get(counted_at__isnull=False)
    annul_fixture(fixture_id=fixture.pk, actor=competition.organisers.get(), reason="wrong", now=NOON + DAY)
    assert order_of(competition) == [a, b, c, d, e, f]


def test_players_come_and_go_at_any_time_and_take_over_no_place(begun, olga):
    competition, (a, b, *_others) = begun
    left = verbs.leave(b, now=NOON + HOUR)
    assert (left.status, len(order_of(competition))) == (EntryStatus.GONE, 5)
    assert reasons_not_to_enter(competition=competition, player=b.player) == []
    verbs.enter(competition, b.player, now=NOON + DAY)
    assert order_of(competition).index(b) == 2
    newcomer = Player.objects.create(username="newcomer", may_be_entered=True)
    import_entry_list(competition_id=competition.pk, text="newcomer,1", actor=olga, now=NOON + DAY)
    assert order_of(competition)[-1].player == newcomer
    with pytest.raises(WrongCompetitionStatus, match="take over"):
        verbs.replace(a, olga, by=olga, now=NOON + DAY)


def test_a_loss_on_time_is_waited_out_and_doing_nothing_is_the_end(begun, players):
    competition, _entries = begun
    verbs.pair(competition)
    for fixture in verbs.running(competition):
        verbs.end(fixture, None, NOON + HOUR)
    Player.objects.filter(pk__in=[player.pk for player in players]).update(acted_at=NOON)
    assert ladders_left_inactive(player_id=players[0].pk, now=NOON + 29 * DAY) == []
    assert ladders_left_inactive(player_id=players[0].pk, now=NOON + 40 * DAY) == [competition.pk]
    pair_ladders(now=NOON + 40 * DAY)
    assert order_of(competition) == []


def test_it_is_paused_and_finished_by_its_organisers(begun, olga):
    competition, _entries = begun
    pause_competition(competition_id=competition.pk, actor=olga, reason="", now=NOON)
    resume_competition(competition_id=competition.pk, actor=olga, reason="", now=NOON + HOUR)
    finished = finish_competition(competition_id=competition.pk, actor=olga, now=NOON + DAY)
    assert finished.status == CompetitionStatus.FINISHED
