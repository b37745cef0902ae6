"""Competitions paused and resumed by their organisers: clocks and dates wait, and what makes no sense is refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.errors import MatchNotPaused, MatchOver, MatchPaused
from matches.models import Match, Status
from matches.services import expire_due, play_move, resign
from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.verbs import NOON, cancel, end, last_log, running, start_cup, start_ladder
from tournaments.decisions.errors import CompetitionNotPaused, CompetitionPaused
from tournaments.decisions.services.fixture_decisions import pause_fixture, resume_fixture
from tournaments.decisions.services.pauses import pause_competition, pause_saved_matches, resume_competition
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.models import Competition, CompetitionStatus, Round
from tournaments.records.cups import cup_waits_for
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.sentences import waiting_sentence

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
WHY = "The hall is flooded."


@pytest.fixture
def cup(olga):
    """Return a knock-out of four that is running, with a week for each round."""
    cup, _entries = start_cup(4, legs=1, round_days=7, at_round_end="forfeit", organiser=olga)
    return cup


@pytest.fixture
def paused(cup, olga):
    """Return the cup, paused a day after its start."""
    pause_competition(competition_id=cup.pk, actor=olga, reason=WHY, now=NOON + DAY)
    cup.refresh_from_db()
    return cup


def date_of(cup, number):
    return Round.objects.get(group__stage__competition=cup, number=number).ends_at


def test_a_paused_competition_waits_and_says_why(cup, olga):
    assert pause_competition(competition_id=cup.pk, actor=olga, reason=WHY, now=NOON + DAY).paused_at == NOON + DAY
    assert last_log(cup) == ("olga", "paused", "", WHY)
    match = running(cup)[0].match
    assert match.paused_at == NOON + DAY
    move = match.state.legal_moves()[0]
    with pytest.raises(MatchPaused):
        play_move(match_id=match.pk, player=match.player_to_act, ply=match.ply, text=move, now=NOON + 2 * DAY)
    assert end_due_rounds(now=NOON + 30 * DAY) == 0
    cup.refresh_from_db()
    waiting = cup_waits_for(cup, NOON + 30 * DAY, limit=1)[0]
    assert waiting_sentence(waiting).endswith("when the match is resumed.")
    assert waiting.until is None
    assert not waiting.is_overdue


def test_a_match_is_paused_by_itself_and_stays_so_through_a_pause_of_all(cup, olga):
    first, second = running(cup)
    by = {"actor": olga, "reason": WHY}
    pause_fixture(fixture_id=first.pk, now=NOON + HOUR, **by)
    assert last_log(cup) == ("olga", "match-paused", str(first), WHY)
    with pytest.raises(MatchPaused):
        pause_fixture(fixture_id=first.pk, now=NOON + HOUR, **by)
    deadline = second.match.deadline
    pause_competition(competition_id=cup.pk, now=NOON + 2 * HOUR, **by)
    for service in (pause_fixture, resume_fixture):
        with pytest.raises(CompetitionPaused):
            service(fixture_id=first.pk, now=NOON + 2 * HOUR, **by)
    resume_competition(competition_id=cup.pk, now=NOON + 3 * HOUR, **by)
    first, second = running(cup)
    assert (first.match.paused_at, second.match.paused_at) == (NOON + HOUR, None)
    assert second.match.deadline == first.match.deadline + HOUR == deadline + HOUR
    assert waiting_sentence(cup_waits_for(cup, NOON + 3 * HOUR)[0]).endswith("when the match is resumed.")
    resume_fixture(fixture_id=first.pk, now=NOON + 5 * HOUR, **by)
    assert running(cup)[0].match.deadline == deadline + 4 * HOUR
    assert last_log(cup) == ("olga", "match-resumed", str(first), WHY)
    with pytest.raises(MatchNotPaused):
        resume_fixture(fixture_id=first.pk, now=NOON + 5 * HOUR, **by)


def test_no_match_is_paused_that_has_ended(cup, olga):
    fixture = running(cup)[0]
    resign(match_id=fixture.match_id, player=fixture.yellow.player, now=NOON)
    with pytest.raises(MatchOver):
        pause_fixture(fixture_id=fixture.pk, actor=olga, reason=WHY, now=NOON)


def test_clocks_and_the_dates_of_rounds_are_later_by_the_pause(paused, olga):
    before = running(paused)[0].match.deadline
    resumed = resume_competition(competition_id=paused.pk, actor=olga, reason="", now=NOON + 11 * DAY)
    match = running(paused)[0].match
    assert (resumed.paused_at, match.paused_at, match.deadline - before) == (None, None, 10 * DAY)
    assert date_of(paused, 1) == NOON + 17 * DAY
    assert last_log(paused) == ("olga", "resumed", "", "")


def test_a_round_that_began_during_the_pause_gets_only_what_it_saw_of_it(paused, olga):
    for fixture in running(paused):
        end(fixture, fixture.yellow, now=NOON + 5 * DAY)
    assert date_of(paused, 2) == NOON + 12 * DAY
    first = date_of(paused, 1)
    resume_competition(competition_id=paused.pk, actor=olga, reason="", now=NOON + 11 * DAY)
    assert (date_of(paused, 1), date_of(paused, 2)) == (first, NOON + 18 * DAY)
    assert {fixture.match.paused_at for fixture in running(paused)} == {None}


def test_rounds_without_a_date_get_none():
    robin, _entries = start_cup(3, slug="robin", format="round-robin", cycles=1, prefix="robin")
    pause_competition(competition_id=robin.pk, actor=None, reason=WHY, now=NOON + DAY)
    resume_competition(competition_id=robin.pk, actor=None, reason="", now=NOON + 2 * DAY)
    assert set(Round.objects.filter(group__stage__competition=robin).values_list("ends_at", flat=True)) == {None}


def test_a_match_whose_time_ran_out_before_the_pause_is_lost(cup, olga):
    overdue = {fixture.match_id for fixture in running(cup)}
    Match.objects.update(deadline=NOON + DAY)
    late = NOON + 2 * DAY
    pause_competition(competition_id=cup.pk, actor=olga, reason=WHY, now=late)
    assert set(Match.objects.filter(ending="timeout", settled_at=late).values_list("pk", flat=True)) == overdue
    # What follows from it has begun, and stands still.
    assert set(Match.objects.filter(status=Status.PLAYING).values_list("created_at", "paused_at")) == {(late, late)}


def test_clocks_that_vacation_saves_after_the_pause_are_stopped_too(cup, olga, settings):
    settings.VACATION_DAYS = 1
    Player.objects.update(is_computer=False, level="")
    late = max(fixture.match.deadline for fixture in running(cup)) + HOUR
    Competition.objects.filter(pk=cup.pk).update(paused_at=late)
    assert expire_due(now=late) == 0
    assert [pause_saved_matches(now=late + hours * HOUR) for hours in (1, 2)] == [2, 0]
    assert {fixture.match.paused_at for fixture in running(cup)} == {late + HOUR}
    resume_competition(competition_id=cup.pk, actor=olga, reason="", now=late + DAY)
    assert pause_saved_matches(now=late + DAY) == 0
    assert {fixture.match.paused_at for fixture in running(cup)} == {None}


def test_a_paused_ladder_starts_games_again_when_it_is_resumed(olga, monkeypatch, django_capture_on_commit_callbacks):
    queued = []
    monkeypatch.setattr(
        "tournaments.office.services.after_commit.current_app.send_task", lambda name, **_: queued.append(name)
    )
    ladder, _entries = start_ladder(2, organiser=olga, prefix="climber")
    pause_competition(competition_id=ladder.pk, actor=olga, reason=WHY, now=NOON + DAY)
    with django_capture_on_commit_callbacks(execute=True):
        resume_competition(competition_id=ladder.pk, actor=olga, reason="", now=NOON + 2 * DAY)
    assert "tournaments.tasks.pair_ladder" in queued


def test_a_competition_is_paused_and_resumed_once(paused, olga):
    with pytest.raises(CompetitionPaused):
        pause_competition(competition_id=paused.pk, actor=olga, reason=WHY, now=NOON + 2 * DAY)
    assert Competition.objects.get().paused_at == NOON + DAY
    resume_competition(competition_id=paused.pk, actor=olga, reason="", now=NOON + 3 * DAY)
    with pytest.raises(CompetitionNotPaused):
        resume_competition(competition_id=paused.pk, actor=olga, reason="", now=NOON + 4 * DAY)
    assert date_of(paused, 1) == NOON + 9 * DAY


def test_a_cup_that_is_decided_while_it_is_paused_is_over(paused):
    while going_on := running(paused):
        end(going_on[0], going_on[0].yellow, now=NOON + 2 * DAY)
    paused.refresh_from_db()
    assert (paused.status, paused.paused_at) == (CompetitionStatus.FINISHED, None)


@pytest.mark.parametrize("service", [pause_competition, resume_competition])
def test_only_a_running_competition_is_paused_or_resumed(paused, olga, service):
    cancel(paused, by=olga, now=NOON + 2 * DAY)
    paused.refresh_from_db()
    assert paused.paused_at is None
    with pytest.raises(WrongCompetitionStatus):
        service(competition_id=paused.pk, actor=olga, reason=WHY, now=NOON + 3 * DAY)


def test_the_pages_ask_once_and_say_that_it_is_paused(cup, olga, client_of):
    Match.objects.update(deadline=timezone.now() + DAY)
    Round.objects.update(ends_at=None)
    client, base = client_of(olga), "/cups/cup/organise/"
    assert f"{base}pause/" in client.get(base).content.decode()
    assert "All clocks stop" in text_of(client.get(f"{base}pause/"))
    assert client.post(f"{base}pause/", {}).status_code == 400
    assert client.post(f"{base}pause/", {"reason": WHY})["Location"] == base
    shown = client.get(base).content.decode()
    assert (f"{base}resume/" in shown, f"{base}pause/" in shown) == (True, False)
    assert client.get("/api/v1/competitions/cup/").json()["paused_at"] is not None
    assert 'class="chip paused"' in client.get("/cups/cup/").content.decode()
    refused = client.post(f"{base}pause/", {"reason": WHY})
    assert (refused.status_code, "competition_paused" in text_of(refused)) == (409, False)
    assert client.post(f"{base}resume/", {})["Location"] == base
    assert 'class="chip paused"' not in client.get("/cups/cup/").content.decode()
