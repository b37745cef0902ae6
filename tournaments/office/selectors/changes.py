"""Find what was logged in competitions, for the streams of their players and organisers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, Max, OuterRef, Prefetch, Q, QuerySet

from tournaments.models import LISTED, Competition, CompetitionKind, CompetitionStatus, FormerText, LogEntry
from tournaments.models.audiences import (
    HEARD_BY_HELPERS,
    HEARD_IN_DRAFTS,
    Players,
    audience_of,
    heard_on_streams,
)
from tournaments.office.selectors.entrants import entrants_at, entrants_in, was_in

_HEARD_BY_ALL = heard_on_streams(Players.ALL, Players.ALL_AND_NAMED)
_HEARD_BY_NAMED = heard_on_streams(Players.NAMED, Players.ALL_AND_NAMED)
_UNDONE = Q(action__in=heard_on_streams(Players.NAMED_OR_ALL))
_CONCERNS = LogEntry.concerns.through.objects


class LoggedChange(NamedTuple):
    """A line of a competition's log, and who is notified; ``stored_at`` is the database's time.

    Among the ``organisers`` are the helpers who hear of it. ``match`` is the one to which something was done, and
    ``of_teams`` says whether teams play the competition. What ``is_public`` hears whoever follows the competition.
    """

    pk: int
    stored_at: datetime
    logged_at: datetime
    action: str
    subject: str
    reason: str
    taken_down_at: datetime | None
    changes: Sequence[Mapping[str, str]]
    interest: str
    match: int | None
    competition_id: int
    slug: str
    kind: CompetitionKind
    of_teams: bool
    is_public: bool
    players: tuple[int, ...]
    organisers: tuple[int, ...]


def logged_changes(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_id: int | None = None,
    competitions: Collection[int] | None = None,
    limit: int | None = None,
) -> list[LoggedChange]:
    """Return the lines that fit everything given, ``limit`` at most, in the order they were stored in.

    Organisers get every line, the players of a competition those that concern them or all, as
    ``audiences`` says, and nothing while it is being prepared or hidden. Five queries at most. Of one
    player no others are in ``players`` and ``organisers``.
    """
    condition = Q()
    if player_id is not None:
        condition &= _concerns_organiser(player_id) | _concerns_player(player_id)
    if competitions is not None:
        condition &= Q(competition__in=competitions)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if after is not None:
        condition &= Q(stored_at__gt=after)
    lines = LogEntry.objects.filter(condition).order_by("stored_at", "pk")
    about = ("subject", "reason", "taken_down_at", "changes", "interest", "match_id", "competition_id")
    columns = ("pk", "stored_at", "logged_at", "action", *about)
    of_competition = ("slug", "kind", "status", "hidden_at", "boards")
    rows = list(lines.values_list(*columns, *(f"competition__{name}" for name in of_competition))[:limit])
    competitions = {row[10] for row in rows}
    players = _players_in(competitions, {row[10] for row in rows if row[15] is not None}, player_id)
    naming = [row[0] for row in rows if audience_of(row[3]).stream.may_be_named]
    named = players_named(naming, player_id) if naming else {}
    organisers = by_competition(Competition.organisers.through.objects.all(), competitions, player_id)
    for_helpers = {row[10] for row in rows if row[3] in HEARD_BY_HELPERS}
    helpers = by_competition(Competition.helpers.through.objects.all(), for_helpers, player_id)
    return [
        LoggedChange._make(
            (
                *line,
                competition,
                slug,
                CompetitionKind(kind),
                boards is not None,
                audience_of(line[3]).is_public and status != CompetitionStatus.DRAFT and hidden_at is None,
                ()
                if not _is_known(line[3], status, hidden_at)
                else choose_hearers(
                    audience_of(line[3]).stream, named.get(line[0]), entrants_at(players[competition], line[2])
                ),
                (*organisers[competition], *(helpers[competition] if line[3] in HEARD_BY_HELPERS else ())),
            )
        )
        for *line, competition, slug, kind, status, hidden_at, boards in rows
    ]


def listed_lines(competition: Competition) -> QuerySet[LogEntry]:
    """Return the lines of a competition's log that everybody can read, the latest first, with who did it."""
    return LogEntry.objects.filter(LISTED, competition_id=competition.pk).select_related("actor")


def with_former_texts(lines: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Return lines of a log with the texts that organisers have changed or taken down, and who did. One query more."""
    return lines.prefetch_related(Prefetch("former_texts", FormerText.objects.select_related("replaced_by")))


def last_logged() -> datetime | None:
    """Return the moment when any line was stored last, ``None`` before the first."""
    last: datetime | None = LogEntry.objects.aggregate(last=Max("stored_at"))["last"]
    return last


def _concerns_organiser(player_id: int) -> Q:
    helped = Competition.objects.filter(helpers=player_id)
    return Q(competition__in=Competition.objects.filter(organisers=player_id)) | Q(
        competition__in=helped, action__in=HEARD_BY_HELPERS
    )


def _concerns_player(player_id: int) -> Q:
    names_nobody = ~Exists(_CONCERNS.filter(logentry=OuterRef("pk")))
    for_all = Q(action__in=_HEARD_BY_ALL) | (_UNDONE & Q(names_nobody))
    for_named = Q(action__in=_HEARD_BY_NAMED) | _UNDONE
    named = Q(pk__in=_CONCERNS.filter(player=player_id).values("logentry"))
    heard = (for_all & was_in(player_id)) | (for_named & named)
    is_known = ~Q(competition__status=CompetitionStatus.DRAFT) & Q(competition__hidden_at=None)
    return heard & (is_known | Q(action__in=HEARD_IN_DRAFTS))


def _is_known(action: str, status: str, hidden_at: datetime | None) -> bool:
    """Return whether players hear of the action, as far as the competition goes."""
    return (status != CompetitionStatus.DRAFT and hidden_at is None) or action in HEARD_IN_DRAFTS


def choose_hearers(by: Players, named: Sequence[int] | None, players: Sequence[int]) -> tuple[int, ...]:
    """Return who hears of a line: of those whom it names, ``None`` for nobody, and of all who are in it."""
    if by is Players.ALL or (by is Players.NAMED_OR_ALL and named is None):
        return tuple(players)
    everybody = players if by is Players.ALL_AND_NAMED else ()
    return () if by is Players.NONE else tuple(dict.fromkeys([*everybody, *(named or ())]))


def players_named(lines: Sequence[int], player_id: int | None = None) -> dict[int, list[int]]:
    """Return the players whom these lines name, or only this player, by the ids of those that name anybody."""
    found: dict[int, list[int]] = defaultdict(list)
    for line, player in _CONCERNS.filter(logentry__in=lines).values_list("logentry_id", "player_id") if lines else ():
        found[line].extend([player] if player_id in {None, player} else [])
    return found


def _players_in(
    competitions: Collection[int], of_teams: Collection[int], player_id: int | None
) -> dict[int, dict[int, datetime]]:
    """Return who is in each of these competitions, with since when, or only this player. One query at most."""
    found: dict[int, dict[int, datetime]] = defaultdict(dict)
    if competitions:
        first, *others = entrants_in(competitions, of_teams=of_teams, player_id=player_id)
        for _role, competition, player, since in first.union(*others) if others else first:
            found[competition][player] = min(since, found[competition].get(player, since))
    return found


def by_competition(
    rows: QuerySet[Any], competitions: Collection[int], player_id: int | None = None
) -> dict[int, list[int]]:
    """Return the players of rows of these competitions, or only this player."""
    found: dict[int, list[int]] = defaultdict(list)
    if competitions:
        matching = (
            rows.filter(competition__in=competitions)
            if player_id is None
            else rows.filter(competition__in=competitions, player=player_id)
        )
        for competition, player in matching.values_list("competition_id", "player_id"):
            found[competition].append(player)
    return found
