"""Find competitions and what concerns a player in them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from database.compiled_queries import CompiledQuery
from database.row_counts import count_rows
from formats.grouping import MIN_SIZE
from formats.protocol import Flow
from formats.registry import FORMATS, formats_with
from matches.models import SitePause
from players.models import NameChanges, Player
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    SITTING,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    Ladder,
    LogEntry,
    Stage,
    Team,
    WaitingPlayer,
    is_played_by,
)
from tournaments.models.competition import JOINED_STAGE, LAST_STAGE, PUBLIC
from tournaments.records.coming_rounds import groups_under_way, with_rounds_to_come
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound
from tournaments.records.groups import FIRST_GROUP, PAIRING_DUE, ROUND_PROPOSED, SEATS

E = TypeVar("E", bound=Competition)

MAX_SHOWN = 5
"""The number of competitions, and of fixtures to come, of which the home page says something."""

IN_COMPETITION = (EntryStatus.ACTIVE, EntryStatus.ON_HOLD)
THOSE_IN_IT_FIRST = (
    Case(When(status__in=IN_COMPETITION, then=0), When(status=EntryStatus.REPLACED, then=2), default=1),
    "pk",
)
"""The order of entries of which one is shown: a captain may have withdrawn a team and lead another one."""


def _count_entries(condition: Q) -> Coalesce:
    return count_rows(Entry.objects.filter(condition, competition_id=OuterRef("pk")), by="competition")


def count_leavers(*, since: datetime | OuterRef) -> Coalesce:
    """Return how many have left a competition since then, as an expression of its row."""
    return _count_entries(Q(status=EntryStatus.GONE, left_at__gte=since))


ENTRY_NUMBERS = {
    "entrants": _count_entries(Q(status__in=IN_COMPETITION)),
    "leavers": count_leavers(since=OuterRef("started_at")),
}
"""The stored numbers of a competition's entries: a replaced entrant is counted by the replacement."""

FIRST_STAGE = Stage.objects.filter(competition=OuterRef("pk"), number=1)
GATHERS = Q(grouping__whenever__gte=MIN_SIZE) & ~Q(grouping__whenever=None)
"""Stages whose groups form one by one. To SQLite, null in JSON is a text, and texts are above all numbers."""

MAY_GATHER = Exists(FIRST_STAGE.filter(GATHERS)) | ~Exists(
    Competition.objects.filter(pk=OuterRef("pk"), options_version=OuterRef("options_version"))
)
"""Of a competition that is locked with it as ``may_gather``: ``GATHERS``, or true if options have changed meanwhile.

PostgreSQL reads a row again for which a lock had to wait, but subqueries as they were before: another version of the
options tells.
"""


def public_among(ids: Collection[int]) -> set[int]:
    """Return which of these competitions everybody can see, by their ids."""
    return set(Competition.objects.filter(PUBLIC, pk__in=ids).values_list("pk", flat=True))


def public_by_slug(slugs: Collection[str]) -> list[int]:
    """Return the ids of these competitions; raises ``CompetitionNotFound`` unless everybody can see all of them."""
    found = Competition.objects.filter(PUBLIC, slug__in=slugs).values_list("pk", flat=True)
    if len(found) < len(set(slugs)):
        raise CompetitionNotFound(NO_COMPETITION)
    return list(found)


def find_ladder(competition: Competition) -> Ladder | None:
    """Return the competition as a ladder, if it is one."""
    return competition if isinstance(competition, Ladder) else None


def get_cup(slug: str) -> Cup:
    """Return the cup with this slug, drafts included; raises ``CompetitionNotFound``."""
    cup = _CUP.find(slug=slug)
    if cup is None:
        raise CompetitionNotFound(NO_COMPETITION)
    return cup


def get_ladder(slug: str) -> Ladder:
    """Return the ladder with this slug, drafts included; raises ``CompetitionNotFound``."""
    ladder = _LADDER.find(slug=slug)
    if ladder is None:
        raise CompetitionNotFound(NO_COMPETITION)
    return ladder


def list_competitions(
    *,
    kind: CompetitionKind | None = None,
    status: str | None = None,
    game: str | None = None,
    query: str = "",
    drafts: bool = False,
) -> QuerySet[Competition]:
    """Return the competitions that fit everything given, the newest first, in one query.

    Drafts, and what is hidden, only if ``drafts`` are asked for.

    Each has its first stage, its ``first_group``, and its winner.
    """
    competitions = _with_numbers(Competition.objects.select_related("winner__player", "winner__team"))
    if not drafts:
        competitions = competitions.filter(PUBLIC)
    competitions = competitions.order_by("-pk")
    if kind is not None:
        competitions = competitions.filter(kind=kind)
    if status is not None:
        competitions = competitions.filter(status=status)
    if game is not None:
        competitions = competitions.filter(game=game)
    if query:
        competitions = competitions.filter(name__icontains=query)
    return competitions


def open_competitions(to_come: Collection[int] | None = None) -> QuerySet[Competition]:
    """Return the competitions that players can enter now as far as status and rounds go, the newest first.

    Of those that are paired by results they are those ``to_come`` to further rounds, which are read if not given.
    """
    by_results, others = _stages_for_latecomers()
    return list_competitions().filter(
        Q(status=CompetitionStatus.OPEN)
        | Q(status=CompetitionStatus.RUNNING, pk__in=others.values("competition"))
        | Q(pk__in=with_rounds_to_come(groups_under_way(by_results)) if to_come is None else to_come)
    )


def latest_to_enter(player: Player) -> list[Competition]:
    """Return a few competitions that everybody can enter now, if with a password, and that the player is not in."""
    to_come = with_rounds_to_come(_UNDER_WAY.all())
    if not to_come:
        return _TO_ENTER.all(player_id=player.pk)
    return list(_to_enter(player.pk, to_come))


def _to_enter(player_id: int, to_come: Collection[int]) -> QuerySet[Competition]:
    return open_competitions(to_come).filter(by_invitation=False).exclude(entries__player=player_id)[:MAX_SHOWN]


def _stages_for_latecomers() -> tuple[QuerySet[Stage], QuerySet[Stage]]:
    """Return the first stages of running competitions that take latecomers: those paired by results, and others."""
    late = [key for key, spec in FORMATS.items() if spec.abilities(spec.options()).late_entry]
    paired = [key for key in late if FORMATS[key].abilities(FORMATS[key].options()).pairs_by_results]
    takes_latecomers = Q(format__in=formats_with(Flow.CONTINUOUS)) | Q(GATHERS, late_entry=True)
    takes_latecomers |= Q(format__in=late, late_entry=True) & (Q(round_days=None) | Q(format__in=paired))
    levels = Cast(KeyTextTransform("levels", "advance"), IntegerField())
    begun = Group.objects.filter(stage__competition=OuterRef("competition"), started_at__isnull=False)
    last_level_begun = Exists(begun.filter(stage__number__gte=OuterRef("levels")))
    stages = Stage.objects.alias(levels=levels).filter(takes_latecomers, number=1).exclude(last_level_begun)
    running = stages.filter(competition__status=CompetitionStatus.RUNNING)
    return running.filter(format__in=paired), running.exclude(format__in=paired)


def entered_or_led_by(player: Player) -> QuerySet[Entry, Any]:
    """Return the ids of all entries of the player alone, and of teams whose captain the player is.

    Each part is found by its own index: for an OR over both, the entries of everybody would be read.
    """
    alone, led = Entry.objects.filter(player=player, team=None), Entry.objects.filter(team__captain=player)
    return alone.order_by().values("pk").union(led.order_by().values("pk"))


def entries_of(player: Player) -> QuerySet[Entry]:
    """Return the player's entries in competitions that have not ended and can be seen, with stages and standing.

    Those of the teams whose captain the player is are among them.
    """
    return (
        Entry.objects.filter(pk__in=entered_or_led_by(player), status__in=IN_COMPETITION, competition__hidden_at=None)
        .exclude(
            competition__status__in=[CompetitionStatus.FINISHED, CompetitionStatus.CANCELLED, CompetitionStatus.DRAFT]
        )
        .select_related("competition")
        .prefetch_related("competition__stages", SEATS)
        .order_by("-competition_id")
    )


def entries_of_team(team: Team) -> QuerySet[Entry]:
    """Return the team's entries in competitions that can be seen, ended or not, the newest first, as ``entries_of``."""
    return (
        Entry.objects.filter(team=team, competition__hidden_at=None)
        .exclude(competition__status=CompetitionStatus.DRAFT)
        .select_related("competition")
        .prefetch_related("competition__stages", SEATS)
        .order_by("-competition_id")
    )


def coming_fixtures(player: Player) -> list[Fixture]:
    """Return the first few fixtures of rounds still to come in which the player is to meet somebody, in order.

    Those of what is hidden are not among them.
    """
    return _COMING.all(player_id=player.pk)


def _coming(player: int) -> QuerySet[Fixture]:
    return _with_all(
        Fixture.objects.filter(
            is_played_by(player),
            match=None,
            counted_at=None,
            is_annulled=False,
            competition__status=CompetitionStatus.RUNNING,
            competition__hidden_at=None,
        )
    ).order_by("round__number", "pk")


_PROTEST_TIME = ExpressionWrapper(Cast("protest_hours", IntegerField()) * Value(timedelta(hours=1)), DurationField())
_FINAL_AT = Case(
    When(
        status=CompetitionStatus.FINISHED,
        protest_hours__isnull=False,
        then=ExpressionWrapper(F("finished_at") + _PROTEST_TIME, DateTimeField()),
    ),
    default=F("finished_at"),
    output_field=DateTimeField(),
)
"""When the result of a competition that is over became final, or will: with the end of its protest time."""


def _provisional_seasons(now: datetime) -> QuerySet[Competition]:
    """Return the seasons for which later ones have to wait: they have not ended, or their results are not final."""
    seasons = Competition.objects.alias(final_at=_FINAL_AT).filter(series__overlap=False)
    return seasons.filter(~Q(status__in=ENDED) | Q(final_at__gt=now))


def waits_for_last_season(competition: Competition, *, now: datetime) -> bool:
    """Return whether this is a season that has to wait for the final result of one before. One query at most."""
    if competition.season is None:
        return False
    before = _provisional_seasons(now).filter(series=competition.series_id, season__lt=competition.season)
    return before.exists()


def last_season_ended_at(competition: Competition) -> datetime | None:
    """Return when the seasons before were over for good for which this one had to wait; ``None`` if there are none.

    One query for a later season of a series, none for anything else.
    """
    if competition.season in {None, 1}:
        return None
    before = Competition.objects.filter(
        series=competition.series_id, series__overlap=False, season__lt=competition.season
    )
    return before.aggregate(ended_at=Max(_FINAL_AT))["ended_at"]


def waits_for_pause(date: str) -> Exists:
    """Return the condition that a pause of the site, over or not, is still to move a date of the outer query."""
    return Exists(SitePause.objects.filter(dates_moved_at=None, begins_at__lt=OuterRef(date)))


def competitions_due(now: datetime) -> QuerySet[Competition]:
    """Return the competitions that start by themselves now, full or at their time; cups when enough have entered.

    Where groups form one by one, the competition starts with the first of them; how many that needs is not asked here.
    A start that a pause of the site is to move waits for that. While players check in, what is full, or has enough for
    a group, waits until all of them have; where nobody can, because it is hidden, it waits, too.
    """
    unchecked = Exists(Entry.objects.filter(competition=OuterRef("pk"), status=EntryStatus.ACTIVE, checked_in_at=None))
    is_complete = ~(Q(check_in_opened_at__isnull=False) & unchecked)
    too_few = Q()
    for least in {spec.min_entrants for spec in FORMATS.values()} - {0}:
        keys = [key for key, spec in FORMATS.items() if spec.min_entrants == least]
        too_few |= Exists(FIRST_STAGE.filter(format__in=keys)) & Q(entrants__lt=least)
    return (
        _with_numbers(Competition.objects.all())
        .filter(status__in=[CompetitionStatus.OPEN, CompetitionStatus.CLOSED])
        .filter(
            Q(~waits_for_pause("starts_at"), starts_at__lte=now)
            | Q(is_complete, starts_when_full=True, entrants__gte=F("max_entrants"))
            | Q(
                Exists(FIRST_STAGE.filter(GATHERS)),
                is_complete,
                status=CompetitionStatus.OPEN,
                starts_at=None,
                starts_when_full=False,
            )
        )
        .exclude(too_few)
        .exclude(Exists(_provisional_seasons(now).filter(series=OuterRef("series"), season__lt=OuterRef("season"))))
        .exclude(
            Q(check_in_opened_at__isnull=False) | Q(check_in_minutes__isnull=False, starts_at__isnull=False),
            hidden_at__isnull=False,
        )
        .order_by("pk")
    )


def ids_of_competitions_due(now: datetime) -> list[int]:
    """Return the ids of ``competitions_due``, the first made first. One query."""
    return list(competitions_due(now).values_list("pk", flat=True))


def is_start_due(competition_id: int, now: datetime) -> bool:
    """Return whether a competition is one of ``competitions_due``. One query."""
    return competitions_due(now).filter(pk=competition_id).exists()


def count_checked_in(competition: Competition) -> int:
    """Return how many of those who are in the competition have checked in."""
    entries = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
    return entries.filter(checked_in_at__isnull=False).count()


LAST_NUMBER = Stage.objects.filter(competition=OuterRef("pk")).order_by("-number").values("number")[:1]
LAST_FORMAT = Stage.objects.filter(competition=OuterRef("pk")).order_by("-number").values("format")[:1]
"""The format of the last stage, of competitions that are read with it as ``last_format``."""


def last_format_of(competition: Competition) -> str:
    """Return the key of the format in which a competition ends. One query, none where it was read with it."""
    known: str | None = vars(competition).get("last_format")
    return competition.all_stages[-1].format if known is None else known


def with_first_stage(competitions: QuerySet[E]) -> QuerySet[E]:
    """Return the competitions, each read together with its first stage."""
    first = FilteredRelation("stages", condition=Q(stages__number=1))
    return competitions.annotate(**{JOINED_STAGE: first}).select_related(JOINED_STAGE)


def with_details(competitions: QuerySet[E]) -> QuerySet[E]:
    """Return competitions with how many are ``waiting`` for the start, if anything ``has_pinned``, and forecast."""
    pinned = LogEntry.objects.filter(competition=OuterRef("pk"), pinned_at__isnull=False, taken_down_at=None)
    waiting = (
        WaitingPlayer.objects.filter(competition_id=OuterRef("pk"), removed_at=None).order_by().values("competition_id")
    )
    number = Subquery(waiting.annotate(number=Count("*")).values("number"), output_field=IntegerField())
    # Once it has started the list stays as it was, however long, and nobody waits.
    before_start = Case(When(status__in=NOT_STARTED, then=Coalesce(number, 0)), default=0)
    return competitions.annotate(waiting=before_start, has_pinned=Exists(pinned)).select_related("forecast")


def _with_numbers(competitions: QuerySet[E]) -> QuerySet[E]:
    return with_first_stage(competitions).annotate(
        first_group=Subquery(FIRST_GROUP),
        **{LAST_STAGE: Subquery(LAST_NUMBER)},
        last_format=Subquery(LAST_FORMAT),
    )


def _for_page(competitions: QuerySet[E], slug: str) -> QuerySet[E]:
    """Return the competition with what its page needs, and with the versions of its tables and of all names."""
    tables = Group.objects.filter(stage__competition=OuterRef("pk")).order_by().values("stage__competition")
    counted = tables.annotate(number=Sum(F("results_version") + F("table_version"))).values("number")
    found = with_details(_with_numbers(competitions.select_related("series").filter(slug=slug))).order_by()
    return found.annotate(
        tables_version=Subquery(counted), names_version=Subquery(NameChanges.objects.values("number"))
    )


_CUP = CompiledQuery(
    lambda slug: _for_page(Cup.objects.select_related("winner__player", "winner__team"), slug).annotate(
        pairing_due=PAIRING_DUE, round_proposed=ROUND_PROPOSED
    )
)
_UNDER_WAY = CompiledQuery(lambda: groups_under_way(_stages_for_latecomers()[0]))
_TO_ENTER = CompiledQuery(lambda player_id: _to_enter(player_id, ()))
_LADDER = CompiledQuery(lambda slug: _for_page(Ladder.objects.all(), slug))


def _with_all(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.select_related("match", "competition", "group__stage", "round", *SITTING)


_COMING = CompiledQuery(lambda player_id: _coming(player_id)[:MAX_SHOWN])
