"""Announcements, and the lists of a competition that are read page by page, each in an order without equals."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import SITTING, Competition, Entry, Fixture, LogEntry, PlaceChange, Round, is_played_by
from tournaments.models.audiences import audience_of
from tournaments.office.errors import AnnouncementNotFound, LogTextNotFound
from tournaments.records.matches import with_players

ANNOUNCED = "announced"


def get_announcement(competition: Competition, announcement_id: int) -> LogEntry:
    """Return the competition's announcement with this number. Raises ``AnnouncementNotFound``."""
    lines = LogEntry.objects.filter(competition_id=competition.pk, action=ANNOUNCED, pk=announcement_id)
    line = lines.select_related("actor", "competition").first()
    if line is None:
        raise AnnouncementNotFound(_("There is no such announcement in this competition."))
    return line


def has_public_text(line: LogEntry) -> bool:
    """Return whether a line of a log says, or said, something in an organiser's words that everybody can read."""
    is_of_organiser = line.actor_id is not None and line.action != "tie-decided"
    is_there = bool(line.reason) or line.taken_down_at is not None
    return is_of_organiser and is_there and audience_of(line.action).is_listed


def get_public_text(competition: Competition, line_id: int) -> LogEntry:
    """Return the line of a competition's log whose text everybody can read. Raises ``LogTextNotFound``."""
    lines = LogEntry.objects.filter(competition_id=competition.pk, pk=line_id)
    line = lines.select_related("actor", "competition").first()
    if line is None or not has_public_text(line):
        raise LogTextNotFound(_("There is no such text in the log of this competition."))
    return line


def pinned_announcements(competition: Competition) -> QuerySet[LogEntry]:
    """Return what is pinned to the competition's page, what was pinned last first, with who announced it."""
    pinned = LogEntry.objects.filter(competition_id=competition.pk, pinned_at__isnull=False, taken_down_at=None)
    return pinned.select_related("actor").order_by("-pinned_at", "-pk")


def pinned_if_any(competition: Competition) -> list[LogEntry]:
    """Return what is pinned to the page of a competition that was read by ``get_cup`` or ``get_ladder``."""
    return list(pinned_announcements(competition)) if vars(competition)["has_pinned"] else []


def place_changes_of(competition: Competition, *, player: Player | None = None) -> QuerySet[PlaceChange]:
    """Return how places changed in the competition, or a player's own."""
    changes = PlaceChange.objects.filter(competition=competition.pk)
    return changes if player is None else changes.filter(seat__entry__player=player)


def with_players_and_stages(changes: QuerySet[PlaceChange]) -> QuerySet[PlaceChange]:
    """Return the changes of places with what is said of each: players, teams, stages and groups."""
    return changes.select_related("seat__entry__player", "seat__entry__team", "seat__stage", "seat__group")


def fixtures_of(
    competition: Competition,
    *,
    player: Player | None = None,
    stage: int | None = None,
    group: int | None = None,
    number: int | None = None,
    counted: bool | None = None,
) -> QuerySet[Fixture]:
    """Return the competition's matches that fit everything given and are not annulled.

    ``stage`` and ``group`` are numbers of these, ``number`` is a round's, which takes a query of its own.
    """
    fixtures = Fixture.objects.filter(competition_id=competition.pk, is_annulled=False)
    if player is not None and competition.boards is not None:
        fixtures = fixtures.filter(is_played_by(player))
    elif player is not None:
        # By their ids, for the same reason: two at most but for who was replaced.
        own = list(Entry.objects.filter(competition_id=competition.pk, player=player).values_list("pk", flat=True))
        fixtures = fixtures.filter(Q(yellow__in=own) | Q(red__in=own))
    if stage is not None:
        fixtures = fixtures.filter(group__stage__number=stage)
    if group is not None:
        fixtures = fixtures.filter(group__number=group)
    if number is not None:
        rounds = Round.objects.filter(group__stage__competition=competition.pk, number=number)
        # By their ids: PostgreSQL would go through all matches of the competition for those of its rounds.
        fixtures = fixtures.filter(round__in=list(rounds.order_by().values_list("pk", flat=True)))
    return fixtures if counted is None else fixtures.filter(counted_at__isnull=not counted)


def with_players_and_rounds(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return the fixtures with what is said of each: who plays and has played, round, group and stage."""
    return with_players(fixtures.select_related(*SITTING, "round", "group__stage"))
