"""What changes players: accounts, log-in and tokens. Services write; their callers give ``now``."""

from players.services.accounts import change_email, change_password, create_guest, ensure_computer, sign_up
from players.services.credentials import check_credentials
from players.services.tokens import create_token, note_use, revoke_token

__all__ = [
    "change_email",
    "change_password",
    "check_credentials",
    "create_guest",
    "create_token",
    "ensure_computer",
    "note_use",
    "revoke_token",
    "sign_up",
]
