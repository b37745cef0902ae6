"""Make a competition again: a draft with the options of another one and, if wanted, those who were in that."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from players.models import Player
from tournaments.entries.services.admission import admit_entries
from tournaments.entries.services.new_invitations import invite_players
from tournaments.making.services.competitions import OPTIONS, STAGE_OPTIONS
from tournaments.making.services.drafts import MAX_NAME_LENGTH, make_draft
from tournaments.models import Competition, Entry, EntryStatus, Seat, Stage
from tournaments.office.selectors.invitations import is_asked_first
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.levels import chosen_stages
from tournaments.running.selectors.entry_conditions import reasons_of_kind
from tournaments.running.services.entry_rows import make_entry

OF_ITS_OWN = frozenset({"name", "slug", "starts_at"})
"""The options that a copy does not take over: another competition is called otherwise, and starts at another time."""

_NUMBER_AT_THE_END = re.compile(r"(?a:\d{1,9})\Z")


def copy_competition(
    *, competition: Competition, name: str, with_entrants: bool, actor: Player, now: datetime
) -> Competition:
    """Make a competition again by this name, and return the draft, which the actor organises alone.

    It has the options, stages and password of the other one. ``with_entrants`` are entered too: those who have neither
    left nor been replaced, and may play in such a competition; on a challenge ladder in the order of their positions.
    Of a competition of teams nobody is: captains enter their teams anew. Players who have to be asked first are
    invited. The number of queries does not depend on how many they are, but for batches. Raises ``NotAnOrganiser``, the
    first of ``reasons_not_to_make``, ``InvalidCompetition`` or ``InvalidStages``.
    """
    check_organiser(competition=competition, player=actor)
    with transaction.atomic():
        copy, stages = copy_options(competition, name=name)
        make_draft(competition=copy, stages=stages, maker=actor, now=now, written=("name",))
        log_action(competition=copy, action="copied", actor=actor, subject=competition.name, now=now)
        if with_entrants and (players := _players_of(competition)):
            _enter(lock_competition(competition_id=copy.pk), players, actor, now)
    return copy


def copy_options(competition: Competition, *, name: str) -> tuple[Competition, list[Stage]]:
    """Return a competition of this name with the options of another one, and its stages; none of it is stored."""
    copy = type(competition)(**{option: getattr(competition, option) for option in OPTIONS - OF_ITS_OWN})
    copy.name = name
    columns = STAGE_OPTIONS | {"options"}
    chosen = chosen_stages(competition.all_stages)
    stages = [Stage(**{column: getattr(stage, column) for column in columns}) for stage in chosen]
    for stage in stages:
        # Where groups form as players come, closing entry was the end of the other one, and no option of this one.
        stage.late_entry = stage.late_entry or stage.gathers
    return copy, stages


def suggest_name(name: str) -> str:
    """Return how a competition may be called that follows on one of this name: the next number, or a second one."""
    number = _NUMBER_AT_THE_END.search(name)
    base, ending = (name[: number.start()], str(int(number[0]) + 1)) if number else (f"{name} ", "2")
    return base[: MAX_NAME_LENGTH - len(ending)] + ending


def _players_of(competition: Competition) -> Sequence[Player]:
    """Return who is still in the competition and may play in its like, those of higher positions first."""
    seats = Seat.objects.filter(stage__competition_id=competition.pk, stage__number=1)
    still_in = seats.filter(entry__status=EntryStatus.ACTIVE).select_related("entry__player")
    in_order = still_in.order_by(F("position").asc(nulls_last=True), "entry_id")
    players = {seat.entry.player_id: seat.entry.player for seat in in_order}
    return [each for each in players.values() if not reasons_of_kind(competition=competition, player=each)]


def _enter(copy: Competition, players: Collection[Player], actor: Player, now: datetime) -> None:
    asked: list[Player] = []
    entries: list[Entry] = []
    for player in players:
        if is_asked_first(player=player, actor=actor):
            asked.append(player)
        else:
            entries.append(make_entry(competition=copy, player=player, now=now))
    invite_players(competition=copy, players=asked, actor=actor, now=now)
    if not entries:
        return
    admit_entries(competition=copy, entries=entries, actor=actor, now=now)
    log_action(competition=copy, action="imported", actor=actor, subject=str(len(entries)), now=now, concerns=entries)
