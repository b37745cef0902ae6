"""Matches of a competition: those played, a player's first, and whose players others have replaced. Reads only."""

from dataclasses import dataclass

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from matches.models import Actor, Move, Status
from players.models import Player
from rules_engine.values import Ending, Side
from tournaments.models import SITTING, Entry, Fixture, Tie, is_played_by


def played_fixtures(*, competition_id: int) -> QuerySet[Fixture]:
    """Return the fixtures that count in which somebody has moved, or that have a result that is no forfeit."""
    fixtures = Fixture.objects.filter(competition_id=competition_id, is_annulled=False)
    moved = Move.objects.filter(match=OuterRef("match"), by_itself=False).exclude(actor=Actor.CHANCE)
    over = Q(match__status=Status.FINISHED) & ~Q(match__ending=Ending.FORFEIT)
    counted = Q(match=None, counted_at__isnull=False) & ~Q(ending=Ending.FORFEIT)
    return fixtures.filter(Exists(moved) | over | counted | Q(correction__isnull=False))


@dataclass(frozen=True, slots=True)
class FirstMatch:
    """The opponent of a player in round 1, by username, nobody for a bye, and the player's side if that is drawn."""

    opponent: str = ""
    side: Side | None = None


def first_match_of(*, competition_id: int, player_id: int) -> FirstMatch | None:
    """Return what round 1 of a competition brings a player; ``None`` if there is no draw. At most three queries."""
    ties = Tie.objects.filter(
        round__group__stage__competition=competition_id, round__group__stage__competition__boards=None, round__number=1
    )
    tie = ties.filter(Q(first__player=player_id) | Q(second__player=player_id)).order_by("part", "slot")
    own_tie = tie.select_related("first__player", "second__player").first()
    if own_tie is not None:
        return FirstMatch(_other(player_id, own_tie.first, own_tie.second))
    drawn = Fixture.objects.filter(competition=competition_id, round__number=1, is_annulled=False)
    mine = drawn.filter(is_played_by(player_id)).order_by("pk")
    fixture = mine.select_related(*SITTING).first()
    if fixture is not None:
        side = Side.YELLOW if fixture.player_ids.yellow == player_id else Side.RED
        return FirstMatch(_other(player_id, fixture.yellow, fixture.red), side)
    return FirstMatch() if drawn.filter(board=None).exists() else None


def _other(player_id: int, *both: Entry | None) -> str:
    return next((entry.player.username for entry in both if entry is not None and entry.player_id != player_id), "")


def with_players(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return the fixtures with the names of those who played their matches, where these are not the entrants."""
    # Subqueries are asked only of those: joined, both players would be read for every match.
    names = Player.objects.values("username")
    is_other = ~Q(match__yellow=F("yellow__player")) | ~Q(match__red=F("red__player"))
    was_replaced = Q(match__isnull=False, board=None) & is_other
    return fixtures.annotate(
        played_by_yellow=Case(When(was_replaced, then=Subquery(names.filter(pk=OuterRef("match__yellow_id"))))),
        played_by_red=Case(When(was_replaced, then=Subquery(names.filter(pk=OuterRef("match__red_id"))))),
    )
