"""Check passwords, and limit guesses."""

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password
from django.utils.translation import gettext as _

from players.errors import WrongCredentials
from players.models import Player
from web.limits.budgets import Claim, attempt
from web.limits.table import (
    CURRENT_PASSWORD,
    LOG_IN_BY_ACCOUNT,
    LOG_IN_BY_CLIENT,
    LOG_IN_BY_DEVICE,
    LOG_IN_BY_NAME,
)
from web.storable_text import is_storable


def check_credentials(*, username: str, password: str, client_ip: str, device: str = "") -> Player:
    """Return the active player with this username, in any case of letters, and this password.

    Attempts are counted by name and client network together, by name, and by client network, whether the name exists or
    not; those from a ``device`` in which the player was logged in before are counted by it alone, so that guesses of
    others lock nobody out of there. A right attempt is taken off again. Raises WrongCredentials and TooManyAttempts;
    the latter even for the right password, so that nothing can be guessed. Raises PasswordsBusy if nothing was checked.
    """
    name = username.lower()
    first, *others = _claims(name, client_ip, device)
    with attempt(first, *others) as one:
        player = None
        if is_storable(username) and is_storable(password):
            player = authenticate(username=username, password=password)
        if not isinstance(player, Player):
            raise WrongCredentials(_("The username or the password is wrong."))
        one.forgive()
    first.forget()
    return player


def _claims(name: str, client_ip: str, device: str) -> list[Claim]:
    """Return what an attempt is counted under, first that of which a right attempt gives all back."""
    if device:
        return [LOG_IN_BY_DEVICE.of(name, device)]
    return [LOG_IN_BY_NAME.of(name, client_ip), LOG_IN_BY_ACCOUNT.of(name), LOG_IN_BY_CLIENT.of(client_ip)]


def check_current_password(*, player: Player, password: str, field: str) -> None:
    """Return if this is the password of a player who is logged in; ``field`` is the name of the field that asks.

    Raises WrongCredentials; TooManyAttempts after several wrong ones, even for the right one; and PasswordsBusy. Unlike
    a log-in it does not store the password anew, which would end sessions.
    """
    guesses = CURRENT_PASSWORD.of(str(player.pk))
    with attempt(guesses) as one:
        if not is_storable(password) or not check_password(password, player.password):
            raise WrongCredentials(_("This is not your current password."), fields={field: [_("Wrong password.")]})
        one.forgive()
    guesses.forget()


def forgive_attempts(*, player: Player) -> None:
    """Forget failed log-ins of a player who has chosen another password, so that guesses by others lock nobody out."""
    LOG_IN_BY_ACCOUNT.of(player.username.lower()).forget()
    CURRENT_PASSWORD.of(str(player.pk)).forget()
