"""Rounds that wait for an organiser: seen by organisers alone, changed by hand, published, and taken back."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from matches.models import Match
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.conftest import in_world
from tests.tournaments.rounds.test_swiss_cups import group_of, rounds_of
from tests.tournaments.verbs import NOON
from tournaments.decisions.errors import CannotSwap, PairingsChanged, ReasonMissing
from tournaments.decisions.services.pairings import draw_round_again, publish_round, swap_players
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.decisions.services.undo.publications import (
    take_back_publication,
    what_follows_from_taking_back_publication,
)
from tournaments.decisions.services.undo.starts import take_back_start
from tournaments.entries.errors import RoundDrawn
from tournaments.entries.services.byes import request_bye
from tournaments.models import Bye, CompetitionStatus, Cup, Entry, Fixture, LogEntry, ProposedRound, Round, Standing
from tournaments.office.errors import NotAnOrganiser
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.records.errors import RoundNotFound
from tournaments.rounds.errors import MatchesWouldBeLost, WrongCompetitionStatus
from tournaments.rounds.selectors import read_proposal
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.verification import waiting_in_competition
from tournaments.tables.services.standings import recompute_stale

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stored")]
HOUR = timedelta(hours=1)


def make_swiss(size: int = 5, **options) -> Cup:
    cup, _entries = verbs.open_cup(size, format="swiss", tiebreaks=[], organisers_publish=True, **options)
    return cup


def start_swiss(size: int = 5, **options) -> Cup:
    cup = make_swiss(size, **options)
    verbs.start(cup)
    return Cup.objects.get(pk=cup.pk)


def waiting_round(cup: Cup) -> ProposedRound:
    proposed = ProposedRound.objects.select_related("group__stage").get(group__stage__competition=cup.pk)
    proposed.group.stage.competition = Cup.objects.get(pk=cup.pk)
    return proposed


def publish(cup: Cup, now=NOON, **options) -> Round:
    return publish_round(proposed=waiting_round(cup), actor=verbs.boss(), now=now, **options)


def play_to_round_2(cup: Cup) -> None:
    """Publish round 1, let Yellow win everywhere, and draw round 2."""
    publish(cup)
    verbs.end_all(cup, now=NOON + HOUR)
    pair_due_rounds(now=NOON + HOUR)


def start_round_2(size: int, **options) -> Cup:
    cup = start_swiss(size, **options)
    play_to_round_2(cup)
    return cup


@pytest.fixture
def cup(world) -> Cup:
    """Return the cup that several tests begin with."""
    return world


with_four = in_world(start_swiss, 4)
with_five = in_world(start_swiss, 5)
with_four_in_round_2 = in_world(start_round_2, 4)
with_latecomers_in_round_2 = in_world(start_round_2, 4, rounds=3, late_entry=True)


def swap(cup: Cup, first: Entry, second: Entry, now=NOON) -> ProposedRound:
    return swap_players(
        proposed=waiting_round(cup), first=first.player, second=second.player, actor=verbs.boss(), now=now, reason=""
    )


def log_of(cup: Cup) -> list[tuple[str, str, str | None]]:
    lines = LogEntry.objects.filter(competition=cup).order_by("pk")
    return [(line.action, line.subject, line.actor.username if line.actor else None) for line in lines]


def is_right(cup: Cup, now=NOON) -> bool:
    recompute_stale(now=now)
    return verbs.faults_of(cup, now) == []


@with_five
def test_no_match_begins_before_the_first_round_is_published(cup):
    assert (cup.status, Round.objects.count(), Fixture.objects.count()) == (CompetitionStatus.RUNNING, 0, 0)
    assert [each.kind for each in cup_waits_for(cup, NOON)] == [Wait.PUBLICATION]
    assert ("round-proposed", "1", None) in log_of(cup)
    assert waiting_in_competition(competition=cup, now=NOON) == ["The table of Cup waits to be made."]
    assert is_right(cup)
    publish(cup, NOON + HOUR)
    (round_,) = Round.objects.all()
    assert (round_.started_at, round_.is_edited, Match.objects.count(), Bye.objects.count()) == (
        NOON + HOUR,
        False,
        2,
        1,
    )
    assert not ProposedRound.objects.exists()
    assert is_right(cup)


def test_without_the_option_no_round_waits():
    cup, _entries = verbs.start_cup(4, format="swiss", tiebreaks=[])
    assert (rounds_of(cup), ProposedRound.objects.exists()) == ([1], False)


def test_the_days_of_a_round_count_from_its_publication():
    cup = start_swiss(4, round_days=3)
    publish(cup, NOON + 5 * HOUR)
    assert Round.objects.get().ends_at == NOON + 5 * HOUR + timedelta(days=3)


@with_four_in_round_2
def test_each_later_round_waits_too_and_the_cup_ends_with_the_last(cup):
    assert (rounds_of(cup), waiting_round(cup).number, group_of(cup).pairing_due_since) == ([1], 2, None)
    assert is_right(cup)
    publish(cup, NOON + 2 * HOUR)
    verbs.end_all(cup, now=NOON + 3 * HOUR)
    pair_due_rounds(now=NOON + 3 * HOUR)
    assert Cup.objects.get(pk=cup.pk).status == CompetitionStatus.FINISHED
    assert is_right(cup)


@with_five
def test_a_swap_is_published_as_it_was_made_and_the_log_says_from_what_to_what(cup):
    before = read_proposal(waiting_round(cup))
    (one, other), (bye,) = before.pairs[0].sides, before.byes
    swap(cup, other, bye.entry)
    changed = swap(cup, one, bye.entry)
    assert changed.is_edited
    assert ("pairings-changed", "1", "boss") in log_of(cup)
    with pytest.raises(ReasonMissing):
        publish(cup)
    round_ = publish(cup, reason="Brothers.")
    fixture = Fixture.objects.order_by("pk")[0]
    assert (fixture.yellow, fixture.red, Bye.objects.get().seat.entry) == (bye.entry, one, other)
    assert round_.is_edited
    line = LogEntry.objects.get(action="round-published")
    assert (line.actor, line.subject, line.reason) == (verbs.boss(), "1", "Brothers.")
    assert line.changes == [
        {"what": "pairing", "old": f"{one} – {other}", "new": f"{bye.entry} – {one}"},
        {"what": "pairing", "old": f"{bye.entry} has a bye", "new": f"{other} has a bye"},
    ]
    assert not any(str(one) in subject for action, subject, _actor in log_of(cup) if action == "pairings-changed")
    assert is_right(cup)


@with_four
def test_swapping_back_leaves_the_round_as_it_was_drawn(cup):
    one, other = read_proposal(waiting_round(cup)).pairs[0].sides
    swap(cup, one, other)
    assert not swap(cup, one, other).is_edited
    assert not publish(cup).is_edited


@with_four
def test_only_what_was_read_is_published(cup):
    seen = waiting_round(cup).version
    swap(cup, *read_proposal(waiting_round(cup)).pairs[0].sides)
    with pytest.raises(PairingsChanged):
        publish(cup, version=seen, reason="Fair.")
    publish(cup, version=waiting_round(cup).version, reason="Fair.")
    with pytest.raises(ProposedRound.DoesNotExist):
        waiting_round(cup)


@with_four
def test_an_old_version_of_a_round_that_was_taken_back_is_not_published_in_place_of_the_new_one(cup):
    seen = waiting_round(cup).version
    round_ = publish(cup)
    take_back_publication(round=round_, confirm=False, actor=verbs.boss(), reason="No.", now=NOON)
    assert waiting_round(cup).version == seen
    swap(cup, *read_proposal(waiting_round(cup)).pairs[0].sides)
    changed = waiting_round(cup).version
    round_ = publish(cup, version=changed, reason="Fair.")
    take_back_publication(round=round_, confirm=False, actor=verbs.boss(), reason="No.", now=NOON)
    for old in (seen, "", "1"):
        with pytest.raises(PairingsChanged):
            publish(cup, version=old, reason="Fair.")
    publish(cup, version=changed, reason="Fair.")


@with_four
def test_a_round_is_published_once(cup):
    proposed = waiting_round(cup)
    publish(cup)
    for act in (publish_round, draw_round_again):
        with pytest.raises(RoundNotFound):
            act(proposed=proposed, actor=verbs.boss(), now=NOON)
    assert rounds_of(cup) == [1]


@with_four
def test_a_stranger_changes_and_publishes_nothing(cup):
    (stranger,) = verbs.make_players(1, "stranger")
    one, other = read_proposal(waiting_round(cup)).pairs[0].sides
    proposed = waiting_round(cup)
    with pytest.raises(NotAnOrganiser):
        swap_players(proposed=proposed, first=one.player, second=other.player, actor=stranger, now=NOON)
    for act in (publish_round, draw_round_again):
        with pytest.raises(NotAnOrganiser):
            act(proposed=proposed, actor=stranger, now=NOON)


def test_a_player_who_asked_for_a_bye_or_is_not_in_the_round_cannot_be_swapped():
    cup = make_swiss(4, byes_on_request=True, late_entry=True)
    asking = Entry.objects.filter(competition=cup).order_by("pk")[0]
    request_bye(entry_id=asking.pk, round_number=1, actor=asking.player, now=NOON)
    verbs.start(cup)
    (late,) = verbs.make_players(1, "late")
    latecomer = verbs.admit(cup, late, now=NOON + HOUR)
    one = read_proposal(waiting_round(cup)).pairs[0].sides.yellow
    with pytest.raises(CannotSwap, match="asked"):
        swap(cup, one, asking)
    with pytest.raises(CannotSwap, match="not in this round"):
        swap(cup, one, latecomer)
    with pytest.raises(CannotSwap, match="two players"):
        swap(cup, one, one)


@with_latecomers_in_round_2
def test_a_player_who_comes_while_a_round_waits_plays_from_the_round_after_unless_it_is_drawn_again(cup):
    (late,) = verbs.make_players(1, "late")
    latecomer = verbs.admit(cup, late, now=NOON + 2 * HOUR)
    assert read_proposal(waiting_round(cup)).missing == (latecomer,)
    again = draw_round_again(proposed=waiting_round(cup), actor=verbs.boss(), now=NOON + 3 * HOUR)
    assert again.version == waiting_round(cup).version
    assert read_proposal(waiting_round(cup)).missing == ()
    publish(cup, NOON + 4 * HOUR)
    assert Bye.objects.count() == 1
    assert is_right(cup, NOON + 4 * HOUR)


@with_latecomers_in_round_2
def test_a_latecomer_who_is_not_drawn_has_missed_the_round_that_waited(cup):
    (late,) = verbs.make_players(1, "late")
    latecomer = verbs.admit(cup, late, now=NOON + 2 * HOUR)
    publish(cup, NOON + 3 * HOUR)
    verbs.end_all(cup, now=NOON + 4 * HOUR)
    pair_due_rounds(now=NOON + 4 * HOUR)
    assert latecomer in {
        *(entry for pair in read_proposal(waiting_round(cup)).pairs for entry in pair.sides),
        *(bye.entry for bye in read_proposal(waiting_round(cup)).byes),
    }
    assert is_right(cup, NOON + 4 * HOUR)
    assert Standing.objects.get(seat__entry=latecomer).points == 0


def test_a_round_that_waits_counts_as_drawn_for_byes_on_request():
    cup = start_swiss(4, rounds=3, byes_on_request=True)
    play_to_round_2(cup)
    entry = Entry.objects.filter(competition=cup).order_by("pk")[0]
    with pytest.raises(RoundDrawn):
        request_bye(entry_id=entry.pk, round_number=2, actor=entry.player, now=NOON + HOUR)


@with_five
def test_a_player_who_leaves_while_a_round_waits_forfeits_their_match_or_loses_their_bye(cup):
    play_to_round_2(cup)
    proposal = read_proposal(waiting_round(cup))
    gone, bye = proposal.pairs[0].sides.yellow, proposal.byes[0].entry
    verbs.withdraw(gone, now=NOON + 2 * HOUR)
    verbs.withdraw(bye, now=NOON + 2 * HOUR)
    assert [warning.value for warning, _entry in read_proposal(waiting_round(cup)).pairs[0].warnings] == ["gone"]
    publish(cup, NOON + 3 * HOUR)
    forfeited = Fixture.objects.get(round__number=2, yellow=gone)
    assert (forfeited.ending, forfeited.match) == ("forfeit", None)
    assert not Bye.objects.filter(round__number=2).exists()
    assert is_right(cup, NOON + 3 * HOUR)


@with_four_in_round_2
def test_a_cup_that_too_few_are_left_to_play_on_ends_although_a_round_waits(cup):
    for entry in Entry.objects.filter(competition=cup).order_by("pk")[:3]:
        verbs.withdraw(entry, now=NOON + 2 * HOUR)
    assert Cup.objects.get(pk=cup.pk).status == CompetitionStatus.FINISHED
    assert not ProposedRound.objects.exists()
    assert is_right(cup)


@with_four
def test_a_player_who_takes_over_a_place_stands_in_the_round_that_waits(cup):
    old = read_proposal(waiting_round(cup)).pairs[0].sides.yellow
    (player,) = verbs.make_players(1, "new")
    new = verbs.replace(old, player, verbs.boss())
    assert read_proposal(waiting_round(cup)).pairs[0].sides.yellow == new
    publish(cup)
    assert Fixture.objects.order_by("pk")[0].yellow == new


@with_four
def test_a_result_that_is_taken_back_lets_the_round_before_go_on(cup):
    publish(cup)
    first, second = verbs.running(cup)
    verbs.end(first, first.yellow, NOON + HOUR)
    verbs.adjudicate(second, None, verbs.boss(), NOON + HOUR)
    verbs.settle_all(NOON + HOUR)
    pair_due_rounds(now=NOON + HOUR)
    swap(cup, *read_proposal(waiting_round(cup)).pairs[0].sides)
    take_back_decision(fixture_id=second.pk, confirm=False, actor=verbs.boss(), reason="sun", now=NOON + 2 * HOUR)
    assert (ProposedRound.objects.exists(), len(verbs.running(cup))) == (False, 1)
    verbs.end(second, second.red, NOON + 3 * HOUR)
    pair_due_rounds(now=NOON + 3 * HOUR)
    assert (waiting_round(cup).number, waiting_round(cup).is_edited) == (2, False)
    assert is_right(cup)


@with_five
def test_a_published_round_is_taken_back_and_waits_as_it_was(cup):
    swap(cup, *read_proposal(waiting_round(cup)).pairs[0].sides)
    before = waiting_round(cup)
    round_ = publish(cup, reason="Fair.")
    assert len(what_follows_from_taking_back_publication(round=round_, now=NOON).withdrawn) == 2
    take_back_publication(round=round_, confirm=False, actor=verbs.boss(), reason="Not so.", now=NOON + HOUR)
    again = waiting_round(cup)
    assert (again.pairings, again.drawn, again.drawn_at) == (before.pairings, before.drawn, before.drawn_at)
    assert (Round.objects.exists(), verbs.running(cup), Bye.objects.exists()) == (False, [], False)
    assert ("publication-undone", "1", "boss") in log_of(cup)
    assert is_right(cup, NOON + HOUR)
    publish(cup, NOON + 2 * HOUR, reason="Fair.")
    assert len(verbs.running(cup)) == 2
    assert is_right(cup, NOON + 2 * HOUR)


@with_four
def test_a_round_in_which_somebody_has_moved_is_taken_back_only_if_that_is_confirmed(cup):
    round_ = publish(cup)
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, fixture.yellow, NOON + HOUR)
    with pytest.raises(MatchesWouldBeLost):
        take_back_publication(round=round_, confirm=False, actor=verbs.boss(), reason="No.", now=NOON + HOUR)
    take_back_publication(round=round_, confirm=True, actor=verbs.boss(), reason="No.", now=NOON + HOUR)
    assert not Fixture.objects.filter(is_annulled=False).exists()
    assert is_right(cup, NOON + HOUR)


def test_a_round_of_a_cup_without_the_option_can_be_taken_back_to_be_changed():
    cup, _entries = verbs.start_cup(4, format="swiss", tiebreaks=[])
    take_back_publication(round=Round.objects.get(), confirm=False, actor=verbs.boss(), reason="Typo.", now=NOON)
    assert waiting_round(cup).number == 1
    publish(cup)
    assert len(verbs.running(cup)) == 2


@with_four_in_round_2
@pytest.mark.usefixtures("cup")
def test_only_the_last_round_can_be_taken_back_and_only_until_it_has_ended():
    with pytest.raises(WrongCompetitionStatus):
        take_back_publication(
            round=Round.objects.get(), confirm=True, actor=verbs.boss(), reason="No.", now=NOON + HOUR
        )


def test_no_round_of_a_round_robin_is_taken_back():
    _cup, _entries = verbs.start_cup(3, format="round-robin", tiebreaks=[])
    with pytest.raises(WrongCompetitionStatus, match="at the same time"):
        take_back_publication(round=Round.objects.all()[0], confirm=True, actor=verbs.boss(), reason="No.", now=NOON)


def test_the_first_round_can_be_changed_and_published_before_the_start():
    cup = make_swiss(4)
    verbs.draw(cup, verbs.boss())
    one, other = read_proposal(waiting_round(cup)).pairs[0].sides
    swap(cup, one, other)
    publish(cup, reason="Fair.")
    assert (Match.objects.count(), Round.objects.get().started_at) == (0, None)
    verbs.start(Cup.objects.get(pk=cup.pk))
    assert (verbs.running(cup)[0].yellow, len(verbs.running(cup))) == (other, 2)
    assert is_right(cup)


def test_a_new_draw_or_open_entry_forgets_the_round_that_waits():
    cup = make_swiss(4)
    verbs.draw(cup, verbs.boss(), seed=1)
    verbs.draw(cup, verbs.boss(), seed=2)
    assert ProposedRound.objects.count() == 1
    verbs.open_entry(cup, verbs.boss())
    assert not ProposedRound.objects.exists()


@with_four
def test_a_start_that_is_taken_back_leaves_the_first_round_as_it_was(cup):
    take_back_start(competition_id=cup.pk, confirm=False, actor=verbs.boss(), reason="Too early.", now=NOON)
    assert (waiting_round(cup).number, Cup.objects.get(pk=cup.pk).status) == (1, CompetitionStatus.CLOSED)
    verbs.start(Cup.objects.get(pk=cup.pk))
    publish(cup)
    assert len(verbs.running(cup)) == 2


@with_four_in_round_2
def test_a_round_goes_on_waiting_after_a_cancellation_that_was_taken_back(cup):
    verbs.cancel(cup, verbs.boss())
    assert is_right(cup, NOON + HOUR)
    with pytest.raises(WrongCompetitionStatus):
        publish(cup)
    take_back_end(competition_id=cup.pk, actor=verbs.boss(), reason="It goes on.", now=NOON)
    publish(cup)
    assert len(verbs.running(cup)) == 2


def test_rounds_that_wait_are_listed_in_the_same_queries_for_any_number_of_groups(client):
    client.force_login(verbs.boss())
    counts = []
    for groups in (2, 4):
        forms: dict[str, Any] = {"grouping": {"groups": groups, "size": None}, "advance": {"first": 1}}
        cup, _entries = verbs.start_cup(
            4 * groups,
            prefix=f"of-{groups}",
            slug=f"of-{groups}",
            format="swiss",
            tiebreaks=[],
            organisers_publish=True,
            later=[{"format": "knock-out"}],
            **forms,
        )
        url = f"/api/v1/competitions/{cup.slug}/proposed-rounds/"
        counts.append(len(queries_of(partial(client.get, url))))
        listed = client.get(url).json()
        assert [(each["group"], len(each["pairs"])) for each in listed] == [(n + 1, 2) for n in range(groups)]
    assert counts[0] == counts[1]
