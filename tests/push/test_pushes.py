"""What is told on which device, and when: asked of a push service of our own, which decrypts it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from matches.services import resign
from matches.services.conditional_answers import give_answers
from matches.services.seeks import withdraw_seek
from players.models import DeliveryState, Player
from players.presence import note_presence
from push.models import Push, PushSettings, PushSubscription
from push.quiet_hours import end_of_quiet
from push.services.delivery import LIFETIME, PRESENT_DELAY, give_up_old, send_due
from push.services.notices import KINDS, post_news
from push.services.subscriptions import change_push_settings
from rules_engine.values import Side
from streams.audiences import Channel, all_changes
from tests.matches.play import act, reread, seek_of
from tests.push.push_service import claims_of
from tests.tournaments.settled_competitions import make_ladder
from tournaments.office.services.log import log_action

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def play_until(match, player):
    """Let both move until it is a player's turn again after somebody else's."""
    while reread(match).player_to_act == player:
        match = act(reread(match), now=timezone.now())
    while reread(match).player_to_act != player:
        match = act(reread(match), now=timezone.now())
    return reread(match)


def test_the_table_of_audiences_says_what_is_told():
    told = {row for row, hearers in all_changes().items() if Channel.PUSH in hearers.concerned}
    assert told == set(KINDS)
    assert not any(Channel.PUSH in each.public | each.organisers | each.followers for each in all_changes().values())


@pytest.mark.both_databases
def test_a_match_is_told_once_until_it_is_opened(device_of, tell, anna, piotr, match, client, settings):
    phone = device_of(anna)
    assert [tell(), tell()] == [1, 0]
    assert phone.messages == [
        {
            "title": "A match has begun",
            "body": "StreetSoccer (full set-up). You move first",
            "path": f"/matches/{match.pk}/",
            "tag": f"match-{match.pk}",
            "due": 1,
        }
    ]
    claims = claims_of(phone.headers[0])
    assert (claims["aud"], claims["sub"]) == (phone.service, settings.VAPID_SUBJECT)
    assert phone.headers[0]["Topic"] == f"match-{match.pk}"
    play_until(match, anna)
    assert tell() == 0
    client.force_login(Player.objects.get(pk=anna.pk))
    client.get("/")
    assert Player.objects.get(pk=anna.pk).pushed_at is not None
    client.get(f"/matches/{match.pk}/")
    assert Player.objects.get(pk=anna.pk).pushed_at is None
    play_until(match, anna)
    assert [tell(), tell(), len(phone.messages)] == [1, 0, 2]
    assert phone.messages[1]["title"] == "Your turn"


def test_a_push_says_that_something_else_came_than_was_answered_beforehand(device_of, tell, anna, piotr, begin):
    match = begin("paper-soccer", now=timezone.now())
    player = match.players[Side(match.side).opponent]
    phone = device_of(player)
    give_answers(match_id=match.pk, player=player, ply=match.ply, lines=[["0", "0"]], now=timezone.now())
    act(match, "7", now=timezone.now())
    tell()
    assert phone.messages[-1]["title"] == "Your turn"
    assert phone.messages[-1]["body"].endswith(" left. Something else came than you had answered beforehand")


def test_a_device_whose_keys_are_damaged_holds_up_no_other(device_of, tell, anna, piotr, match):
    damaged, phone = device_of(anna), device_of(piotr)
    PushSubscription.objects.filter(player=anna).update(p256dh="")
    assert (tell(), damaged.messages, len(phone.messages)) == (1, [], 1)
    assert Push.objects.get(subscription__player=anna).last_error.startswith("ValueError")


def test_several_are_told_in_one_message_that_leads_home(device_of, tell, anna, begin):
    phone = device_of(anna)
    matches = [begin(now=timezone.now()) for _ in range(3)]
    assert tell() == 3
    (message,) = phone.messages
    assert (message["title"], message["path"], message["due"]) == ("A match has begun (3)", "/", len(matches))


def test_names_are_told_to_those_who_want_them(device_of, tell, anna, piotr, begin):
    phone, other = device_of(anna), device_of(piotr)
    change_push_settings(player=anna, wishes={"shows_names": True})
    begin(now=timezone.now())
    tell()
    assert phone.messages[0]["body"] == "StreetSoccer (full set-up) against piotr. You move first"
    assert "anna" not in str(other.messages)


def test_a_match_that_is_over_is_told_to_who_has_not_resigned(device_of, tell, anna, piotr, match):
    phone, other = device_of(anna), device_of(piotr)
    resign(match_id=match.pk, player=anna, now=timezone.now())
    tell()
    assert (phone.messages, [message["title"] for message in other.messages]) == ([], ["A match is over"])
    assert other.messages[0]["body"].endswith("You win!")


def test_a_deadline_that_comes_near_is_told_in_the_place_of_the_turn(device_of, tell, anna, match):
    phone = device_of(anna)
    tell()
    near = reread(match).deadline - timedelta(hours=4)
    tell(near - MINUTE)
    tell(near + MINUTE)
    tell(near + 2 * MINUTE)
    assert [message["title"] for message in phone.messages] == ["A match has begun", "Your time is running out"]
    assert len({message["tag"] for message in phone.messages}) == 1


def test_an_invitation_is_told_while_it_is_open(device_of, tell, anna, piotr):
    phone, own = device_of(piotr), device_of(anna)
    seek = seek_of(anna, invited=piotr)
    assert (tell(), phone.messages[0]["title"], own.messages) == (1, "You are invited to a game", [])
    later = seek_of(anna, invited=piotr, game="paper-soccer")
    post_news(now=timezone.now())
    withdraw_seek(seek_id=later.pk, player=anna)
    assert tell() == 0
    assert seek.pk != later.pk


def test_urgent_news_of_a_competition_are_told_to_those_in_it(device_of, tell, anna, piotr, carla):
    ladder, _entries = make_ladder([anna, piotr])
    phone, other = device_of(anna), device_of(carla)
    for action in ("started", "announced"):
        log_action(competition=ladder, action=action, now=timezone.now(), subject="It begins.")
    assert tell() == 1
    assert (phone.messages[0]["title"], other.messages) == ("News of a competition of yours", [])


def test_what_a_player_has_switched_off_is_not_told(device_of, tell, anna, match):
    phone = device_of(anna)
    change_push_settings(player=anna, wishes={"matches": False, "turns": False})
    assert (tell(), phone.messages) == (0, [])


def test_who_is_on_the_site_is_told_after_leaving(device_of, tell, calls, anna, match):
    phone = device_of(anna)
    now = timezone.now()
    post_news(now=now)
    note_presence(player_id=anna.pk)
    assert send_due(clock=lambda: now) == 0
    assert [tell(now + PRESENT_DELAY / 2), tell(now + PRESENT_DELAY), len(phone.messages)] == [0, 1, 1]


def test_in_quiet_hours_everything_waits_for_their_end(device_of, tell, anna, match):
    phone = device_of(anna)
    now = timezone.now()
    Player.objects.filter(pk=anna.pk).update(time_zone="Asia/Kathmandu")
    local = now.astimezone(ZoneInfo("Asia/Kathmandu"))
    change_push_settings(player=anna, wishes={"quiet_from": local.hour, "quiet_until": (local.hour + 2) % 24})
    end = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=2)
    assert [tell(now), tell(end - MINUTE), tell(end), len(phone.messages)] == [0, 0, 1, 1]


@given(
    begin=st.integers(0, 23),
    end=st.integers(0, 23),
    zone=st.sampled_from(["UTC", "Europe/Prague", "Asia/Kathmandu", "America/Lima", "Australia/Lord_Howe"]),
    hours=st.integers(0, 24 * 700),
    minutes=st.integers(0, 59),
)
def test_quiet_hours_end_at_the_first_minute_that_is_not_quiet(begin, end, zone, hours, minutes):
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hours, minutes=minutes)
    settings = PushSettings(quiet_from=begin, quiet_until=end)

    def is_quiet(at: datetime) -> bool:
        hour = at.astimezone(ZoneInfo(zone)).hour
        return begin <= hour < end if begin <= end else not end <= hour < begin

    expected = moment
    while is_quiet(expected):
        expected += MINUTE
    found = end_of_quiet(settings, zone=ZoneInfo(zone), now=moment)
    # Where clocks are set, an hour comes twice or never.
    assert abs(found - expected) <= timedelta(hours=1)
    if moment.astimezone(ZoneInfo(zone)).utcoffset() == found.astimezone(ZoneInfo(zone)).utcoffset():
        assert found == expected


@pytest.mark.both_databases
def test_a_worker_that_dies_before_the_call_loses_nothing_and_one_that_dies_after_it_doubles_nothing_that_shows(
    device_of, tell, anna, match, monkeypatch
):
    phone = device_of(anna)
    now = timezone.now()
    real = send_due.__globals__["post_all"]
    for dies in (lambda calls: 1 / 0, lambda calls: real(calls) and 1 / 0):
        monkeypatch.setitem(send_due.__globals__, "post_all", dies)
        with pytest.raises(ZeroDivisionError):
            tell(now)
        assert Push.objects.get().state == DeliveryState.PENDING
        now += timedelta(minutes=5)
    monkeypatch.setitem(send_due.__globals__, "post_all", real)
    assert [tell(now), tell(now + MINUTE)] == [1, 0]
    assert [message["tag"] for message in phone.messages] == [f"match-{match.pk}"] * 2


def test_each_device_gets_its_own_and_one_that_is_gone_is_forgotten(device_of, tell, anna, match):
    phone, gone, busy, refusing = (device_of(anna, status=status) for status in (201, 410, 503, 403))
    assert tell() == 1
    assert len(phone.messages) == 1
    states = dict(Push.objects.values_list("subscription__name", "state"))
    assert states == {phone.name: "sent", busy.name: "pending", refusing.name: "failed"}
    busy.status = 201
    assert tell(timezone.now() + 3 * MINUTE) == 1
    assert not PushSubscription.objects.filter(name=gone.name).exists()


def test_what_cannot_be_sent_for_a_day_is_given_up(device_of, tell, anna, match):
    device_of(anna, status=500)
    tell()
    give_up_old(now=timezone.now() + LIFETIME + MINUTE)
    assert Push.objects.get().state == DeliveryState.FAILED
    give_up_old(now=timezone.now() + timedelta(days=40))
    assert not Push.objects.exists()
