"""Services for the seeks and matches of a closed account."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from django.db.models import Q, QuerySet

from matches.errors import MatchOver, SeekClosed, TooLate
from matches.models import Match, Seek, SeekStatus, Status
from matches.services.adjudication import forfeit_matches
from matches.services.expiry import expire_match
from matches.services.resignation import resign
from matches.services.seeks import decline_seek, withdraw_seek
from players.models import Player


def seeks_to_end(*, player: Player) -> QuerySet[Seek]:
    """Return the player's open seeks, invitations and offers of rematches, and those of others to the player."""
    return Seek.objects.filter(Q(creator=player) | Q(invited=player), status=SeekStatus.OPEN).order_by("pk")


def end_seeks_of(*, player: Player) -> int:
    """Withdraw the player's seeks, invitations and offers of rematches, decline those of others; return how many."""
    ended = 0
    for seek_id, creator_id in seeks_to_end(player=player).values_list("pk", "creator_id"):
        end = withdraw_seek if creator_id == player.pk else decline_seek
        # Somebody may take it at this very moment; the match is then ended like all others.
        with suppress(SeekClosed):
            end(seek_id=seek_id, player=player)
            ended += 1
    return ended


def end_matches_of(*, player: Player, now: datetime) -> int:
    """Resign all running matches of the player and return how many; a match that the clock has decided stays so.

    A match of a competition is forfeited instead: its player has left the competition before.
    """
    running = Match.objects.filter(Q(yellow=player) | Q(red=player), status=Status.PLAYING).order_by("pk")
    matches = list(running.only("pk", "yellow_id", "red_id", "competition"))
    _resign_all((match.pk for match in matches if match.competition is None), player, now)
    losers = {match.pk: match.side_of(player.pk) for match in matches if match.competition is not None}
    forfeit_matches(losers=losers, now=now)
    return len(matches)


def _resign_all(match_ids: Iterable[int], player: Player, now: datetime) -> None:
    for match_id in match_ids:
        try:
            with suppress(MatchOver):
                resign(match_id=match_id, player=player, now=now)
        except TooLate:
            expire_match(match_id=match_id, now=now)
