"""The changes by an undoing, and what follows from it in sentences."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.pairing.legs import Decider
from formats.protocol import Outcome
from rules_engine.values import Ending
from tournaments.decisions.services.undo.outcomes import say_places, say_ratings
from tournaments.models import (
    OF_TIES,
    SITTING,
    Competition,
    CompetitionStatus,
    Entry,
    Fixture,
    LogEntry,
    RatingDue,
    Standing,
    Tie,
)
from tournaments.office.errors import FixtureNotFound
from tournaments.records.matches import played_fixtures
from tournaments.rounds.services.consequences import Consequences, name_first
from tournaments.rounds.services.set_aside import set_aside_in

RELATED = ("match", "correction", "tie", "round", "group__stage", *SITTING)
"""The relations that are read with the fixtures that are changed here."""


@dataclass(slots=True)
class Changes:
    """The changes made to take something back.

    ``reopened`` are matches that go on, or are to be played; ``counted`` those that count again as they ended;
    ``lost`` and ``withdrawn`` outside of brackets count no more. ``overruled`` are decided although somebody has moved
    in them. ``meant`` is what the act is about: it is not named. ``stages`` are the numbers of those that were drawn
    for others than go on to them now.
    """

    reopened: list[Fixture] = field(default_factory=list)
    counted: list[Fixture] = field(default_factory=list)
    lost: list[Fixture] = field(default_factory=list)
    withdrawn: list[Fixture] = field(default_factory=list)
    overruled: list[Fixture] = field(default_factory=list)
    meant: list[Fixture] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)
    more: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class View:
    """The facts compared before and after: a competition's end, the ties, their matches that count and were played.

    All by id. ``places`` are the final ones, by entries, and ``ended_by`` is the last line of the log that tells of an
    end, 0 without one. ``aside`` has the ids of the matches that were set aside, ``due`` of the notes of matches that
    are to be rated, or no longer. Eight queries at any size.
    """

    status: str
    winner: Entry | None
    places: dict[int, int | None]
    ended_by: int
    ties: dict[int, Tie]
    fixtures: dict[int, Fixture]
    played: set[int]
    aside: set[int | None]
    due: set[int]


def find_fixture(fixture_id: int) -> Fixture:
    """Return a fixture with what is read of those that are changed. Raises ``FixtureNotFound``."""
    fixture = Fixture.objects.select_related("replay", *RELATED).filter(pk=fixture_id).first()
    if fixture is None:
        raise FixtureNotFound(_("There is no such match in a competition."))
    return fixture


def look_at(competition: Competition) -> View:
    """Return what is to be compared of a competition as it is stored now."""
    ties = Tie.objects.filter(round__group__stage__competition_id=competition.pk)
    in_ties = Fixture.objects.filter(competition_id=competition.pk, tie__isnull=False, is_annulled=False)
    played = played_fixtures(competition_id=competition.pk).filter(tie__isnull=False)
    (fresh,) = Competition.objects.filter(pk=competition.pk).select_related("winner__player", "winner__team")
    # Play-offs give no final places.
    is_last = Q(group__stage__number=1) if competition.first_stage.play_offs else Q(group__stage__advance__isnull=True)
    last_stage = Standing.objects.filter(is_last, group__stage__competition=competition.pk)
    final = last_stage if fresh.status == CompetitionStatus.FINISHED and not fresh.is_endless else last_stage.none()
    ends = LogEntry.objects.filter(competition=competition.pk, action="finished")
    return View(
        fresh.status,
        fresh.winner,
        dict(final.values_list("seat__entry", "place")),
        ends.values_list("pk", flat=True).first() or 0,
        {tie.pk: tie for tie in ties.select_related("round__group__stage", *OF_TIES)},
        {each.pk: each for each in in_ties.select_related(*RELATED)},
        set(played.values_list("pk", flat=True)),
        set(set_aside_in(competition).values_list("match", flat=True)),
        set(RatingDue.objects.filter(match__competition=competition.pk).values_list("pk", flat=True)),
    )


def compare(before: View, after: View, changes: Changes) -> Consequences:
    """Return what has followed: matches that are lost, or withdrawn, and everything else in sentences."""
    again_later = [each for each in changes.reopened if each.match_id in after.aside]
    meant = {each.pk for each in (*changes.meant, *again_later)}
    gone = [each for key, each in before.fixtures.items() if key not in after.fixtures and key not in meant]
    waiting = [each for each in gone if _waits(before, after, each)]
    lost = [*changes.lost, *(each for each in gone if each.pk in before.played and each not in waiting)]
    withdrawn = [
        *changes.withdrawn,
        *(each for each in gone if each.pk not in before.played and each.match_id is not None),
    ]
    lost, withdrawn = ([each for each in found if _is_out(after, each)] for found in (lost, withdrawn))
    _note_taken_up(before, after, changes)
    return Consequences(
        lost=tuple(sorted(lost, key=_by_number)),
        withdrawn=tuple(sorted(withdrawn, key=_by_number)),
        overruled=tuple(changes.overruled),
        more=(
            *_say_ties(before, after),
            *_say_matches(changes, after),
            *_say_again_later(again_later),
            *_say_waiting([each for each in waiting if each.pk in before.played]),
            *changes.more,
            *_say_end(before, after),
            *say_places(before.places, after.places),
            *say_ratings(after.due - before.due),
        ),
    )


def _waits(before: View, after: View, fixture: Fixture) -> bool:
    """Return whether a match of a tie only waits until its round begins once more: the same two are to meet there."""
    was, tie = before.ties.get(fixture.tie_id or 0), after.ties.get(fixture.tie_id or 0)
    if was is None or tie is None or tie.decided_at is not None or tie.round.started_at is not None:
        return False
    return None not in {tie.first_id, tie.second_id} and (was.first_id, was.second_id) == (tie.first_id, tie.second_id)


def _is_out(after: View, fixture: Fixture) -> bool:
    """Return whether a fixture that counted no more has not been taken up again since."""
    return fixture.round_id is None or fixture.match_id in after.aside


def _note_taken_up(before: View, after: View, changes: Changes) -> None:
    """Note what had been set aside, and counts again, or goes on."""
    taken_up = Fixture.objects.filter(match__in=before.aside - after.aside, is_annulled=False).select_related(*RELATED)
    known = {each.match_id for each in (*changes.counted, *changes.reopened)}
    for each in taken_up.order_by("pk"):
        if each.match_id not in known:
            (changes.reopened if each.counted_at is None else changes.counted).append(each)


def _by_number(fixture: Fixture) -> int:
    return fixture.pk


def _say_ties(before: View, after: View) -> Iterator[str]:
    """Yield what becomes of ties: who plays again, who goes on, and who does not go on yet."""
    in_order = sorted(after.ties.values(), key=lambda tie: (tie.round.group_id, tie.round.number, tie.pk))
    for tie in in_order:
        old = before.ties.get(tie.pk)
        if old is None:
            continue
        if (old.first_id, old.second_id) == (tie.first_id, tie.second_id):
            yield from _say_decision(old, tie)
        else:
            yield from _say_entrants(old, tie)


def _say_decision(old: Tie, tie: Tie) -> Iterator[str]:
    """Yield what becomes of a tie between the same entrants."""
    first, second = tie.first, tie.second
    if first is None or second is None:
        return
    if old.decided_at is not None and tie.decided_at is None:
        yield _("The tie of %(player)s and %(other)s is open again.") % {"player": first, "other": second}
    elif tie.decided_at is not None and old.winner_id != tie.winner_id and tie.winner_id is not None:
        winner, loser = (first, second) if tie.winner_id == first.pk else (second, first)
        sentence = _("%(player)s wins the tie against %(other)s.")
        if tie.decided_by == Decider.WITHDRAWAL:
            sentence = _("%(player)s goes on without playing, as %(other)s has left.")
        yield sentence % {"player": winner, "other": loser}


def _say_entrants(old: Tie, tie: Tie) -> Iterator[str]:
    """Yield who comes into a tie that others had come into, or nobody yet."""
    sides: Sequence[tuple[Entry | None, Entry | None, Entry | None, str]] = (
        (old.first, tie.first, tie.second, tie.first_takes),
        (old.second, tie.second, tie.first, tie.second_takes),
    )
    for was, is_now, other, takes in sides:
        if was == is_now:
            continue
        if is_now is None and other is not None:
            yield _("%(player)s does not go on to meet %(other)s yet.") % {"player": was, "other": other}
        elif is_now is None:
            yield _("%(player)s does not go on yet.") % {"player": was}
        elif other is None:
            yield _("%(player)s goes on.") % {"player": is_now}
        elif takes == Outcome.WINNER:
            yield _("%(player)s goes on to meet %(other)s.") % {"player": is_now, "other": other}
        else:
            yield _("%(player)s meets %(other)s next.") % {"player": is_now, "other": other}


def _say_matches(changes: Changes, after: View) -> Iterator[str]:
    """Yield which matches go on, are played after all, are forfeited by those who have left, or count again."""
    here = [each for each in changes.reopened if each.match_id is None or each.match_id not in after.aside]
    again = [each for each in here if each.counted_at is None and not each.is_annulled]
    yield from _say(
        [each for each in again if each.match_id is not None],
        lambda count: ngettext(
            "%(count)d match goes on from where it stood: %(names)s.",
            "%(count)d matches go on from where they stood: %(names)s.",
            count,
        ),
    )
    yield from _say(
        [each for each in again if each.match_id is None],
        lambda count: ngettext(
            "%(count)d match is played after all: %(names)s.",
            "%(count)d matches are played after all: %(names)s.",
            count,
        ),
    )
    yield from _say_forfeits([each for each in changes.reopened if each.ending == Ending.FORFEIT])
    yield from _say(
        changes.counted,
        lambda count: ngettext(
            "%(count)d result counts again: %(names)s.", "%(count)d results count again: %(names)s.", count
        ),
    )


def _say_again_later(fixtures: Sequence[Fixture]) -> Iterator[str]:
    """Yield which matches go on once those before them, which go on too, bring the same two there again."""
    yield from _say(
        fixtures,
        lambda count: ngettext(
            "%(count)d match goes on from where it stood as soon as the same two are to meet there again: %(names)s.",
            "%(count)d matches go on from where they stood as soon as the same two are to meet there again: %(names)s.",
            count,
        ),
    )


def _say_waiting(waiting: Sequence[Fixture]) -> Iterator[str]:
    """Yield which matches wait until the round before has ended, and go on then."""
    yield from _say(
        waiting,
        lambda count: ngettext(
            "%(count)d match waits until the round before has ended, and then goes on from where it stands: %(names)s.",
            "%(count)d matches wait until the round before has ended, and then go on from where they stand: %(names)s.",
            count,
        ),
    )


def _say_forfeits(forfeited: Sequence[Fixture]) -> Iterator[str]:
    """Yield which matches are forfeited by those who have left: players, or teams; or as nobody sits at a board."""
    unmanned = [each for each in forfeited if each.board is not None and each.yellow.is_in and each.red.is_in]
    yield from _say(
        [each for each in forfeited if each.board is None],
        lambda count: ngettext(
            "%(count)d match is forfeited, as a player has left: %(names)s.",
            "%(count)d matches are forfeited, as players have left: %(names)s.",
            count,
        ),
    )
    yield from _say(
        [each for each in forfeited if each.board is not None and each not in unmanned],
        lambda count: ngettext(
            "%(count)d match is forfeited, as a team has left: %(names)s.",
            "%(count)d matches are forfeited, as teams have left: %(names)s.",
            count,
        ),
    )
    yield from _say(
        unmanned,
        lambda count: ngettext(
            "%(count)d match is forfeited, because the board has no player: %(names)s.",
            "%(count)d matches are forfeited, because the boards have no players: %(names)s.",
            count,
        ),
    )


def _say(fixtures: Sequence[Fixture], sentence: Callable[[int], str]) -> Iterator[str]:
    if fixtures:
        yield sentence(len(fixtures)) % {"count": len(fixtures), "names": name_first(fixtures)}


def _say_end(before: View, after: View) -> Iterator[str]:
    """Yield whether the competition goes on, or who wins it instead."""
    was_over, is_over = before.status != CompetitionStatus.RUNNING, after.status != CompetitionStatus.RUNNING
    if was_over and not is_over:
        yield _("The competition goes on.")
    elif is_over and after.status == CompetitionStatus.FINISHED and after.winner is not None:
        if not was_over:
            yield _("The competition ends. %(player)s wins it.") % {"player": after.winner}
        elif before.winner is not None and before.winner != after.winner:
            yield _("%(player)s wins the competition instead of %(other)s.") % {
                "player": after.winner,
                "other": before.winner,
            }
