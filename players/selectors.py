"""Read players, what belongs to them, and their mails."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from itertools import islice
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from database.compiled_queries import CompiledQuery
from players.errors import AccountClosed
from players.models import (
    START_RATING,
    SWITCHES,
    ApiToken,
    Delivery,
    DeliveryState,
    MailSettings,
    Player,
    Rating,
    VacationDay,
)
from players.models.folded import Folded
from players.usernames import BEGINNING, MAX_LENGTH, MIN_BEGINNING, MIN_PART

Key = TypeVar("Key")

BATCH = 1000
MAX_SUGGESTED = 10
AFTER_ALL_LETTERS = "{"
"""Comes after everything that a username may have in lower case, byte by byte."""

_TOKEN = CompiledQuery(
    lambda digest: ApiToken.objects.select_related("player").filter(digest=digest, player__is_active=True).order_by()
)
_RATINGS = CompiledQuery(
    lambda family, one, other: (
        Rating.objects.filter(Q(player=one) | Q(player=other), family=family)
        .order_by()
        .values_list("player_id", "rating")
    )
)


@dataclass(frozen=True, slots=True)
class VacationYear:
    """A player's vacation in a year (UTC): all days, those spent, and those planned ahead."""

    year: int
    allowance: int
    spent: int
    planned: int

    @property
    def left(self) -> int:
        """Return how many days are left to plan or spend."""
        return max(0, self.allowance - self.spent - self.planned)


def batched(keys: Collection[Key], size: int) -> Iterator[list[Key]]:
    """Yield the keys in lists of at most ``size``, so that no query names too many."""
    rest = iter(keys)
    while batch := list(islice(rest, size)):
        yield batch


def find_player(*, username: str) -> Player | None:
    """Return the active player with this username in any case of letters."""
    folded = username.lower()
    if "\0" in folded:
        return None
    return Player.objects.alias(folded=Lower("username")).filter(folded=folded, is_active=True).first()


def find_any_player(*, username: str) -> Player | None:
    """Return the player with this username in any case of letters, active or not."""
    folded = username.lower()
    if "\0" in folded:
        return None
    return Player.objects.alias(folded=Lower("username")).filter(folded=folded).first()


def find_players(*, usernames: Iterable[str], with_closed: bool = False) -> dict[str, Player]:
    """Return the players with these usernames in any case of letters, by their usernames in lower case.

    Only active ones, unless closed accounts are included.
    """
    folded = {username.lower() for username in usernames if "\0" not in username}
    players = Player.objects.annotate(folded=Lower("username")).filter(folded__in=folded)
    return {player.username.lower(): player for player in (players if with_closed else players.filter(is_active=True))}


def players_named(*, part: str, among: QuerySet[Player] | None = None) -> QuerySet[Player]:
    """Return the players with this text anywhere in their usernames, in any case of letters: of all kinds, closed too.

    On PostgreSQL an index finds them; SQLite reads all usernames. Of less than ``MIN_PART`` letters, a whole name.
    """
    players, folded = (Player.objects.all() if among is None else among).alias(folded=Lower("username")), part.lower()
    if "\0" in folded or not folded:
        return players.none()
    return players.filter(folded__contains=folded) if len(folded) >= MIN_PART else players.filter(folded=folded)


def find_usernames(*, part: str) -> list[str]:
    """Return the first usernames that begin so in any case of letters, in order: of no guest and no closed account.

    Behind them come those that contain it, from three letters on. One query, or two where less than ten begin so.
    Nothing is found for less than two letters.
    """
    if not is_searchable(part):
        return []
    found, folded = list(usernames_from(part.lower())), part.lower()
    if len(found) < MAX_SUGGESTED and len(folded) >= MIN_PART:
        named = players_named(part=part).filter(is_active=True, is_guest=False).exclude(username__istartswith=part)
        found += named.order_by(Folded("username")).values_list("username", flat=True)[: MAX_SUGGESTED - len(found)]
    return found


def is_searchable(text: str) -> bool:
    """Return whether usernames are looked up by a text: two letters at least, and none that no username has."""
    return MIN_BEGINNING <= len(text) <= MAX_LENGTH and BEGINNING.fullmatch(text) is not None


def usernames_from(folded: str) -> QuerySet[Player, str]:
    """Return the query for the first usernames that begin so, in lower case."""
    players = Player.objects.alias(folded=Folded("username")).filter(is_active=True, is_guest=False)
    named = players.filter(folded__gte=folded, folded__lt=folded + AFTER_ALL_LETTERS).order_by("folded")
    return named.values_list("username", flat=True)[:MAX_SUGGESTED]


def guests_of_client(*, digest: str) -> list[int]:
    """Return the numbers of the guests whose client network has this keyed hash."""
    return list(Player.objects.filter(is_guest=True, client_digest=digest).values_list("pk", flat=True))


def find_token(*, secret: str, now: datetime) -> ApiToken | None:
    """Return the token with this secret and its player, ``None`` if it has expired or the player is not active."""
    token = _TOKEN.find(digest=digest_of(secret))
    if token is None or (token.expires_at is not None and token.expires_at <= now):
        return None
    return token


def check_is_open(player: Player) -> None:
    """Check that nobody has closed the player's account; raises AccountClosed."""
    if not player.is_active:
        raise AccountClosed(_("The account %s is closed.") % player.username)


def tokens_of(*, player: Player) -> QuerySet[ApiToken]:
    """Return the player's tokens, the newest first."""
    return ApiToken.objects.filter(player=player)


def live_tokens(*, ids: Collection[int], now: datetime) -> set[int]:
    """Return those of the tokens, by their numbers, with which a program may still act."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=now)
    return _gather(ids, lambda batch: ApiToken.objects.filter(unexpired, pk__in=batch, player__is_active=True), "pk")


def live_sessions(*, keys: Collection[str], now: datetime) -> set[str]:
    """Return those of the sessions, by their keys, that have neither ended nor expired."""
    return _gather(keys, lambda batch: Session.objects.filter(pk__in=batch, expire_date__gt=now), "pk")


def session_hashes(*, player_ids: Collection[int]) -> dict[int, str]:
    """Return what the sessions of these players must hold, by the ids of the active ones."""
    players = Player.objects.only("pk", "password", "sessions_version")
    return {
        player.pk: player.get_session_auth_hash()
        for batch in batched(player_ids, BATCH)
        for player in players.filter(pk__in=batch, is_active=True)
    }


def ratings_in(*, family: str, players: Collection[Player]) -> dict[int, Decimal]:
    """Return each player's rating in a family of games, by the player's id; 1500 without a rated match."""
    rated = dict(_rows_of_ratings(family, [player.pk for player in players]))
    return {player.pk: rated.get(player.pk, START_RATING) for player in players}


def _rows_of_ratings(family: str, players: list[int]) -> Iterable[tuple[Any, ...]]:
    # Of one player or the two of a match, as pages ask for them, the query is compiled once.
    if len(players) in {1, 2}:
        return _RATINGS.rows(family=family, one=players[0], other=players[-1])
    return Rating.objects.filter(family=family, player__in=players).values_list("player_id", "rating")


def days_of(*, player: Player) -> QuerySet[VacationDay]:
    """Return the player's days of vacation, spent and planned, the first one first."""
    return VacationDay.objects.filter(player=player).order_by("starts_at")


def vacation_in(*, player: Player, year: int, now: datetime) -> VacationYear:
    """Return the player's vacation in a year. Computers need none and have none."""
    begun = list(days_of(player=player).filter(starting_in(year)).values_list("starts_at", flat=True))
    spent = sum(starts_at <= now for starts_at in begun)
    allowance = 0 if player.is_computer else settings.VACATION_DAYS
    return VacationYear(year, allowance, spent, len(begun) - spent)


def vacation_years(*, player: Player, now: datetime) -> list[VacationYear]:
    """Return the player's vacation in this year and the next."""
    this = now.astimezone(UTC).year
    return [vacation_in(player=player, year=year, now=now) for year in (this, this + 1)]


def recent_days_of(*, player: Player, now: datetime) -> QuerySet[VacationDay]:
    """Return the player's days of vacation, spent and planned, since the beginning of last year."""
    return days_of(player=player).filter(starts_at__gte=datetime(now.astimezone(UTC).year - 1, 1, 1, tzinfo=UTC))


def starting_in(year: int) -> Q:
    """Return the days of vacation that belong to a year."""
    return Q(starts_at__gte=datetime(year, 1, 1, tzinfo=UTC), starts_at__lt=datetime(year + 1, 1, 1, tzinfo=UTC))


def _gather(keys: Collection[Any], find: Callable[[list[Any]], QuerySet[Any]], field: str) -> set[Any]:
    """Return the field of all rows that are found for the keys, asked for in batches."""
    return {value for batch in batched(keys, BATCH) for value in find(batch).values_list(field, flat=True)}


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a secret, in hexadecimal. Secrets are random: no slow hash is needed."""
    return sha256(secret.encode(errors="replace")).hexdigest()


def mail_settings_of(*, player: Player) -> MailSettings:
    """Return the player's mail settings; a new row, not stored, if the player has never changed them."""
    return MailSettings.objects.filter(player=player).first() or MailSettings(player=player)


def players_to_mail(*, kind: str) -> QuerySet[Player]:
    """Return the active players with a confirmed e-mail who have not switched off mail of this kind."""
    reachable = Player.objects.filter(is_active=True, is_computer=False, email_confirmed_at__isnull=False)
    switch = SWITCHES.get(kind)
    if switch is None:
        return reachable
    return reachable.filter(Q(mail_settings=None) | Q(**{f"mail_settings__{switch}": True}))


def find_player_by_email(*, email: str) -> Player | None:
    """Return the active player who has confirmed this e-mail, in any case of letters."""
    if not email or "\0" in email:
        return None
    confirmed = Player.objects.alias(folded=Lower("email")).exclude(email="").filter(email_confirmed_at__isnull=False)
    return confirmed.filter(folded=email.lower(), is_active=True).first()


def due_deliveries(*, now: datetime) -> QuerySet[Delivery]:
    """Return the mails that somebody should send now, those that have waited longest first."""
    return Delivery.objects.filter(state=DeliveryState.PENDING, next_attempt_at__lte=now).order_by("next_attempt_at")
