"""What changes players: accounts, log-in, tokens and vacation. Services write; their callers give ``now``."""

from players.services.accounts import change_email, change_password, create_guest, ensure_computer, sign_up
from players.services.credentials import check_credentials
from players.services.tokens import create_token, note_use, revoke_token
from players.services.vacation import cancel_day, lock_vacation, plan_vacation

__all__ = [
    "cancel_day",
    "change_email",
    "change_password",
    "check_credentials",
    "create_guest",
    "create_token",
    "ensure_computer",
    "lock_vacation",
    "note_use",
    "plan_vacation",
    "revoke_token",
    "sign_up",
]
