"""News of a competition reaches the right players, by mail and on their streams, once, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail

from matches.models import Match
from players.models import Delivery, MailKind, MailSettings, Player
from players.services.account_closures import deactivate_player
from players.services.mail_delivery import send_due
from rules_engine.values import Side
from streams.changes import read_named
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture, extend_clock
from tournaments.decisions.services.pairings import publish_round
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import announce, cancel_competition
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.decisions.services.undo.starts import take_back_start
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.account_closures import finish_closing
from tournaments.entries.services.admission import admit_player, enter_competition
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import leave_competition, withdraw_entry
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    Fixture,
    LogEntry,
    ProposedRound,
    Round,
    RoundEnd,
)
from tournaments.models.audiences import UNLISTED
from tournaments.models.rights import Role
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.services.organisers import appoint, dismiss
from tournaments.running.services import notifications
from tournaments.running.services.notifications import send_news
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR_IN_MS = 3_600_000
Heard = dict[str, str]
"""By usernames: what the subjects of the mails say after the name of the competition."""


class Club:
    """A cup of the players ann, ben, cat and dan, organised by olga, who acts, and otto; eve is a stranger."""

    def __init__(self, entered: str = "ann ben cat dan", **options: Any) -> None:
        names = ["ann", "ben", "cat", "dan", "eve", "olga", "otto"]
        self.players = {
            name: Player.objects.create(
                username=name, date_joined=NOON, email=f"{name}@example.org", email_confirmed_at=NOON
            )
            for name in names
        }
        self.olga = self.players["olga"]
        self.cup: Cup = verbs.make_cup(**{"format": "round-robin", "name": "Cup"} | options)
        self.cup.organisers.add(self.olga, self.players["otto"])
        verbs.enter_all(self.cup, [self.players[name] for name in entered.split()])

    def started(self) -> Club:
        verbs.start(self.cup)
        return self

    def entry(self, name: str) -> Entry:
        return Entry.objects.get(competition=self.cup, player__username=name)

    def fixture(self, one: str = "ann", other: str = "ben") -> Fixture:
        pair = [self.entry(one), self.entry(other)]
        return Fixture.objects.get(competition=self.cup, is_annulled=False, yellow__in=pair, red__in=pair)

    def hear(self, act: Callable[[Club], object], at: timedelta = timedelta()) -> tuple[Heard, dict[str, set[str]]]:
        """Let something be done; return the mails about it, and who hears of which actions on their streams."""
        send_news(now=NOON)
        Delivery.objects.all().delete()
        known = set(LogEntry.objects.values_list("pk", flat=True))
        act(self)
        for _again in range(2):
            recompute_stale(now=NOON + at)
            send_news(now=NOON + at)
        mails = read_mails(NOON + at)
        names = {player.pk: name for name, player in self.players.items()}
        lines = LogEntry.objects.exclude(pk__in=known)
        streams: dict[str, set[str]] = {}
        for change in read_named(competition=list(lines.values_list("pk", flat=True))):
            streams.setdefault(change.facts["action"], set()).update(names[key] for key in change.sides)
        return {name: subject for name, (subject, _text) in mails.items()}, streams


def read_mails(now: Any = NOON) -> dict[str, tuple[str, str]]:
    """Return what the subjects say after the name, and the texts, of the mails that are sent now, by usernames."""
    mail.outbox.clear()
    send_due(clock=lambda: now)
    read = {
        message.to[0].partition(" ")[0]: (str(message.subject).removeprefix("Cup: "), str(message.body))
        for message in mail.outbox
    }
    assert len(read) == len(mail.outbox), "nobody gets two mails of a run"
    return read


def of(names: str, headline: str) -> Heard:
    return dict.fromkeys(names.split(), headline)


ALL = "ann ben cat dan"


def by(club: Club) -> dict[str, Any]:
    return {"actor": club.olga, "reason": "Because.", "now": NOON}


def enter(club: Club) -> None:
    admit_player(competition_id=club.cup.pk, player=club.players["eve"], **by(club))


def enter_list(club: Club) -> None:
    Player.objects.filter(username="eve").update(may_be_entered=True)
    import_entry_list(competition_id=club.cup.pk, text="eve\n", **by(club))


def join(club: Club) -> None:
    enter_competition(competition_id=club.cup.pk, player=club.players["eve"], now=NOON)


def leave(club: Club) -> None:
    leave_competition(entry_id=club.entry("ann").pk, now=NOON)


def withdraw(club: Club) -> None:
    withdraw_entry(entry_id=club.entry("ann").pk, **by(club))


def replace(club: Club) -> None:
    replace_entry(entry_id=club.entry("ann").pk, player=club.players["eve"], **by(club))


def close_account(club: Club) -> None:
    deactivate_player(player_id=club.players["ann"].pk, now=NOON)
    finish_closing(player_id=club.players["ann"].pk, now=NOON)


def adjudicate(club: Club) -> None:
    adjudicate_fixture(fixture_id=club.fixture().pk, winner=Side.RED, **by(club))
    verbs.settle_all()


def replay(club: Club) -> None:
    replay_fixture(fixture_id=club.fixture().pk, confirm=True, **by(club))


def extend(club: Club) -> None:
    fixture = club.fixture()
    # The clock of a match that has not begun is full.
    Match.objects.filter(pk=fixture.match_id).update(bank_yellow=HOUR_IN_MS, bank_red=HOUR_IN_MS)
    side = Side.YELLOW if fixture.yellow.player.username == "ann" else Side.RED
    extend_clock(fixture_id=fixture.pk, side=side, by=timedelta(hours=2), **by(club))


BEFORE = [
    (enter, of("eve", "you have been entered") | of("otto", "a player has been entered"), {"entered": "eve olga otto"}),
    (
        enter_list,
        of("eve", "you have been entered") | of("otto", "players have been entered"),
        {"imported": "eve olga otto"},
    ),
    (join, of("olga otto", "a player has joined"), {"joined": "olga otto"}),
    (leave, of("olga otto", "a player has left"), {"departed": "olga otto"}),
    (
        withdraw,
        of("ann", "you have been withdrawn") | of("otto", "a player has been withdrawn"),
        {"withdrew": "ann olga otto"},
    ),
    (
        replace,
        of("ann", "you have been replaced")
        | of("eve", "you have been given a place")
        | of("otto", "a place has been taken over"),
        {"replaced": "ann eve olga otto"},
    ),
    (
        lambda club: announce(competition_id=club.cup.pk, actor=club.olga, text="Hello", now=NOON),
        of(ALL, "an announcement"),
        {"announced": f"{ALL} olga otto"},
    ),
    (
        lambda club: cancel_competition(competition_id=club.cup.pk, **by(club)),
        of(ALL, "cancelled"),
        {"cancelled": f"{ALL} olga otto"},
    ),
]

DURING = [
    (leave, of("olga otto", "a player has been withdrawn"), {"withdrew": "ann olga otto"}),
    (close_account, of("olga otto", "a player has been withdrawn"), {"withdrew": "ann olga otto"}),
    (
        lambda club: pause_competition(competition_id=club.cup.pk, **by(club)),
        of(ALL, "paused"),
        {"paused": f"{ALL} olga otto"},
    ),
    (adjudicate, of("ann ben", "your match has been decided"), {"adjudicated": "ann ben olga otto"}),
    (
        lambda club: annul_fixture(fixture_id=club.fixture().pk, **by(club)),
        of("ann ben", "your match no longer counts"),
        {"annulled": "ann ben olga otto"},
    ),
    (replay, of("ann ben", "your match will be replayed, and more"), {"replayed": "ann ben olga otto"}),
    (extend, of("ann", "more time for you"), {"extended": "ann olga otto"}),
    (
        lambda club: take_back_start(competition_id=club.cup.pk, confirm=True, **by(club)),
        of(ALL, "something was undone"),
        {"start-undone": f"{ALL} olga otto"},
    ),
]


@pytest.mark.parametrize(("act", "mails", "streams"), BEFORE)
def test_before_the_start_those_hear_whom_it_concerns(
    act: Callable[[Club], object], mails: Heard, streams: dict[str, str]
) -> None:
    heard = Club().hear(act)
    assert heard == (mails, {action: set(names.split()) for action, names in streams.items()})


@pytest.mark.parametrize(("act", "mails", "streams"), DURING)
def test_after_the_start_those_hear_whom_it_concerns(
    act: Callable[[Club], object], mails: Heard, streams: dict[str, str]
) -> None:
    heard = Club().started().hear(act)
    assert heard == (mails, {action: set(names.split()) for action, names in streams.items()})


def test_players_hear_that_their_competition_goes_on() -> None:
    club = Club().started()
    pause_competition(competition_id=club.cup.pk, **by(club))
    mails, streams = club.hear(lambda club: resume_competition(competition_id=club.cup.pk, **by(club)))
    assert (mails, set(streams)) == (of(ALL, "resumed"), {"resumed"})


@pytest.mark.parametrize("what", ["withdrawal", "decision"])
def test_an_act_that_is_taken_back_is_heard_of_by_the_players_it_names(what: str) -> None:
    club = Club().started()
    if what == "withdrawal":
        withdraw(club)
        verbs.settle_all()
        back: Callable[..., object] = partial(take_back_withdrawal, entry_id=club.entry("ann").pk)
    else:
        adjudicate(club)
        back = partial(take_back_decision, fixture_id=club.fixture().pk)
    mails, streams = club.hear(lambda club: back(confirm=True, **by(club)))
    named = {"ann"} if what == "withdrawal" else {"ann", "ben"}
    told = {name for name, subject in mails.items() if "something was undone" in subject}
    assert (told, streams) == (named, {f"{what}-undone": {*named, "olga", "otto"}})


def test_organisers_hear_that_a_cup_could_start_and_that_it_is_full() -> None:
    club = Club("ann", max_entrants=3)
    mails, _streams = club.hear(lambda club: verbs.enter_all(club.cup, [club.players["ben"]]))
    assert mails == of("olga otto", "enough players to start, and more")
    mails, streams = club.hear(lambda club: verbs.enter_all(club.cup, [club.players["cat"]]))
    assert mails == of("olga otto", "it is full, and more")
    assert streams == {"joined": {"olga", "otto"}, "full": {"olga", "otto"}}
    assert club.hear(lambda club: None) == ({}, {})


def rounds_of(club: Club, **changes: Any) -> Round:
    rounds = Round.objects.filter(group__stage__competition=club.cup, number=1)
    rounds.update(**changes)
    return rounds.get()


def test_a_round_that_ends_soon_is_heard_of_once_by_those_with_open_matches_and_again_if_it_is_moved() -> None:
    club = Club(round_days=7, legs=1).started()
    first = verbs.running(club.cup)[0]
    send_news(now=NOON)
    over = {first.yellow.player.username, first.red.player.username}
    waiting = " ".join(set(ALL.split()) - over)
    verbs.end(first, Side.YELLOW)
    assert club.hear(lambda club: None, 5 * DAY) == ({}, {})
    mails, streams = club.hear(lambda club: None, 6 * DAY)
    assert mails == of(f"{waiting} olga otto", "a round ends soon")
    assert streams == {"round-ending": {*waiting.split(), "olga", "otto"}}
    assert club.hear(lambda club: None, 6 * DAY + DAY / 2) == ({}, {})
    moved = club.hear(lambda club: rounds_of(club, ends_at=NOON + 9 * DAY), 8 * DAY)
    assert moved[0] == mails


def test_helpers_hear_of_what_they_may_decide_and_of_nothing_else() -> None:
    club = Club(round_days=7, legs=1, at_round_end=RoundEnd.WAIT).started()
    club.cup.helpers.add(club.players["eve"])
    assert "eve" in club.hear(adjudicate)[1]["adjudicated"]
    assert "eve" in club.hear(partial(take_back, club))[1]["decision-undone"]
    mails, streams = club.hear(lambda club: announce(competition_id=club.cup.pk, actor=club.olga, text="!", now=NOON))
    assert ("eve" in mails, streams) == (False, {"announced": {*ALL.split(), "olga", "otto"}})
    club.hear(lambda club: None, 6 * DAY)
    mails, streams = club.hear(lambda club: None, 7 * DAY)
    assert mails == of("eve olga otto", "matches need a decision")
    assert streams == {"round-overdue": {"eve", "olga", "otto"}}


def take_back(club: Club, _again: Club) -> None:
    take_back_decision(fixture_id=club.fixture().pk, confirm=True, **by(club))


@pytest.mark.parametrize("status", [CompetitionStatus.DRAFT, CompetitionStatus.OPEN])
@pytest.mark.parametrize(
    ("role", "named", "gone"),
    [
        (Role.HELPER, "you are a helper now", "you are no longer a helper"),
        (Role.ORGANISER, "you are now an organiser", "you no longer organise it"),
    ],
)
def test_a_helper_or_organiser_who_is_named_or_let_go_hears_of_it(
    status: str, role: Role, named: str, gone: str
) -> None:
    club = Club("ann")
    Competition.objects.filter(pk=club.cup.pk).update(status=status)
    about: dict[str, Any] = {"competition_id": club.cup.pk, "player": club.players["eve"], "actor": club.olga}
    mails, streams = club.hear(lambda _club: appoint(**about, role=role, now=NOON))
    assert (mails, streams) == (of("eve", named), {f"{role}-named": {"eve", "olga", "otto"}})
    mails, streams = club.hear(lambda _club: dismiss(**about, now=NOON))
    assert (mails, streams) == (of("eve", gone), {f"{role}-gone": {"eve", "olga", "otto"}})


def test_the_mail_of_a_round_that_ends_soon_says_when() -> None:
    Club(round_days=7, legs=1).started()
    send_news(now=NOON)
    read_mails()
    send_news(now=NOON + 6 * DAY)
    text = read_mails(NOON + 6 * DAY)["ann"][1]
    assert (
        "Round 1 of Cup ends soon, and you still have unfinished matches in it. It ends on 8 Nov 2026, 12:00 UTC.\n"
        in text
    )
    assert "+00:00" not in text


def test_organisers_hear_of_a_round_that_waits_beyond_its_date() -> None:
    club = Club(round_days=7, legs=1, at_round_end=RoundEnd.WAIT).started()
    club.hear(lambda club: None, 6 * DAY)
    mails, streams = club.hear(lambda club: None, 7 * DAY)
    assert mails == of("olga otto", "matches need a decision")
    assert streams == {"round-overdue": {"olga", "otto"}}
    assert "/cups/cup/organise/\n" in mail.outbox[0].body
    assert club.hear(lambda club: None, 8 * DAY) == ({}, {})


def test_organisers_come_from_the_mail_about_a_round_that_waits_to_their_desk_and_players_to_the_cup() -> None:
    club = Club(format="swiss", tiebreaks=[], organisers_publish=True)
    assert club.hear(Club.started)[0] == of("olga otto", "a round is waiting for you")
    assert "/cups/cup/organise/\n" in mail.outbox[0].body
    proposed = ProposedRound.objects.select_related("group__stage__competition").get()
    mails, _streams = club.hear(lambda club: publish_round(proposed=proposed, actor=club.olga, now=NOON))
    assert mails.keys() == set(ALL.split())
    assert "/organise/" not in mail.outbox[0].body


def test_a_round_that_is_ended_early_is_heard_of_by_those_whose_matches_went_on() -> None:
    club = Club(round_days=7, legs=1).started()
    first = verbs.running(club.cup)[0]
    over = {first.yellow.player.username, first.red.player.username}
    verbs.end(first, Side.YELLOW)
    round_ = rounds_of(club)
    mails, streams = club.hear(lambda club: end_round(round=round_, policy=RoundEnd.FORFEIT, **by(club)))
    assert mails == of(" ".join(set(ALL.split()) - over), "a round was ended early")
    assert streams["round-cut-short"] == {*ALL.split(), "olga", "otto"}


def knocked_out(club: Club) -> tuple[Fixture, Fixture]:
    semis = verbs.running(club.cup)
    for each in semis:
        verbs.end(each, Side.YELLOW)
    return semis[0], semis[1]


def test_in_a_knock_out_players_hear_that_they_are_through_third_and_what_place_they_have() -> None:
    club = Club(format="knock-out", legs=1, third_place=True).started()
    mails, streams = club.hear(knocked_out)
    through = {verbs.tie_of(club.cup, 1, slot).winner.player.username for slot in (0, 1)}
    assert {name for name, subject in mails.items() if subject == "you are through, and more"} == through
    assert {name for name, subject in mails.items() if "has begun" in subject} == set(ALL.split()) - through
    assert streams["through"] == {*through, "olga", "otto"}

    def play_on(club: Club) -> None:
        verbs.end_all(club.cup)

    mails, streams = club.hear(play_on)
    assert set(mails) == set(ALL.split())
    third = verbs.tie_of(club.cup, 2, 0, third_place=True)
    assert streams["out"] == {third.first.player.username, third.second.player.username, "olga", "otto"}
    texts = {message.to[0].partition(" ")[0]: str(message.body) for message in mail.outbox}
    places = {
        name: [line for line in text.splitlines() if "lace: " in line or "third" in line]
        for name, text in texts.items()
    }
    winner, loser = verbs.tie_of(club.cup, 2, 0).winner.player.username, verbs.tie_of(club.cup, 2, 0)
    second = loser.second if loser.winner == loser.first else loser.first
    assert places == {
        winner: [f"Cup is over. {winner} has won. Your place: 1."],
        second.player.username: [f"Cup is over. {winner} has won. Your place: 2."],
        third.winner.player.username: ["You came third in Cup."],
        (third.second if third.winner == third.first else third.first).player.username: [
            "You are out of Cup. Your place: 4."
        ],
    }


def test_a_player_who_loses_their_last_tie_is_out_with_their_place_at_once() -> None:
    club = Club(format="knock-out", legs=1).started()
    mails, streams = club.hear(knocked_out)
    winners = {verbs.tie_of(club.cup, 1, slot).winner.player.username for slot in (0, 1)}
    assert {name for name, subject in mails.items() if subject == "you came third"} == set(ALL.split()) - winners
    assert streams["out"] == {*(set(ALL.split()) - winners), "olga", "otto"}
    assert club.hear(lambda club: None) == ({}, {})


def play_groups(club: Club) -> None:
    while games := [each for each in verbs.running(club.cup) if each.group.stage.number == 1]:
        verbs.end(games[0], Side.YELLOW)


def test_players_hear_whether_they_are_through_to_the_next_stage() -> None:
    club = Club(advance={"first": 2}, later=[{"format": "knock-out", "legs": 1}], legs=1).started()

    mails, streams = club.hear(play_groups)
    through = set(Entry.objects.filter(seats__stage__number=2).values_list("player__username", flat=True))
    assert streams["through"] == {*through, "olga", "otto"}
    assert streams["out"] == {*(set(ALL.split()) - through), "olga", "otto"}
    assert {name: subject.split(",")[0] for name, subject in mails.items()} == {
        name: "you are through" if name in through else "you are out" if "out" in mails[name] else "you came third"
        for name in ALL.split()
    }


def test_the_news_of_the_end_tells_everybody_their_place_in_the_table() -> None:
    club = Club("ann ben").started()

    def play_all(club: Club) -> None:
        for each in verbs.running(club.cup):
            verbs.end(each, Side.YELLOW if each.yellow.player.username == "ann" else Side.RED)

    mails, _streams = club.hear(play_all)
    assert mails == of("ann ben", "it is over")
    texts = {message.to[0].partition(" ")[0]: str(message.body) for message in mail.outbox}
    assert "Cup is over. ann has won. Your place: 1.\n" in texts["ann"]
    assert "Cup is over. ann has won. Your place: 2.\n" in texts["ben"]


def test_a_draft_is_mailed_about_to_nobody() -> None:
    club = Club("")
    Competition.objects.filter(pk=club.cup.pk).update(status=CompetitionStatus.DRAFT)
    assert club.hear(enter)[0] == {}


def test_news_of_all_competitions_come_in_one_mail_and_each_has_its_switch() -> None:
    club = Club("ann ben")
    ladder = verbs.make_ladder(name="Ladder")
    ladder.organisers.add(club.olga, club.players["ann"])
    verbs.enter_all(ladder, [club.players["ann"], club.players["ben"]])
    for competition in (club.cup, ladder):
        announce(competition_id=competition.pk, actor=club.olga, text="Hello", now=NOON)
    MailSettings.objects.create(player=club.players["otto"], organising=False)
    MailSettings.objects.create(player=club.players["ben"], competitions=False)
    send_news(now=NOON)
    kinds = Delivery.objects.order_by("player__username", "kind").values_list("player__username", "kind")
    assert list(kinds) == [("ann", MailKind.COMPETITION), ("ann", MailKind.ORGANISING), ("olga", MailKind.ORGANISING)]
    mail.outbox.clear()
    send_due(clock=lambda: NOON)
    text = next(str(each.body) for each in mail.outbox if "olga has posted" in str(each.body))
    assert text.index("olga has posted an announcement in Cup:") < text.index(
        "olga has posted an announcement in Ladder:"
    )


def test_without_a_confirmed_email_nobody_gets_mail() -> None:
    club = Club()
    Player.objects.filter(username__in=["ann", "otto"]).update(email_confirmed_at=None)
    assert club.hear(withdraw)[0] == {}


def test_a_mail_whose_email_is_no_longer_confirmed_is_dropped() -> None:
    club = Club()
    send_news(now=NOON)
    withdraw(club)
    send_news(now=NOON)
    Player.objects.update(email_confirmed_at=None)
    assert read_mails() == {}


def test_a_former_organiser_is_not_mailed_news_that_waits() -> None:
    club = Club()
    club.cup.organisers.remove(club.players["otto"])
    send_news(now=NOON)
    club.cup.organisers.add(club.players["otto"])
    withdraw(club)
    send_news(now=NOON)
    club.cup.organisers.remove(club.players["otto"])
    assert "otto" not in read_mails()


def test_a_worker_that_dies_before_the_end_leaves_all_to_the_next() -> None:
    club = Club(format="knock-out", legs=1).started()
    send_news(now=NOON)
    Delivery.objects.all().delete()
    knocked_out(club)
    dies = pytest.raises(KeyboardInterrupt)
    with patch.object(notifications, "post", side_effect=KeyboardInterrupt), dies:
        send_news(now=NOON)
    assert not Delivery.objects.exists()
    lines = LogEntry.objects.filter(action__in=["through", "out"]).count()
    assert send_news(now=NOON) == 4
    assert LogEntry.objects.filter(action__in=["through", "out"]).count() == lines
    assert sorted(read_mails()) == ALL.split()


def test_a_line_that_is_only_news_for_its_audience_is_not_listed_in_the_log() -> None:
    club = Club("ann ben")
    assert {line.action for line in LogEntry.objects.all()} & UNLISTED == {"joined", "startable"}
    assert [line.action for line in listed_lines(club.cup)] == ["opened"]


def test_the_third_of_one_of_several_groups_has_not_come_third() -> None:
    club = Club(
        "ann ben cat dan eve otto",
        grouping={"size": 3},
        advance={"first": 2},
        later=[{"format": "knock-out", "legs": 1}],
        legs=1,
    ).started()

    club.hear(play_groups)
    assert [line.subject for line in LogEntry.objects.filter(competition=club.cup, action="out")] == ["", ""]


def test_of_a_hidden_competition_only_organisers_hear() -> None:
    club = Club().started()
    Competition.objects.filter(pk=club.cup.pk).update(hidden_at=NOON)
    mails, streams = club.hear(adjudicate)
    assert (mails, streams) == ({}, {"adjudicated": {"olga", "otto"}})
    mails, streams = club.hear(leave)
    assert (mails, streams) == (of("olga otto", "a player has been withdrawn"), {"withdrew": {"olga", "otto"}})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "knock-out", "legs": 1}, r"Cup has been drawn\. In round 1 you meet \w+\.\n"),
        (
            {"format": "knock-out", "legs": 1, "starts_at": NOON + DAY},
            r"In round 1 you meet \w+\. It starts on 2 Nov 2026",
        ),
        ({"round_days": 7}, r"In round 1 you play (Yellow|Red) against \w+\.\n"),
    ],
)
def test_a_draw_before_the_start_says_everybody_whom_they_meet(options: dict[str, Any], said: str) -> None:
    club = Club(**options)
    mails, streams = club.hear(lambda club: verbs.draw(club.cup, club.olga))
    assert mails == of(ALL, "it has been drawn")
    assert streams["drawn"] == {*ALL.split(), "olga", "otto"}
    assert all(re.search(said, str(message.body)) for message in mail.outbox), mail.outbox[0].body
    met = {message.to[0].partition(" ")[0]: str(message.body) for message in mail.outbox}
    names = {name: re.search(r"(?:meet|against) (\w+)", text)[1] for name, text in met.items()}
    assert {name: names[other] for name, other in names.items()} == {name: name for name in names}


def test_a_player_with_a_bye_in_round_1_is_told_so() -> None:
    club = Club("ann ben cat", format="round-robin", round_days=7)
    club.hear(lambda club: verbs.draw(club.cup, club.olga))
    assert len([each for each in mail.outbox if "You have a bye in round 1." in str(each.body)]) == 1


def test_a_draw_that_is_undone_or_followed_by_the_start_is_no_news_of_its_own() -> None:
    club = Club(format="knock-out", legs=1)

    def draw_and_undo(club: Club) -> None:
        verbs.draw(club.cup, club.olga)
        verbs.open_entry(club.cup, club.olga)

    assert club.hear(draw_and_undo)[0] == {}
    mails, _streams = club.hear(lambda club: verbs.start(club.cup))
    assert {subject.partition(" has")[0].split(" against")[0] for subject in mails.values()} == {"your match"}


def test_an_organiser_who_plays_in_a_hidden_competition_hears_as_organiser() -> None:
    club = Club("ann ben cat otto").started()
    Competition.objects.filter(pk=club.cup.pk).update(hidden_at=NOON)
    assert club.hear(leave)[0] == of("olga otto", "a player has been withdrawn")
