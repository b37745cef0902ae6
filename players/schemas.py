"""Players, their API tokens, mail settings and vacation, in JSON."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal, TypedDict, cast

from players.models import ApiToken, MailSettings, Player, VacationDay
from players.selectors import VacationYear


class PlayerSummarySchema(TypedDict):
    """A player inside another resource."""

    username: str
    is_computer: bool
    is_guest: bool


class PlayerSchema(TypedDict):
    """The public profile of a player."""

    username: str
    url: str
    """The player's page."""
    is_guest: bool
    is_computer: bool
    is_closed: bool
    """True if the account is closed. Its results stay."""
    level: str
    """The level of a computer of this site; empty for everybody else."""
    date_joined: datetime


class OwnPlayerSchema(PlayerSchema):
    """The player's own profile."""

    email: str
    """Empty where there is none."""
    email_confirmed: bool
    """True if the player has shown that the e-mail is theirs."""
    email_bounced: bool
    """True if mails to the e-mail came back: none is sent until it is confirmed again."""
    may_be_entered: bool
    """True if organisers may enter the player in competitions without asking first."""
    goes_on: bool
    """True if the match page goes on to the next match by itself after a turn."""
    by_itself: bool
    """True if what leaves the player no choice is played by itself."""
    single_keys: bool
    """True if pages have shortcuts of a single letter."""
    time_zone: str
    """A name such as Europe/Prague; empty while it is not known."""


def player_summary_to_json(player: Player) -> PlayerSummarySchema:
    """Return who somebody is."""
    return {"username": player.username, "is_computer": player.is_computer, "is_guest": player.is_guest}


def player_to_json(player: Player) -> PlayerSchema:
    """Return what everybody may know about a player."""
    return {
        "username": player.username,
        "url": player.get_absolute_url(),
        "is_guest": player.is_guest,
        "is_computer": player.is_computer,
        "is_closed": not player.is_active,
        "level": player.level,
        "date_joined": player.date_joined,
    }


def own_player_to_json(player: Player) -> OwnPlayerSchema:
    """Return what players may know about themselves."""
    return {
        **player_to_json(player),
        "email": player.email,
        "email_confirmed": player.email_confirmed_at is not None,
        "email_bounced": player.email_bounced_at is not None,
        "may_be_entered": player.may_be_entered,
        "goes_on": player.goes_on,
        "by_itself": player.by_itself,
        "single_keys": player.single_keys,
        "time_zone": player.time_zone,
    }


ScopeName = Literal["read", "play", "organise", "calendar"]


class TokenSchema(TypedDict):
    """An API token without its secret."""

    id: int
    name: str
    prefix: str
    """The first characters of the secret."""
    scopes: list[ScopeName]
    created_at: datetime
    expires_at: datetime | None
    """Null if it never expires."""
    last_used_at: datetime | None


class SecretTokenSchema(TokenSchema):
    """A new API token with its secret, which is shown this once."""

    secret: str


class GuestSchema(TypedDict):
    """A new guest, with the token that is their only key."""

    player: PlayerSchema
    token: SecretTokenSchema


def token_to_json(token: ApiToken) -> TokenSchema:
    """Return a token without its secret."""
    return {
        "id": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
    }


def secret_token_to_json(token: ApiToken, secret: str) -> SecretTokenSchema:
    """Return a new token with its secret."""
    return {**token_to_json(token), "secret": secret}


def guest_to_json(player: Player, token: ApiToken, secret: str) -> GuestSchema:
    """Return a new guest with their token."""
    return {"player": player_to_json(player), "token": secret_token_to_json(token, secret)}


class MailSettingsSchema(TypedDict):
    """The mails that a player gets."""

    turns: bool
    """True if mails say that it is the player's turn."""
    ends: bool
    """True if mails say that a match of the player is over."""
    opponents: bool
    """True if mails say that an opponent offers something, or has joined by the player's link."""
    competitions: bool
    """True if mails bring news of what the player plays in."""
    organising: bool
    """True if mails bring news of what the player organises."""
    teams: bool
    """True if mails say that a team invites the player."""
    deadlines: bool
    """True if mails come before the player's time runs out."""
    turns_daily_at: int | None
    """The hour in the player's time zone at which one mail a day names all turns; null if mails come as turns begin."""
    reminder_hours: list[int]
    """The numbers of hours before a deadline at which a reminder is sent."""


def mail_settings_to_json(settings: MailSettings) -> MailSettingsSchema:
    """Return which mails a player gets."""
    return cast("MailSettingsSchema", {name: getattr(settings, name) for name in MailSettingsSchema.__annotations__})


class VacationYearSchema(TypedDict):
    """A year's days of vacation."""

    year: int
    allowance: int
    spent: int
    planned: int
    left: int
    """Days that are neither spent nor planned."""


class VacationDaySchema(TypedDict):
    """A day of vacation, which lasts 24 hours."""

    date: date
    """In UTC."""
    starts_at: datetime
    ends_at: datetime
    is_planned: bool
    """True if the player planned the day; else it was spent to save a clock."""


class VacationSchema(TypedDict):
    """A player's vacation."""

    years: list[VacationYearSchema]
    days: list[VacationDaySchema]


def vacation_to_json(years: Iterable[VacationYear], days: Iterable[VacationDay]) -> VacationSchema:
    """Return a player's vacation."""
    return {"years": [_year_to_json(year) for year in years], "days": [_day_to_json(day) for day in days]}


def _year_to_json(year: VacationYear) -> VacationYearSchema:
    return {
        "year": year.year,
        "allowance": year.allowance,
        "spent": year.spent,
        "planned": year.planned,
        "left": year.left,
    }


def _day_to_json(day: VacationDay) -> VacationDaySchema:
    return {"date": day.date, "starts_at": day.starts_at, "ends_at": day.ends_at, "is_planned": day.is_planned}
