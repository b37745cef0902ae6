"""The deadlines of a player: to move in matches, and to end those of a round."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from database.row_counts import count_rows
from matches.models import Match
from matches.selectors.matches import running_matches
from players.models import Player
from rules_engine.values import Side
from tournaments.models import ENDED, Competition, Entry, Fixture, LogEntry, Round, is_played_by


def matches_to_move(player: Player) -> list[Match]:
    """Return the matches in which it is the player's turn and the clock runs, the most urgent first. One query."""
    own_turn = Q(yellow=player, side=Side.YELLOW) | Q(red=player, side=Side.RED)
    running = running_matches(player).filter(own_turn, paused_at=None, deadline__isnull=False)
    return list(running[: settings.MAX_OWN_DEADLINES])


def rounds_to_end(player: Player) -> list[Round]:
    """Return the rounds with a deadline in which the player has open matches, the most urgent first. Three queries.

    Each has its group, stage and competition, and of the competition how often it has changed, as ``revision``, and
    when it last did, as ``changed_at``. In competitions that are paused the dates move, so these are left out.
    """
    log = LogEntry.objects.filter(competition=OuterRef("group__stage__competition"))
    latest = log.order_by().values("competition").annotate(last=Max("logged_at")).values("last")
    going_on = Competition.objects.filter(paused_at=None, hidden_at=None).exclude(status__in=ENDED)
    entries = list(Entry.objects.filter(player=player, competition__in=going_on).values_list("pk", flat=True))
    own = Fixture.objects.filter(is_played_by(player, entries), counted_at=None, is_annulled=False)
    # By their ids: PostgreSQL would look for own matches in every round of the site that has a date.
    keys = list(own.filter(round__isnull=False).values_list("round", flat=True).distinct())
    rounds = Round.objects.filter(pk__in=keys, ends_at__isnull=False, ended_at=None)
    rounds = rounds.filter(group__stage__competition__in=going_on)
    rounds = rounds.annotate(
        revision=count_rows(log, by="competition"),
        changed_at=Coalesce(Subquery(latest), "group__stage__competition__created_at"),
    )
    joined = rounds.select_related("group__stage__competition")
    return list(joined.order_by("ends_at", "pk")[: settings.MAX_OWN_DEADLINES])
