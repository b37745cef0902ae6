"""Services that change players: accounts, log-in, tokens, vacation and mail. Callers give ``now``."""

from players.services.account_closures import deactivate_player, delete_account, reactivate_player
from players.services.accounts import (
    change_email,
    change_password,
    create_computer,
    create_guest,
    digest_client,
    ensure_computer,
    forget_clients,
    note_client,
    reset_password,
    sign_up,
)
from players.services.acts import note_act
from players.services.credentials import check_credentials
from players.services.email_confirmations import confirm_email, request_confirmation
from players.services.mail_settings import (
    change_choices,
    change_mail_settings,
    read_kind_to_switch_off,
    switch_mail_off,
)
from players.services.password_resets import request_password_reset
from players.services.tokens import create_token, note_use, revoke_token
from players.services.vacation_plans import cancel_day, lock_vacation, plan_vacation
