"""The rows of players: accounts, held names, ratings, vacation, API tokens, and the outbox of their mails."""

from players.models.held_name import HeldName
from players.models.mail import (
    REMINDER_HOURS,
    SWITCHES,
    TO_OTHER_EMAILS,
    Delivery,
    MailKind,
    MailSettings,
)
from players.models.name_changes import NameChanges
from players.models.outbox_row import DeliveryState, OutboxRow
from players.models.player import Player
from players.models.rating import START_RATING, Rating
from players.models.token import ApiToken, Scope
from players.models.vacation import VacationDay
