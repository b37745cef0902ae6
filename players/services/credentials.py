"""Check passwords, and limit guesses."""

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password
from django.utils.translation import gettext as _

from players.errors import WrongCredentials
from players.models import Player
from web.limits.attempts import Limit, attempt
from web.storable_text import is_storable

PER_NAME = Limit("log-in-by-name", number=10, seconds=600)
PER_ACCOUNT = Limit("log-in-by-account", number=100, seconds=3600)
PER_CLIENT = Limit("log-in-by-client", number=100, seconds=3600)


CURRENT_PASSWORD = Limit("current-password", number=10, seconds=600)
"""For a logged-in player: without it, anybody at an open browser could try passwords for ever."""


def check_credentials(*, username: str, password: str, client_ip: str) -> Player:
    """Return the active player with this username, in any case of letters, and this password.

    Attempts are counted by name and client network together, by name, and by client network, whether the name exists or
    not; a right attempt is taken off again. Raises WrongCredentials and TooManyAttempts; the latter even for the right
    password, so that nothing can be guessed. Raises PasswordsBusy if nothing was checked.
    """
    name = username.lower()
    with attempt(PER_NAME.of(name, client_ip), PER_ACCOUNT.of(name), PER_CLIENT.of(client_ip)) as one:
        player = None
        if is_storable(username) and is_storable(password):
            player = authenticate(username=username, password=password)
        if not isinstance(player, Player):
            raise WrongCredentials(_("The username or the password is wrong."))
        one.forgive()
    PER_NAME.forget(name, client_ip)
    return player


def check_current_password(*, player: Player, password: str, field: str) -> None:
    """Return if this is the password of a player who is logged in; ``field`` is the name of the field that asks.

    Raises WrongCredentials; TooManyAttempts after several wrong ones, even for the right one; and PasswordsBusy. Unlike
    a log-in it does not store the password anew, which would end sessions.
    """
    with attempt(CURRENT_PASSWORD.of(str(player.pk))) as one:
        if not is_storable(password) or not check_password(password, player.password):
            raise WrongCredentials(_("This is not your current password."), fields={field: [_("Wrong password.")]})
        one.forgive()
    CURRENT_PASSWORD.forget(str(player.pk))


def forgive_attempts(*, player: Player) -> None:
    """Forget failed log-ins of a player who has chosen another password, so that guesses by others lock nobody out."""
    PER_ACCOUNT.forget(player.username.lower())
    CURRENT_PASSWORD.forget(str(player.pk))
