"""How many games two players may still rate outside of competitions (rules: competitions, "Rating games").

It is decided when a match begins, and said before. A running match counts as if it were won: so the number of rated
wins holds for the day on which they come.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from matches.models import Match, Seek
from matches.models.match import FINISHED, PLAYING
from matches.selectors.matches import moved_by_both
from players.models import Player
from rules_engine.values import Side

MAX_WINS_A_DAY = 2
"""The most rated wins of a player over one level of the computers in a day."""

MAX_GAMES_OF_TWO = 5
"""The most rated games of the same two people in ``PERIOD``."""

PERIOD = timedelta(hours=24)


def why_casual(player: Player, opponent: Player, *, now: datetime) -> str:
    """Return the sentence that says why a further game of two players is casual; empty if it can be rated."""
    if player.level:
        player, opponent = opponent, player
    return reasons_to_be_casual(player, [opponent], now=now).get(opponent.pk, "")


def casual_seeks(seeks: Iterable[Seek], player: Player | None, *, now: datetime) -> dict[int, str]:
    """Return why a match would be casual that a player gets from one of the rated seeks, by the seek's id.

    At most two queries.
    """
    rated = [seek for seek in seeks if seek.is_rated and player is not None and seek.creator_id != player.pk]
    if player is None or not rated:
        return {}
    if player.is_guest:
        return {seek.pk: _("Matches of guests are casual.") for seek in rated if seek.by_link}
    reasons = reasons_to_be_casual(player, {seek.creator for seek in rated}, now=now)
    return {seek.pk: reasons[seek.creator_id] for seek in rated if seek.creator_id in reasons}


def reasons_to_be_casual(player: Player, opponents: Collection[Player], *, now: datetime) -> dict[int, str]:
    """Return why further games of a player with some of the opponents are casual, by the opponent's id."""
    computers = {each.pk: each for each in opponents if each.level}
    people = {each.pk: each for each in opponents if not each.level}
    reasons = {}
    if computers:
        wins = _count(_won_or_going_on(player, now), player, computers)
        reasons = {
            pk: _(
                "You have %(most)d rated games against %(computer)s today that you have won or are still playing. "
                "Further ones are casual until 00:00 UTC, or until one of these ends otherwise."
            )
            % {"most": MAX_WINS_A_DAY, "computer": computers[pk].username}
            for pk, number in wins.items()
            if number >= MAX_WINS_A_DAY
        }
    if people:
        games = _count(Match.objects.filter(created_at__gt=now - PERIOD), player, people)
        reasons |= {
            pk: _("You and %(player)s have begun %(most)d rated games in the last 24 hours. Further ones are casual.")
            % {"most": MAX_GAMES_OF_TWO, "player": people[pk].username}
            for pk, number in games.items()
            if number >= MAX_GAMES_OF_TWO
        }
    return reasons


def _won_or_going_on(player: Player, now: datetime) -> QuerySet[Match]:
    """Return the matches that go on, and those of today that the player has won, today being a day of UTC."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    won = Q(yellow=player, winner=Side.YELLOW) | Q(red=player, winner=Side.RED)
    return Match.objects.filter(PLAYING | (FINISHED & won & Q(finished_at__gte=midnight)))


def _count(matches: QuerySet[Match], player: Player, opponents: Collection[int]) -> Counter[int]:
    """Return how many of the matches with each opponent are rated outside of competitions, or may come to be."""
    rated = matches.filter(PLAYING | moved_by_both(), is_rated=True, competition=None, annulled_at=None)
    found: Counter[int] = Counter()
    for own, other in (("yellow", "red"), ("red", "yellow")):
        sides = rated.filter(**{own: player, f"{other}__in": opponents})
        found.update(sides.values_list(F(f"{other}_id"), flat=True))
    return found
