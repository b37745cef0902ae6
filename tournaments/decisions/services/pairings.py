"""Change the pairings of a round that waits for its organisers, and publish it."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from formats.protocol import DrawnRound, Pair
from players.models import Player
from tournaments.decisions.errors import CannotSwap, PairingsChanged, ReasonMissing
from tournaments.models import ENDED, Competition, Entry, ProposedRound, Round, read_pairings, write_pairings
from tournaments.office.services.log import Change, log_action
from tournaments.records.group_records import read_record
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.selectors import entries_by_seat, no_proposed_round
from tournaments.rounds.services.proposed_rounds import propose_round, store_rounds
from tournaments.rounds.services.round_codes import code_round
from tournaments.rounds.services.rounds import begin_round
from tournaments.rounds.services.stage_ends import move_on
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.tables.services.standings import mark_standings_stale


def swap_players(
    *, proposed: ProposedRound, first: Player, second: Player, actor: Player | None, now: datetime, reason: str = ""
) -> ProposedRound:
    """Let two players stand where the other stood in a round that waits, and return it.

    Two who would meet change sides, and who takes the place of a player with a bye has it instead. Raises
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``RoundNotFound`` for a round that no longer waits, or
    ``CannotSwap`` for who is not in it, or asked for a bye.
    """
    with transaction.atomic():
        _competition, fresh = _lock(proposed, actor, now)
        pairings = read_pairings(fresh.pairings)
        entries = entries_by_seat([pairings])
        seat_of = {entry.player_id: seat for seat, entry in entries.items()}
        for player in (first, second):
            if seat_of.get(player.pk) in pairings.asked_byes:
                raise CannotSwap(_("%(player)s has asked to sit this round out.") % {"player": player})
            if player.pk not in seat_of:
                raise CannotSwap(
                    _("%(player)s is not in this round. Draw it again to include players who joined later.")
                    % {"player": player}
                )
        if first.pk == second.pk:
            raise CannotSwap(_("Choose two players."))
        fresh.pairings = write_pairings(pairings.swap(seat_of[first.pk], seat_of[second.pk]))
        fresh.save(update_fields=["pairings"])
        # Everybody reads the log: it names the swapped players when the round is published.
        _log(fresh, "pairings-changed", actor=actor, reason=reason, now=now)
    return fresh


def draw_round_again(
    *, proposed: ProposedRound, actor: Player | None, now: datetime, reason: str = ""
) -> ProposedRound:
    """Draw a round that waits from what is true now, in place of its pairings, and return what waits then.

    Raises ``NotAnOrganiser``, ``WrongCompetitionStatus``, or ``RoundNotFound`` for a round that no longer waits.
    """
    with transaction.atomic():
        _competition, fresh = _lock(proposed, actor, now)
        group, stage = fresh.group, fresh.group.stage
        (drawn,) = stage.format_spec.next_rounds(read_record(group), stage.chosen_options, stage.draw_seed or 0)
        fresh.delete()
        again = propose_round(group_id=group.pk, drawn=drawn, now=now)
        again.group = group
        _log(again, "round-drawn-again", actor=actor, reason=reason, now=now)
    return again


def publish_round(
    *,
    proposed: ProposedRound,
    actor: Player | None,
    now: datetime,
    version: str | None = None,
    reason: str = "",
) -> Round:
    """Publish a round as its pairings are now, and return it; it begins at once if the competition runs.

    Its days count from now, entrants who have left lose or have no bye, and matches begin. ``version`` is that of the
    pairings that were read, ``None`` for any. Raises ``NotAnOrganiser``, ``WrongCompetitionStatus``,
    ``RoundNotFound`` for a round that no longer waits, ``PairingsChanged`` if others are proposed since, or
    ``ReasonMissing`` where the pairings differ from those that were drawn and nobody says why.
    """
    with transaction.atomic():
        competition, fresh = _lock(proposed, actor, now)
        if version not in (None, fresh.version):
            raise PairingsChanged(_("The pairings have changed since you read them. Read them again."))
        if fresh.is_edited and not reason.strip():
            sentence = _("The pairings differ from the draw. Give a reason. Players can read it.")
            raise ReasonMissing(sentence, fields={"reason": [sentence]})
        group = fresh.group
        pairings, drawn = read_pairings(fresh.pairings), read_pairings(fresh.drawn)
        entries = entries_by_seat([pairings, drawn])
        published = DrawnRound(
            fresh.number,
            tuple(Pair(pair.map(lambda seat: entries[seat].pk)) for pair in pairings.pairs),
            tuple(entries[seat].pk for seat in pairings.byes if entries[seat].is_in),
            tuple(entries[seat].pk for seat in pairings.asked_byes if entries[seat].is_in),
        )
        (round_,) = store_rounds(competition_id=competition.pk, drawn={group.pk: [published]}, now=now)
        round_.drawn_at, round_.drawn = fresh.drawn_at, fresh.drawn if fresh.is_edited else None
        round_.save(update_fields=["drawn_at", "drawn"])
        round_.group = group
        changes = _list_changes(fresh, entries)
        fresh.delete()
        log_action(
            competition=competition,
            action="round-published",
            actor=actor,
            subject=code_round(group, round_),
            reason=reason,
            changes=changes,
            now=now,
        )
        if group.started_at is not None:
            begin_round(group=group, round=round_, now=now)
            mark_standings_stale(group_id=group.pk, now=now)
            move_on(group=group, now=now)
    return round_


def _lock(proposed: ProposedRound, actor: Player | None, now: datetime) -> tuple[Competition, ProposedRound]:
    """Lock the competition, do what is due in it, and return it with the round as it waits then."""
    competition = lock_for_organiser(competition_id=proposed.competition_id, actor=actor, now=now)
    if competition.status in ENDED:
        raise WrongCompetitionStatus(_("The competition is over."))
    fresh = ProposedRound.objects.select_related("group__stage").filter(pk=proposed.pk).first()
    if fresh is None:
        raise no_proposed_round(proposed.number)
    fresh.group.stage.competition = competition
    return competition, fresh


def _log(proposed: ProposedRound, action: str, *, actor: Player | None, reason: str, now: datetime) -> None:
    group = proposed.group
    subject = code_round(group, proposed)
    log_action(competition=group.competition, action=action, actor=actor, subject=subject, reason=reason, now=now)


def _list_changes(proposed: ProposedRound, entries: Mapping[int, Entry]) -> Iterator[Change]:
    """Yield who was drawn where others are published now."""

    def name(place: tuple[int, ...]) -> str:
        names = [str(entries[seat]) for seat in place]
        return " – ".join(names) if len(names) > 1 else _("%(player)s has a bye") % {"player": names[0]}

    drawn = read_pairings(proposed.drawn)
    for was, is_now in read_pairings(proposed.pairings).changes_since(drawn):
        yield Change(what=_("pairing"), old=name(was), new=name(is_now))
