"""Queries for seeks."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from math import ceil, floor

from django.db.models import F, Q, QuerySet, Value, Window
from django.db.models.functions import Greatest, RowNumber
from django.utils.translation import gettext as _

from database.compiled_queries import CompiledQuery
from matches.errors import ComputersNotAdmitted, GuestsNotRated, RatingOutOfRange, SeekNotFound
from matches.models import Match, Seek, SeekStatus
from matches.models.seek import IN_LOBBY
from matches.seek_links import read_link
from players.models import START_RATING, Player
from players.selectors import ratings_in
from rules_engine.registry import GAMES, get_game
from web.errors import DomainError

DECLINED_SHOWN = timedelta(days=1)
"""The time for which players are told that an invitation of theirs was declined."""

MAX_SHOWN_FIRST = 3
"""The number of open seeks of one player that are listed first, before the rest of theirs."""


def visible_seeks(player: Player | int | None) -> QuerySet[Seek]:
    """Return the seeks that a player may see, whatever their status, the newest first.

    Invitations are seen by their two players only, games with a link by who posted them; ``None`` is a visitor.
    """
    seen = IN_LOBBY if player is None else IN_LOBBY | Q(invited=player) | Q(creator=player)
    return Seek.objects.filter(seen).select_related("creator", "invited").order_by("-pk")


def get_seek(seek_id: int, player: Player | None) -> Seek:
    """Return a seek that a player may see, with its match; raises ``SeekNotFound``."""
    seek = visible_seeks(player).select_related("match").filter(pk=seek_id).first()
    if seek is None:
        raise SeekNotFound(_("There is no such open game."))
    return seek


def find_linked_seek(token: str) -> Seek:
    """Return the seek, with its match, that the token of a link names; raises ``SeekNotFound``."""
    seek_id = read_link(token)
    seek = Seek.objects.select_related("creator", "match").filter(pk=seek_id, by_link=True).first()
    if seek is None:
        raise SeekNotFound(_("This link leads to no game. Ask for it again."))
    return seek


def open_seeks(player: Player | int | None) -> QuerySet[Seek]:
    """Return the open seeks that a player may see: those for everybody, their own, and their invitations."""
    return visible_seeks(player).filter(status=SeekStatus.OPEN, creator__is_active=True)


def seeks_to_take(player: Player | None, *, limit: int) -> list[Seek]:
    """Return so many of the open seeks that a player may take: invitations first, and then the newest first.

    Of each creator the newest three come first, so that nobody fills the list: the fourth of each come after them, then
    the fifth, and so on.
    """
    if player is None:
        return list(_to_take(None, limit))
    return _compiled(limit).all(player_id=player.pk)


@cache
def _compiled(limit: int) -> CompiledQuery[Seek]:
    return CompiledQuery(lambda player_id: _to_take(player_id, limit), is_prepared=False)


def _to_take(player: int | None, limit: int) -> QuerySet[Seek]:
    # Closed accounts are found by an index, so that no creators are read but those of the seeks that are listed.
    closing = Player.objects.filter(is_active=False, closing_finished_at=None)
    seeks = visible_seeks(player).filter(status=SeekStatus.OPEN).exclude(creator__in=closing)
    if player is not None:
        seeks = seeks.exclude(creator=player)
    # Among those that are listed every seek has the same turn as among all.
    listed = _in_turn(seeks)[:limit].values("pk")
    return _in_turn(open_seeks(player).filter(pk__in=listed))


def _in_turn(seeks: QuerySet[Seek]) -> QuerySet[Seek]:
    place = Window(RowNumber(), partition_by=[F("creator_id"), F("invited_id")], order_by=F("id").desc())
    return seeks.annotate(turn=Greatest(place, Value(MAX_SHOWN_FIRST))).order_by(
        F("invited_id").asc(nulls_last=True), "turn", "-pk"
    )


def seeks_waiting_for(player: Player) -> QuerySet[Seek]:
    """Return the invitations of a player, and the open seeks that they may take, the newest first.

    Seeks for which ``obstacle_to`` gives a reason are left out.
    """
    seeks = open_seeks(player).exclude(creator=player)
    if player.is_guest:
        seeks = seeks.filter(is_rated=False)
    for_everybody = Q(invited=None) & _within_rating_limits(player)
    if player.is_computer:
        for_everybody &= Q(admits_computers=True)
    return seeks.filter(Q(invited=player) | for_everybody)


def seeks_for_computers(*, since: datetime) -> QuerySet[Seek]:
    """Return the seeks that computers may take and that nobody has taken since then, the oldest first."""
    seeks = Seek.objects.filter(
        status=SeekStatus.OPEN, invited=None, admits_computers=True, created_at__lte=since, creator__level=""
    )
    return seeks.filter(creator__is_active=True).select_related("creator").order_by("created_at", "pk")


def rematch_offers(match: Match) -> QuerySet[Seek]:
    """Return the offers of a rematch of this match that stand, and the one that was taken."""
    return Seek.objects.filter(rematch_of=match, status__in=[SeekStatus.OPEN, SeekStatus.TAKEN])


def recently_taken_seeks(player: Player, *, since: datetime) -> list[tuple[int, int, datetime]]:
    """Return the player's seeks that were taken since then, in that order: their ids, their matches' ids, and when."""
    taken = Seek.objects.filter(creator=player, status=SeekStatus.TAKEN, changed_at__gte=since, match__isnull=False)
    return list(taken.order_by("changed_at", "pk").values_list("pk", "match_id", "changed_at"))


def own_seeks(player: Player) -> QuerySet[Seek]:
    """Return the player's own open seeks."""
    return open_seeks(player).filter(creator=player)


def declined_lately(player: Player, *, now: datetime) -> QuerySet[Seek]:
    """Return the player's invitations that were declined within ``DECLINED_SHOWN``, the latest first."""
    declined = Seek.objects.filter(creator=player, status=SeekStatus.DECLINED, changed_at__gt=now - DECLINED_SHOWN)
    return declined.select_related("invited").order_by("-changed_at")


def obstacle_to(seek: Seek, player: Player, rating: Decimal) -> DomainError | None:
    """Return why a player with this rating may not take the seek, ``None`` if they may.

    An invitation names its player, so its rating limits are not asked. A guest plays a casual match by a link.
    """
    if seek.is_rated and player.is_guest and not seek.by_link:
        return GuestsNotRated(_("Only players with an account can play rated matches. Sign up first."))
    if seek.invited_id is not None:
        return None
    if player.is_computer and not seek.admits_computers:
        return ComputersNotAdmitted(_("Only people can join this game."))
    if seek.min_rating is not None and rating < seek.min_rating:
        return RatingOutOfRange(_("This game is for players rated %(rating)d or more.") % {"rating": seek.min_rating})
    if seek.max_rating is not None and rating > seek.max_rating:
        return RatingOutOfRange(_("This game is for players rated %(rating)d or less.") % {"rating": seek.max_rating})
    return None


def obstacles_to(seeks: Collection[Seek], player: Player | None) -> dict[int, str]:
    """Return the reasons, by the seek's id, why a player may not take some of the seeks.

    ``None`` is a visitor, who would take them as a guest.
    """
    taker = player or Player(is_guest=True)
    families = {seek.pk: get_game(seek.game).family for seek in seeks}
    ratings = {
        family: ratings_in(family=family, players=[player])[player.pk] if player else START_RATING
        for family in sorted(set(families.values()))
    }
    obstacles = {seek.pk: obstacle_to(seek, taker, ratings[families[seek.pk]]) for seek in seeks}
    return {seek_id: obstacle.reason for seek_id, obstacle in obstacles.items() if obstacle is not None}


def _within_rating_limits(player: Player) -> Q:
    """Return the condition that the player's rating in the seek's family of games is within the seek's limits."""
    keys: dict[str, list[str]] = defaultdict(list)
    for game in GAMES.values():
        keys[game.family].append(game.key)
    within = Q()
    for family, games in keys.items():
        rating = ratings_in(family=family, players=[player])[player.pk]
        is_high_enough = Q(min_rating=None) | Q(min_rating__lte=floor(rating))
        is_low_enough = Q(max_rating=None) | Q(max_rating__gte=ceil(rating))
        within |= Q(game__in=games) & is_high_enough & is_low_enough
    return within
