"""Set the line-ups of teams: who sits at which board from a round on."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.entries.errors import EntryOver
from tournaments.models import ENDED, Entry, LineUp, MembershipStatus, Round, TeamMembership
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import check_organiser, competition_of_entry, role_in
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.records.errors import RoundNotFound
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.services.catch_up import catch_up
from tournaments.teams.errors import InvalidLineUp, LineUpClosed, NotATeam, NotTheCaptain
from tournaments.teams.selectors.line_ups import coming_line_up_rounds, sits_for_another


def set_line_up(
    *, entry_id: int, round_number: int, players: Sequence[int], actor: Player, now: datetime, reason: str = ""
) -> LineUp:
    """Say who sits at which board from a round on, until another line-up does, and return the line-up.

    ``players`` are ids, that of the first board first; fewer than there are boards leave the last ones empty. Captains
    do it, and organisers for them, until the round begins. Raises ``EntryNotFound``, ``NotATeam``, ``NotTheCaptain``,
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``EntryOver``, ``RoundNotFound``, ``LineUpClosed`` or
    ``InvalidLineUp``.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_of_entry(entry_id))
        entry = _find(entry_id)
        is_captain = entry.team is not None and entry.team.captain_id == actor.pk
        if not is_captain:
            is_stranger = role_in(competition=competition, player=actor) is None
            if is_stranger and entry.team is not None:
                raise NotTheCaptain(_("Only the captain of the team can do this."))
            if not is_stranger:
                check_organiser(competition=competition, player=actor)
        if entry.team is None:
            raise NotATeam(_("Only teams have line-ups."))
        catch_up(competition=competition, now=now)
        entry = _find(entry_id)
        entry.competition = competition
        if competition.status in ENDED:
            raise WrongCompetitionStatus(_("The competition is over."))
        if not entry.is_in:
            raise EntryOver(_("%(entrant)s has already left the competition.") % {"entrant": entry})
        _check_round(entry, round_number)
        check_line_up(entry=entry, players=players)
        line_up, _is_new = LineUp.objects.update_or_create(
            entry=entry,
            round_number=round_number,
            defaults={"players": [*players], "set_by": actor, "set_at": now},
        )
        if not is_captain:
            log_action(
                competition=competition,
                action="line-up-set",
                actor=actor,
                subject=f"{entry}: {round_number}",
                reason=reason,
                now=now,
                concerns=(entry,),
            )
    return line_up


def check_line_up(*, entry: Entry, players: Sequence[int]) -> None:
    """Raise ``InvalidLineUp`` for players who cannot sit at the boards of a team; its entry may be new.

    The entry has its competition and team.
    """
    boards = entry.competition.boards or 0
    if not players:
        raise InvalidLineUp(_("Choose at least one player."))
    if len(players) > boards:
        raise InvalidLineUp(_("There are %(boards)d boards. Name at most one player for each.") % {"boards": boards})
    if len(set(players)) < len(players):
        raise InvalidLineUp(_("A player can play on only one board."))
    members = TeamMembership.objects.filter(
        team=entry.team, status=MembershipStatus.MEMBER, player__is_active=True, player__in=players
    )
    strangers = {*players} - set(members.values_list("player", flat=True))
    if strangers:
        named = Player.objects.filter(pk__in=strangers).order_by("username").first()
        raise InvalidLineUp(
            _("%(player)s is not a member of %(entrant)s.") % {"player": named or _("Somebody"), "entrant": entry}
        )
    if (other := sits_for_another(entry=entry, players=players)) is not None:
        raise InvalidLineUp(_("%(player)s plays for another team in this competition.") % {"player": other})


def _find(entry_id: int) -> Entry:
    entry = Entry.objects.select_related("team", "player").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound(_("There is no such entry."))
    return entry


def _check_round(entry: Entry, number: int) -> None:
    """Raise ``RoundNotFound`` for a round that there will not be, or ``LineUpClosed`` for one that has begun.

    It is closed as well for a team that is out of a knock-out, or has not come to this round of it.
    """
    rounds = dict(Round.objects.filter(group__seats__entry=entry).values_list("number", "started_at"))
    # Before the draw nobody knows how many rounds there will be.
    if number not in (rounds or {1}):
        raise RoundNotFound(_("There is no such round."))
    if rounds.get(number) is not None:
        raise LineUpClosed(_("The round has begun. You can set the line-up of the next one."))
    if rounds and number not in coming_line_up_rounds(entry):
        raise LineUpClosed(_("%(entrant)s does not play in round %(number)d.") % {"entrant": entry, "number": number})
