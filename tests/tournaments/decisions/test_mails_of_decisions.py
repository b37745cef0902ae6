"""Who is told by mail of what follows from a decision: opponents whose results change, and all who heard of the end."""

from datetime import timedelta

import pytest

from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.corrections import take_back_correction
from tournaments.decisions.services.undo.decisions import take_back_replay
from tournaments.decisions.services.undo.disqualifications import disqualify_entry, take_back_disqualification
from tournaments.models import Disqualification, Fixture

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WHY = "A cheat."


@pytest.fixture(name="olga")
def organiser(db):
    return verbs.make_olga()


def mails_at(now):
    """Return the mails that are sent once the tables are made, by who gets them."""
    verbs.count_all()
    return verbs.send_mails(now)


@pytest.mark.parametrize(
    ("rule", "concerned"),
    [(Disqualification.LOST, {"player-2"}), (Disqualification.ANNULLED, {"player-2", "player-3"})],
)
def test_opponents_hear_that_their_results_change_and_that_they_count_as_before(rule, concerned, olga):
    cup, _entries = verbs.start_cup(3, format="round-robin", organiser=olga)
    for fixture in verbs.running(cup):
        # Who has lost to player-3 has lost to them by any rule but annulment.
        names = {str(fixture.yellow): Side.YELLOW, str(fixture.red): Side.RED}
        verbs.end(fixture, names.get("player-3") or names["player-1"])
    verbs.give_addresses()
    mails_at(NOON)
    act = {"entry_id": verbs.entry_of(cup, "player-1").pk, "confirm": True, "actor": olga, "reason": WHY}
    disqualify_entry(**act, rule=rule, now=NOON + HOUR)
    mails = mails_at(NOON + HOUR)
    assert "olga has disqualified you from Cup." in mails["player-1"]
    told = {name for name, text in mails.items() if "results against them have changed" in text}
    assert (told, WHY in mails["player-2"]) == (concerned, True)
    take_back_disqualification(**act, now=NOON + 2 * HOUR)
    mails = mails_at(NOON + 2 * HOUR)
    assert {name for name, text in mails.items() if "that you played count as before" in text} == concerned


EVERYBODY = {"player-1", "player-2", "player-3", "player-4"}
NOW = "This is the final result of Cup now, in place of the one before."


@pytest.fixture(name="final")
def played_final(olga):
    """Return the final of a knock-out of four, of whose end everybody has heard."""
    cup, _entries = verbs.start_cup(4, legs=1, organiser=olga)
    for _round in range(2):
        verbs.end_all(cup)
    cup.refresh_from_db()
    assert cup.status == "finished"
    verbs.give_addresses()
    assert mails_at(NOON).keys() >= EVERYBODY
    return Fixture.objects.select_related("yellow__player", "red__player").get(round__number=2)


def told_now(now):
    return {name for name, text in mails_at(now).items() if NOW in text}


def test_a_final_that_is_corrected_is_told_to_everybody_and_so_is_that_it_was_taken_back(final, olga):
    verbs.correct(final, Side.RED, olga, NOON + HOUR)
    mails = mails_at(NOON + HOUR)
    assert {name for name, text in mails.items() if f"{NOW} {final.red} has won." in text} == EVERYBODY
    take_back_correction(fixture_id=final.pk, confirm=True, actor=olga, reason=WHY, now=NOON + 2 * HOUR)
    assert told_now(NOON + 2 * HOUR) == EVERYBODY


def test_a_final_that_is_replayed_is_told_to_everybody_and_so_is_its_end(final, olga):
    verbs.replay(final, olga, NOON + HOUR, confirm=True)
    mails = mails_at(NOON + HOUR)
    assert {name for name, text in mails.items() if "The end of Cup has been taken back." in text} == EVERYBODY
    take_back_replay(fixture_id=final.pk, confirm=True, actor=olga, reason=WHY, now=NOON + 2 * HOUR)
    assert told_now(NOON + 2 * HOUR) == EVERYBODY


def test_what_changes_no_place_is_told_to_the_two_players_alone(final, olga):
    verbs.correct(final, Side.YELLOW, olga, NOON + HOUR, goals_yellow=3, goals_red=0)
    mails = mails_at(NOON + HOUR)
    assert mails.keys() - {"olga"} == {str(final.yellow), str(final.red)}
    assert not any(NOW in text for text in mails.values())
