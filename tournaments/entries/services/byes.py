"""Ask for a bye: a round that an entrant sits out, for the points of a draw."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import ByeHad, NoByeRequest, RoundDrawn
from tournaments.entries.selectors.byes import ByeChoice, bye_choice, seat_with_byes
from tournaments.entries.services.withdrawal import lock_entry
from tournaments.models import ByeRequest, Competition, Entry
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.log import log_action
from tournaments.records.errors import RoundNotFound


def request_bye(*, entry_id: int, round_number: int, actor: Player, now: datetime, reason: str = "") -> Entry:
    """Let an entrant sit out a round that is still to be drawn, in place of any other asked for; return the entry.

    Players ask for themselves, organisers for anybody. Again for the same round has no effect. Raises
    ``EntryNotFound``, ``EntryOver``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ByesNotInFormat``,
    ``ByesNotOffered``, ``ByeHad`` for who has had one, ``RoundDrawn`` or ``RoundNotFound``.
    """
    with transaction.atomic():
        competition, entry = _lock(entry_id, actor, now)
        seat = seat_with_byes(entry)
        choice = bye_choice(seat)
        if choice.granted is not None:
            raise ByeHad(
                _("%(entrant)s has had a bye on request, in round %(round)d. Nobody can have two.")
                % {"entrant": entry, "round": choice.granted}
            )
        _check_coming(choice, round_number)
        if choice.requested != round_number:
            ByeRequest.objects.update_or_create(seat=seat, defaults={"round_number": round_number, "requested_at": now})
            log_action(
                competition=competition,
                action="bye-requested",
                actor=actor,
                subject=_subject(entry, round_number),
                reason=reason,
                now=now,
                concerns=(entry,),
            )
    return entry


def take_back_bye(*, entry_id: int, actor: Player, now: datetime, reason: str = "") -> Entry:
    """Take back an entrant's request for a bye whose round is still to be drawn, and return the entry.

    Raises ``EntryNotFound``, ``EntryOver``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ByesNotInFormat``,
    ``ByesNotOffered``, ``NoByeRequest``, or ``RoundDrawn`` once the round has been drawn.
    """
    with transaction.atomic():
        competition, entry = _lock(entry_id, actor, now)
        seat = seat_with_byes(entry)
        choice = bye_choice(seat)
        if (drawn := choice.granted or choice.refused) is not None:
            _check_coming(choice, drawn)
        if choice.requested is None:
            raise NoByeRequest(_("%(entrant)s has not asked for a bye.") % {"entrant": entry})
        ByeRequest.objects.filter(seat=seat).delete()
        log_action(
            competition=competition,
            action="bye-undone",
            actor=actor,
            subject=_subject(entry, choice.requested),
            reason=reason,
            now=now,
            concerns=(entry,),
        )
    return entry


def _lock(entry_id: int, actor: Player, now: datetime) -> tuple[Competition, Entry]:
    competition, entry = lock_entry(entry_id, now)
    if entry.player_id != actor.pk:
        check_organiser(competition=competition, player=actor)
    return competition, entry


def _check_coming(choice: ByeChoice, number: int) -> None:
    """Raise ``RoundDrawn`` or ``RoundNotFound`` unless the round is still to be drawn."""
    if number >= choice.rounds.stop:
        given = {"number": number, "last": choice.rounds.stop - 1}
        raise RoundNotFound(_("There is no round %(number)d: the last one is round %(last)d.") % given)
    if number < choice.rounds.start:
        sentence = _("Round %(number)d has been drawn. It was the last one.")
        if choice.rounds:
            sentence = _("Round %(number)d has been drawn. The next one to be drawn is round %(next)d.")
        raise RoundDrawn(sentence % {"number": number, "next": choice.rounds.start})


def _subject(entry: Entry, number: int) -> str:
    return f"{entry}, round {number}"
