"""Titles: which one a competition gives its winner, who has won which, and who holds that of a series."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When

from players.models import Player
from rules_engine.values import Side
from tournaments.models import Competition, CompetitionStatus, Entry, Fixture, Team, Title
from tournaments.models.title_names import TitleKind, kind_of_title
from tournaments.records.competitions import IN_COMPETITION

MAX_TITLES = 50
"""The most titles that a player's page shows, the latest first."""

LATEST_FIRST = ("-won_at", "-competition_id")


@dataclass(frozen=True, slots=True)
class TitlePosition:
    """A place in the list of titles: that of the one which was won then, in the competition with this id."""

    won_at: datetime
    competition_id: int


def derive_title(competition: Competition) -> Title | None:
    """Return the title that a competition gives its winner now, unsaved; ``None`` while it has none."""
    winner = competition.winner
    if competition.status != CompetitionStatus.FINISHED or winner is None or competition.finished_at is None:
        return None
    return Title(
        competition_id=competition.pk,
        player_id=winner.player_id,
        team_id=winner.team_id,
        kind=_kind_of(competition),
        family=competition.rules.family,
        won_at=competition.finished_at,
    )


def derive_members(competition: Competition) -> set[int]:
    """Return the ids of those who sat at the boards of the team that has won; of nobody where a player has."""
    winner = competition.winner
    if winner is None or winner.team_id is None:
        return set()
    played = Fixture.objects.filter(competition=competition.pk, is_annulled=False)
    seated = (
        played.filter(**{side: winner, f"{side}_player__isnull": False}).values_list(f"{side}_player", flat=True)
        for side in Side
    )
    return {player for of_side in seated for player in of_side}


def _kind_of(competition: Competition) -> TitleKind:
    """Return the kind of the title that the winner of a competition has."""
    stage = competition.first_stage
    return kind_of_title(
        is_year_final=competition.final_of is not None,
        is_league=stage.has_leagues or (competition.boards is not None and not stage.is_bracket),
        goes_by_months=stage.goes_by_months,
        gathers=stage.gathers,
    )


def list_titles(
    *,
    kind: TitleKind | None = None,
    family: str | None = None,
    player: Player | None = None,
    team: Team | None = None,
) -> QuerySet[Title]:
    """Return the titles that fit everything given, the latest first, with players, teams, competitions and series.

    Those of a player are among them that they have won with teams, at whose boards they sat.

    Each has ``is_held``: nobody has won a later season, or final, of its series. Those of what is hidden are not among
    them.
    """
    is_later = Q(competition__season__gt=OuterRef("competition__season")) | Q(
        competition__final_of__gt=OuterRef("competition__final_of")
    )
    later = Title.objects.filter(
        is_later, competition__series=OuterRef("competition__series"), competition__hidden_at=None
    )
    held = Case(When(Q(competition__series__isnull=False) & ~Exists(later), then=Value(True)), default=Value(False))
    titles = Title.objects.filter(competition__hidden_at=None).annotate(is_held=held)
    if kind is not None:
        titles = titles.filter(kind=kind)
    if family is not None:
        titles = titles.filter(family=family)
    if player is not None:
        titles = titles.filter(pk__in=_won_by(player))
    if team is not None:
        titles = titles.filter(team=team)
    return titles.select_related("player", "team", "competition__series").order_by(*LATEST_FIRST)


def _won_by(player: Player) -> QuerySet[Any]:
    """Return the ids of the titles that a player has won alone, or with a team: two ranges of indexes."""
    alone = Title.objects.filter(player=player, team=None).order_by().values("pk")
    with_teams = Title.members.through.objects.filter(player=player).order_by().values("title_id")
    return alone.union(with_teams, all=True)


def titles_after(titles: QuerySet[Title], position: TitlePosition | None) -> QuerySet[Title]:
    """Return those of the titles, the latest first, that come after a position; all for none."""
    if position is None:
        return titles
    same_moment = Q(won_at=position.won_at, competition__lt=position.competition_id)
    return titles.filter(Q(won_at__lt=position.won_at) | same_moment, won_at__lte=position.won_at)


def titles_of(player: Player) -> list[Title]:
    """Return a player's latest titles."""
    return list(list_titles(player=player)[:MAX_TITLES])


def titles_of_team(team: Team) -> list[Title]:
    """Return a team's latest titles."""
    return list(list_titles(team=team)[:MAX_TITLES])


def find_holder(competition: Competition) -> Title | None:
    """Return the title of the season before which had a winner, of one who plays in this season; ``None`` for others.

    One query for a later season of a series, none for anything else.
    """
    if competition.series_id is None or competition.season in {None, 1}:
        return None
    earlier = Title.objects.filter(
        competition__series=competition.series_id,
        competition__season__lt=competition.season,
        competition__hidden_at=None,
    )
    entries = Entry.objects.filter(competition_id=competition.pk, status__in=IN_COMPETITION)
    alone = Q(team=None) & Exists(entries.filter(player=OuterRef("player"), team=None))
    plays = alone | Exists(entries.filter(team=OuterRef("team")))
    found = earlier.annotate(plays=Case(When(plays, then=True), default=False), season=F("competition__season"))
    title = found.select_related("player", "team").order_by("-competition__season").first()
    return title if title is not None and vars(title)["plays"] else None
