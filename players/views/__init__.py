"""The players' pages: sign-up, log-in, profile, mail settings, and the public page of each player."""

from players.views.account_closures import delete_account
from players.views.accounts import log_in, log_out, show_player, sign_up
from players.views.mail import change_mail, confirm_email, send_confirmation, switch_mail_off
from players.views.password_resets import ChoosePasswordView, forgot_password
from players.views.profile import (
    change_email,
    change_entries,
    change_password,
    create_calendar,
    create_token,
    profile,
    revoke_token,
)
from players.views.vacation import cancel_day, vacation

__all__ = [
    "ChoosePasswordView",
    "cancel_day",
    "change_email",
    "change_entries",
    "change_mail",
    "change_password",
    "confirm_email",
    "create_calendar",
    "create_token",
    "delete_account",
    "forgot_password",
    "log_in",
    "log_out",
    "profile",
    "revoke_token",
    "send_confirmation",
    "show_player",
    "sign_up",
    "switch_mail_off",
    "vacation",
]
