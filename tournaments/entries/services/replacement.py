"""Replace an entrant by another player."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import BigIntegerField, Case, Count, F, Q, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.models import Player
from rules_engine.values import Ending
from tournaments.entries.errors import EntryOver
from tournaments.models import (
    ENDED,
    NOT_REPLACED,
    SITTING,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Seat,
    Tie,
    WaitingPlayer,
)
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import competition_of_entry
from tournaments.office.services.log import MAX_SUBJECT_LENGTH, log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.fixtures import open_fixtures_of, set_up_instead, start_fixtures
from tournaments.rounds.services.set_aside import naming_cause, set_aside
from tournaments.running.errors import AlreadyEntered
from tournaments.running.selectors.entry_conditions import reasons_of_kind
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.running.services.entry_rows import make_entry
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.standings import mark_standings_of


def replace_entry(*, entry_id: int, player: Player, actor: Player, reason: str, now: datetime) -> Entry:
    """Let a player take over an entrant's place in a cup, and return the new player's entry.

    The new player takes over the seat, the lot, and every result and tie of the place; matches that go on are
    annulled and begin again. Entrants who have withdrawn can be replaced while the competition goes on: what the
    withdrawal has decided stays. Raises ``EntryNotFound``, ``EntryOver``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``AlreadyEntered``, ``GuestsNotAdmitted`` or ``ComputersNotAdmitted``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_of_entry(entry_id), actor=actor, now=now)
        return take_over_place(
            competition=competition, entry_id=entry_id, player=player, actor=actor, reason=reason, now=now
        )


def take_over_place(
    *, competition: Competition, entry_id: int, player: Player, actor: Player | None, reason: str, now: datetime
) -> Entry:
    """Let a player take over a place as ``replace_entry`` does, and return the new entry.

    The caller holds the competition's lock, and has made sure that the ``actor`` may do it.
    """
    old = check_replacement(competition=competition, entry_id=entry_id, player=player)
    with naming_cause(competition=competition):
        subject = f"{old} → {player}{_say_results(old)}"
        begun = _set_matches_aside(competition, old, now)
        new = _take_over(competition, old, player, now)
        hand_over(old=old, new=new)
        _begin_again(competition, begun, now)
        mark_standings_of(entries=[new], now=now)
        log_action(
            competition=competition,
            action="replaced",
            actor=actor,
            subject=subject,
            reason=reason,
            now=now,
            concerns=(old, new),
        )
    return new


def check_replacement(*, competition: Competition, entry_id: int, player: Player) -> Entry:
    """Return the entry whose place a player is to take over. Raises what ``replace_entry`` does where they cannot."""
    old = Entry.objects.select_related("player").filter(competition=competition, pk=entry_id).first()
    if old is None:
        raise EntryNotFound(_("There is no such entry."))
    _check(competition, old, player)
    return old


def what_follows_from_replacing(*, entry_id: int, now: datetime) -> Consequences:
    """Return what a replacement of an entrant would inherit now, and what begins again. Raises ``EntryNotFound``.

    Three queries.
    """
    old = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if old is None:
        raise EntryNotFound(_("There is no such entry."))
    own = Fixture.objects.filter(Q(yellow=old) | Q(red=old), competition_id=old.competition_id, is_annulled=False)
    counted = Q(counted_at__isnull=False)
    lost = Q(yellow=old, points_yellow__lt=F("points_red")) | Q(red=old, points_red__lt=F("points_yellow"))
    numbers = own.aggregate(
        results=Count("pk", filter=counted),
        forfeited=Count("pk", filter=counted & lost & Q(ending=Ending.FORFEIT)),
        running=Count("pk", filter=~counted & Q(match__isnull=False)),
        coming=Count("pk", filter=~counted & Q(match=None)),
    )
    return Consequences(more=tuple(_say(old, **numbers)))


def _say_results(old: Entry) -> str:
    """Return with which results a place is taken over, as a line of a log has room for them; empty for none."""
    own = Fixture.objects.filter(Q(yellow=old) | Q(red=old), counted_at__isnull=False, is_annulled=False)
    results = []
    for fixture in own.select_related(*SITTING).order_by("pk"):
        points = fixture.points
        if points is not None:
            both = (points.yellow, points.red) if fixture.yellow_id == old.pk else (points.red, points.yellow)
            other = fixture.red_name if fixture.yellow_id == old.pk else fixture.yellow_name
            results.append(f"{both[0]}–{both[1]} {other}")
    if not results:
        return ""
    number = ngettext(", with %(number)d result", ", with %(number)d results", len(results)) % {"number": len(results)}
    named = f"{number}: {', '.join(results)}"
    return named if len(named) <= MAX_SUBJECT_LENGTH // 2 else number


def _say(old: Entry, *, results: int, forfeited: int, running: int, coming: int) -> Iterator[str]:
    """Yield what follows from replacing somebody with so many results and matches, in sentences."""
    facts = {"player": str(old)}
    if results:
        yield ngettext(
            "The new player inherits %(number)d result of %(player)s.",
            "The new player inherits %(number)d results of %(player)s.",
            results,
        ) % (facts | {"number": results})
    else:
        yield _("The new player inherits no results: %(player)s has none.") % facts
    if forfeited:
        yield ngettext(
            "%(number)d of them was lost by forfeit, and stays lost.",
            "%(number)d of them were lost by forfeit, and stay lost.",
            forfeited,
        ) % {"number": forfeited}
    if running:
        yield ngettext(
            "%(number)d running match will start again.",
            "%(number)d running matches will start again.",
            running,
        ) % {"number": running}
    if coming:
        yield ngettext("%(number)d match is still to begin.", "%(number)d matches are still to begin.", coming) % {
            "number": coming
        }
    if old.status == EntryStatus.GONE and not running and not coming:
        yield _("There are no matches left to play here. New ones start only if this place goes on in the cup.")


def _check(competition: Competition, old: Entry, player: Player) -> None:
    if not competition.first_stage.abilities.replacement:
        raise WrongCompetitionStatus(
            _("Nobody can take over a place in this competition. Instead, the player leaves and another one joins.")
        )
    if competition.status in ENDED:
        raise WrongCompetitionStatus(_("The competition is over."))
    if old.status == EntryStatus.REPLACED:
        raise EntryOver(_("%(entrant)s has already been replaced.") % {"entrant": old})
    if old.disqualified_at is not None:
        raise EntryOver(_("%(entrant)s has been disqualified: nobody takes over this place.") % {"entrant": old})
    if Entry.objects.filter(NOT_REPLACED, competition=competition, player=player).exists():
        raise AlreadyEntered(_("%(player)s is in this competition, or has been in it.") % {"player": player})
    for refusal in reasons_of_kind(competition=competition, player=player):
        raise refusal


def _take_over(competition: Competition, old: Entry, player: Player, now: datetime) -> Entry:
    new = make_entry(competition=competition, player=player, now=now, is_there=True)
    new.draw, new.replaces = old.draw, old
    old.status, old.left_at = EntryStatus.REPLACED, old.left_at or now
    old.save(update_fields=["status", "left_at"])
    new.save()
    store_numbers(competition_id=competition.pk)
    WaitingPlayer.objects.filter(competition_id=competition.pk, player=player).delete()
    note_on_ladder(entries=[new])
    return new


def hand_over(*, old: Entry, new: Entry) -> None:
    """Give the seats, fixtures and ties of an entry to another one of the same competition."""
    Seat.objects.filter(entry=old).update(entry=new)

    def instead(field: str) -> Case:
        return Case(When(**{field: old.pk}, then=Value(new.pk)), default=F(field), output_field=BigIntegerField())

    Fixture.objects.filter(Q(yellow=old) | Q(red=old)).update(
        yellow_id=instead("yellow_id"), red_id=instead("red_id"), challenger_id=instead("challenger_id")
    )
    Tie.objects.filter(Q(first=old) | Q(second=old)).update(
        first_id=instead("first_id"), second_id=instead("second_id"), winner_id=instead("winner_id")
    )


def _set_matches_aside(competition: Competition, old: Entry, now: datetime) -> list[int]:
    """Set aside the running matches of a place, and return their fixtures; those that are over count."""
    if competition.status != CompetitionStatus.RUNNING:
        return []
    begun = list(open_fixtures_of(old).filter(match__isnull=False))
    set_aside(fixtures=begun, now=now)
    return [each.pk for each in begun]


def _begin_again(competition: Competition, begun: list[int], now: datetime) -> None:
    fixtures = Fixture.objects.filter(pk__in=begun).select_related(*SITTING).order_by("pk")
    start_fixtures(fixtures=[set_up_instead(each, now=now) for each in fixtures], competition=competition, now=now)
