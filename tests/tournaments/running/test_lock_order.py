"""Services that change a whole competition take locks in one order: the competition, players by id, matches by id."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import combinations
from threading import Event
from typing import NamedTuple

import pytest
from django.db import transaction

from matches.models import Match, Status
from matches.selectors.clocks import MAX_ATTEMPTS
from matches.services import resign, take_vacation
from players.models import Player, Rating, VacationDay
from tests.matches.locks import TIMEOUT, begin, count_waiting, do_while_others_come, wait_until
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import cancel_competition
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import CompetitionStatus, Cup, Entry, Fixture, RoundEnd
from tournaments.office.services.locks import lock_competition
from tournaments.running.services.catch_up import catch_up
from web.api.idempotency.responses import Answer, respond_once

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

HOUR = timedelta(hours=1)
LATE = NOON + 30 * HOUR
WHY = "It has to be."


class Scene(NamedTuple):
    """A running cup, and an entrant in three of its matches: to act in the first, and in the last, which is late.

    In the one between them, by their ids, it is the opponent's turn.
    """

    cup: Cup
    entry: Entry
    first: int
    between: int
    last: int


@pytest.fixture(autouse=True)
def quiet_notifications(monkeypatch):
    """Let nobody hear: what follows is done by the test itself."""
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)
    monkeypatch.setattr("matches.services.after_commit._send_end", lambda _: None)
    monkeypatch.setattr("matches.services.after_commit._send_ends", lambda _: None)


@pytest.fixture
def scene(settings):
    """Return the cup, with a day of vacation left to everybody."""
    settings.VACATION_DAYS = 1
    cup, entries = verbs.start_cup(6, **ROUND_ROBIN)
    for entry in entries:
        player = entry.player
        own = Match.objects.filter(yellow=player) | Match.objects.filter(red=player)
        for three in combinations(own.order_by("pk"), 3):
            if [match.player_to_act == player for match in three] == [True, False, True]:
                first, between, last = three
                Match.objects.filter(pk=last.pk).update(deadline=LATE - HOUR)
                return Scene(cup, entry, first.pk, between.pk, last.pk)
    raise AssertionError("Nobody is to act before and after a match in which they wait.")


def hold(match_id: int) -> None:
    Match.objects.select_for_update(no_key=True).get(pk=match_id)


def with_key(player, action):
    """Let the action be one that came over the API with a key: one transaction around everything."""

    def answer() -> Answer:
        action()
        return Answer(200, "{}")

    return partial(respond_once, player_id=player.pk, key="key", fingerprint="", now=LATE, answer=answer)


@pytest.mark.parametrize("what", ["cancel", "withdraw", "replace", "end the round", "end the round, with a key"])
def test_the_end_of_many_matches_and_somebodys_vacation_do_not_stop_each_other(scene, boss, what):
    substitute = Player.objects.create(username="substitute")
    # All matches of the entrant are in one round, as those of a cup that is not divided would be.
    Fixture.objects.update(round=verbs.round_of(scene.cup, 1))
    end = partial(
        end_round, round=verbs.round_of(scene.cup, 1), policy=RoundEnd.FORFEIT, actor=boss, now=LATE, reason=WHY
    )
    actions = {
        "cancel": partial(cancel_competition, competition_id=scene.cup.pk, actor=boss, now=LATE),
        "withdraw": partial(withdraw_entry, entry_id=scene.entry.pk, actor=boss, reason=WHY, now=LATE),
        "replace": partial(replace_entry, entry_id=scene.entry.pk, player=substitute, actor=boss, reason=WHY, now=LATE),
        "end the round": end,
        "end the round, with a key": with_key(boss, end),
    }
    # What the sweep does for the entrant; there it would be tried again, and only the log would show it.
    vacation = partial(take_vacation, player_id=scene.entry.player_id, now=LATE)
    results = do_while_others_come(partial(hold, scene.between), actions[what], vacation)
    assert results == ["ok", "ok"]
    assert not Match.objects.filter(pk__in=scene[2:], status=Status.PLAYING).exists()
    assert VacationDay.objects.filter(player=scene.entry.player).count() == 1


def test_a_pause_and_somebodys_vacation_do_not_stop_each_other(scene, boss):
    # Let them lie backwards in the table and in its indexes. Within one transaction no space becomes free between them.
    with transaction.atomic():
        for days in (1, 2):
            for number, match in enumerate(Match.objects.order_by("-pk")):
                Match.objects.filter(pk=match.pk).update(deadline=LATE + timedelta(days=days, hours=number))
    results = do_while_others_come(
        partial(hold, scene.between),
        partial(pause_competition, competition_id=scene.cup.pk, actor=boss, reason=WHY, now=NOON),
        partial(take_vacation, player_id=scene.entry.player_id, now=NOON),
    )
    assert results == ["ok", "ok"]
    assert set(Match.objects.values_list("paused_at", flat=True)) == {NOON}


def test_a_pause_that_came_with_a_key_waits_for_the_competition_before_it_ends_matches(scene, boss):
    Match.objects.filter(pk=scene.last).update(vacation_limit=0)
    pause = partial(pause_competition, competition_id=scene.cup.pk, actor=boss, reason=WHY, now=LATE)
    results = do_while_others_come(
        partial(hold, scene.between),
        partial(cancel_competition, competition_id=scene.cup.pk, actor=boss, now=LATE),
        with_key(boss, pause),
    )
    assert results == ["ok", "wrong_competition_status"]
    assert Cup.objects.get().status == CompetitionStatus.CANCELLED
    assert Match.objects.get(pk=scene.last).ending == "timeout"


def three_to_act_in(cup):
    """Return a player and the first three matches, by their ids, in which it is the player's turn."""
    for entry in Entry.objects.filter(competition=cup).select_related("player").order_by("pk"):
        own = [each for each in Match.objects.order_by("pk") if each.player_to_act == entry.player]
        if len(own) >= 3:
            return entry.player, own[:3]
    raise AssertionError("It is nobody's turn in three matches.")


@pytest.mark.parametrize("what", ["withdraw", "pause"])
def test_vacation_that_read_a_match_before_it_ended_holds_no_other_while_it_waits_for_it(boss, monkeypatch, what):
    cup, _entries = verbs.start_cup(6, **ROUND_ROBIN)
    player, (first, second, ended) = three_to_act_in(cup)
    opponent = Entry.objects.get(player=second.red if second.yellow == player else second.yellow)
    actions: dict[str, Callable[[], object]] = {
        "withdraw": partial(withdraw_entry, entry_id=opponent.pk, actor=boss, reason=WHY, now=NOON),
        "pause": partial(pause_competition, competition_id=cup.pk, actor=boss, reason=WHY, now=NOON),
    }
    is_settled, may_go_on = Event(), Event()

    def wait_when_settled(*args, **kwargs):
        done = catch_up(*args, **kwargs)
        is_settled.set()
        assert may_go_on.wait(TIMEOUT)
        return done

    for module in ("entries.services.withdrawal", "decisions.services.pauses"):
        monkeypatch.setattr(f"tournaments.{module}.catch_up", wait_when_settled)
    results: dict[str, str] = {}
    with transaction.atomic():
        hold(first.pk)
        vacation = begin("vacation", partial(take_vacation, player_id=player.pk, now=NOON), results)
        wait_until(lambda: count_waiting() == 1)
        # It knows this match as one in which the player is to act.
        begin("end", partial(resign, match_id=ended.pk, player=player, now=NOON), results).join()
        act = begin("act", actions[what], results)
        assert is_settled.wait(TIMEOUT)
    wait_until(lambda: count_waiting() == 1 or not vacation.is_alive())
    may_go_on.set()
    vacation.join()
    act.join()
    assert results == {"vacation": "ok", "end": "ok", "act": "ok"}
    assert Fixture.objects.get(match=ended).counted_at is not None


def test_vacation_waits_in_line_for_a_match_that_others_hold_whenever_it_is_tried(monkeypatch):
    cup, _entries = verbs.start_cup(6, **ROUND_ROBIN)
    player, own = three_to_act_in(cup)
    looked: list[int] = []
    monkeypatch.setattr("matches.selectors.clocks._wait_for_one", lambda matches: looked.append(len(matches)))
    results: dict[str, str] = {}
    with transaction.atomic():
        hold(own[1].pk)
        vacation = begin("vacation", partial(take_vacation, player_id=player.pk, now=NOON), results)
        wait_until(lambda: count_waiting() == 1)
        assert len(looked) == MAX_ATTEMPTS
    vacation.join()
    assert results == {"vacation": "ok"}


@pytest.mark.parametrize(
    ("held", "is_closed"),
    [("organised", False), ("ladder", False), ("ladder", True), ("rating", False), ("rating", True)],
)
def test_staff_who_open_or_close_an_account_lock_the_player_last(boss, client, held, is_closed):
    Player.objects.filter(pk=boss.pk).update(is_staff=True)
    client.force_login(boss)
    (player,) = verbs.make_players(1)
    ladder, cup = verbs.make_ladder(), verbs.make_cup()
    verbs.enter_all(ladder, [player])
    verbs.start(ladder)
    cup.organisers.add(player)
    Rating.objects.create(player=player, family="streetsoccer", is_listed=not is_closed)
    Player.objects.filter(pk=player.pk).update(is_active=not is_closed)
    holds = {
        "organised": lambda: lock_competition(competition_id=cup.pk),
        "ladder": lambda: lock_competition(competition_id=ladder.pk),
        "rating": lambda: list(Rating.objects.select_for_update()),
    }

    def switch() -> None:
        sent = {"username": player.username, **({"is_active": "on"} if is_closed else {})}
        assert client.post(f"/admin/players/player/{player.pk}/change/", sent).status_code == 302

    def lock_player() -> None:
        with transaction.atomic():
            Player.objects.select_for_update(no_key=True, nowait=True).get(pk=player.pk)

    assert do_while_others_come(holds[held], switch, lock_player) == ["ok", "ok"]
    assert Player.objects.get(pk=player.pk).is_active is is_closed
    assert Rating.objects.get().is_listed is is_closed
