"""Find out who organises which competition; nothing else decides that."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from players.models import Player
from tournaments.errors import (
    NO_COMPETITION,
    CompetitionNotFound,
    EntryNotFound,
    FixtureNotFound,
    NotAnOrganiser,
)
from tournaments.models import ENDED, Competition, CompetitionStatus, Entry, EntryStatus, Fixture, Round
from tournaments.selectors.competitions import with_first_stage
from tournaments.selectors.stages import find_group, round_in


def competitions_organised_by(*, player: Player | AnonymousUser) -> QuerySet[Competition]:
    """Return the competitions that the player organises; all for a superuser."""
    if not isinstance(player, Player) or not player.is_active:
        return Competition.objects.none()
    if player.is_superuser:
        return Competition.objects.all()
    return Competition.objects.filter(organisers=player)


def may_organise(*, competition: Competition, player: Player | AnonymousUser) -> bool:
    """Return whether the player may organise the competition."""
    return competitions_organised_by(player=player).filter(pk=competition.pk).exists()


def may_see(*, competition: Competition, player: Player | AnonymousUser | None) -> bool:
    """Return whether the competition exists for the player, or for a visitor.

    A draft, and what is hidden, does for its organisers alone.
    """
    if competition.status != CompetitionStatus.DRAFT and competition.hidden_at is None:
        return True
    return player is not None and may_organise(competition=competition, player=player)


def check_organiser(*, competition: Competition, player: Player | AnonymousUser | None) -> None:
    """Raise ``NotAnOrganiser`` unless the player may organise the competition; without a player the rules act."""
    if player is not None and not may_organise(competition=competition, player=player):
        raise NotAnOrganiser("Only the organisers of this competition may do this.")


def get_organised_competition(*, slug: str, player: Player | AnonymousUser) -> Competition:
    """Return the ladder or cup with this slug.

    Raises ``NotAnOrganiser``, or ``CompetitionNotFound`` where there is nothing or what others alone see.
    """
    competition = with_first_stage(Competition.objects.all()).filter(slug=slug).first()
    if competition is None or not may_see(competition=competition, player=player):
        raise CompetitionNotFound(NO_COMPETITION)
    check_organiser(competition=competition, player=player)
    return competition


def get_entry(competition: Competition, entry_id: int) -> Entry:
    """Return the competition's entry with this number. Raises ``EntryNotFound``."""
    entry = Entry.objects.select_related("player").filter(competition_id=competition.pk, pk=entry_id).first()
    if entry is None:
        raise EntryNotFound("There is no such entry in this competition.")
    return entry


def get_fixture(competition: Competition, fixture_id: int) -> Fixture:
    """Return the competition's fixture with this number. Raises ``FixtureNotFound``."""
    fixtures = Fixture.objects.select_related("yellow__player", "red__player", "match", "round", "tie", "group__stage")
    fixture = fixtures.filter(competition_id=competition.pk, pk=fixture_id).first()
    if fixture is None:
        raise FixtureNotFound("There is no such match in this competition.")
    return fixture


def competition_of(fixture_id: int) -> int:
    """Return the id of the competition in which a fixture is. Raises ``FixtureNotFound``."""
    competition_id = Fixture.objects.filter(pk=fixture_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise FixtureNotFound("There is no such match in a competition.")
    return competition_id


def get_round(competition: Competition, number: int, *, stage: int | None = None, group: int | None = None) -> Round:
    """Return the round of a group with this number: of the group that ``find_group`` finds by what is given.

    Raises ``GroupNotFound`` and ``RoundNotFound``.
    """
    return round_in(find_group(competition, stage=stage, group=group), number)


def entries_of_closed_accounts(competition: Competition, *, limit: int) -> list[Entry]:
    """Return entrants of a running competition whose accounts were closed and whom nobody replaces, latest first."""
    if competition.status in ENDED:
        return []
    closed = Entry.objects.filter(competition_id=competition.pk, player__is_active=False).exclude(
        status=EntryStatus.REPLACED
    )
    return list(closed.select_related("player").order_by("-player__closed_at", "-pk")[:limit])
