"""The players' pages: sign-up, log-in, one's own profile, and everybody's public page."""

from players.views.accounts import log_in, log_out, show_player, sign_up
from players.views.profile import change_email, change_password, create_token, profile, revoke_token

__all__ = [
    "change_email",
    "change_password",
    "create_token",
    "log_in",
    "log_out",
    "profile",
    "revoke_token",
    "show_player",
    "sign_up",
]
