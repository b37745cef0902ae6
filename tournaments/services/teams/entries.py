"""Enter teams into competitions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.errors import (
    AlreadyEntered,
    WrongCompetitionPassword,
)
from tournaments.models import Entry, LineUp, Team
from tournaments.selectors.entry_conditions import reasons_not_to_enter_team
from tournaments.selectors.invitations import is_asked_first
from tournaments.selectors.organisers import check_organiser
from tournaments.services.after_commit import notify_start
from tournaments.services.catch_up import catch_up
from tournaments.services.entries.admission import admit_entries, check_admission
from tournaments.services.entries.entry_rows import make_entry, store_entries
from tournaments.services.entries.passwords import match_password
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.teams.line_ups import check_line_up
from tournaments.services.teams.locks import check_open
from tournaments.team_errors import (
    NotTheCaptain,
    TeamNotFound,
)


def enter_team(
    *,
    competition_id: int,
    team_id: int,
    players: Sequence[int],
    actor: Player,
    now: datetime,
    password: str = "",
    client_ip: str = "",
) -> Entry:
    """Let a captain enter the team, and return its entry.

    ``players`` are the ids of members, that of the first board first: this order holds until there is a line-up.
    Raises ``TeamNotFound``, ``TeamClosed``, ``NotTheCaptain``, the first of ``reasons_not_to_enter_team``,
    ``WrongCompetitionPassword``, ``TooManyAttempts``, ``InvalidLineUp`` or ``CompetitionNotFound``.
    """
    matched = match_password(competition_id=competition_id, player=actor, password=password, client_ip=client_ip)
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        catch_up(competition=competition, now=now)
        team = _find_team(team_id)
        if team.captain_id != actor.pk:
            raise NotTheCaptain("Only the captain of the team can do this.")
        for reason in reasons_not_to_enter_team(competition=competition, team=team, captain=actor):
            raise reason
        if matched != competition.password:
            raise WrongCompetitionPassword("This is not the password of the competition.")
        entry = make_entry(competition=competition, player=actor, now=now, is_there=True)
        entry.team, entry.competition = team, competition
        check_line_up(entry=entry, players=players)
        store_entries(competition=competition, entries=[entry], now=now)
        LineUp.objects.create(entry=entry, players=[*players], set_by=actor, set_at=now)
        log_action(competition=competition, action="joined", actor=actor, subject=str(entry), now=now)
        if competition.starts_with_entries:
            notify_start(competition_id=competition.pk)
    return entry


def admit_team(
    *, competition_id: int, team_id: int, players: Sequence[int], actor: Player, now: datetime, reason: str = ""
) -> Entry:
    """Let an organiser enter a team, whatever the limit on number and the password, and return its entry.

    Its captain is told. A draw that was made is forgotten. Raises ``NotAnOrganiser``, ``TeamNotFound``,
    ``TeamClosed``, ``NotTheCaptain`` where the captain would have to be asked first, ``SinglePlayersOnly``,
    ``AlreadyEntered``, ``EntryClosed`` or ``InvalidLineUp``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        catch_up(competition=competition, now=now)
        team = _find_team(team_id)
        if is_asked_first(player=team.captain, actor=actor):
            raise NotTheCaptain(f"Only {team.captain}, its captain, can enter this team.")
        for refusal in reasons_not_to_enter_team(competition=competition, team=team, captain=team.captain):
            if competition.boards is None or isinstance(refusal, AlreadyEntered):
                raise refusal
        check_admission(competition=competition)
        entry = make_entry(competition=competition, player=team.captain, now=now, is_there=True)
        entry.team, entry.competition = team, competition
        check_line_up(entry=entry, players=players)
        admit_entries(competition=competition, entries=[entry], actor=actor, now=now)
        LineUp.objects.create(entry=entry, players=[*players], set_by=actor, set_at=now)
        log_action(
            competition=competition,
            action="entered",
            actor=actor,
            subject=str(entry),
            reason=reason,
            now=now,
            concerns=(entry,),
        )
    return entry


def _find_team(team_id: int) -> Team:
    """Return an open team with its captain, which stays so until the transaction ends."""
    team = (
        Team.objects.select_for_update(of=("self",), no_key=True).select_related("captain").filter(pk=team_id).first()
    )
    if team is None:
        raise TeamNotFound("There is no such team.")
    check_open(team)
    return team
