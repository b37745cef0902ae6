"""Create and change accounts."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.errors import AlreadySignedUp, AlreadyTaken
from players.models import Player
from players.services.credentials import check_current_password, forgive_attempts
from players.services.email_confirmations import notify_old_email, post_confirmation, spend_confirmation
from players.services.held_names import check_is_free
from players.services.name_changes import count_name_change
from players.services.tokens import revoke_all_tokens
from players.usernames import computer_name, draw_guest_name, is_reserved, is_well_formed
from web.errors import InvalidDetails, TooManyAttempts
from web.storable_text import is_storable

CLIENT_LIFETIME = timedelta(days=1)
"""The least time for which the client network of a new guest is remembered."""


def digest_client(network: str) -> str:
    """Return the keyed hash of a client network, in hexadecimal: without ``SECRET_KEY`` nobody can find the IP."""
    return salted_hmac("players.middleware", network, algorithm="sha256").hexdigest()


def note_client(*, player: Player, network: str) -> None:
    """Remember the client network of a guest whose network is not known. Nothing is kept of other players."""
    if player.is_guest and not player.client_digest:
        player.client_digest = digest_client(network)
        Player.objects.filter(pk=player.pk, is_guest=True).update(client_digest=player.client_digest)


def forget_clients(*, needed_for: Collection[int], now: datetime) -> int:
    """Forget the client networks of guests who came a day ago or earlier; return how many.

    Those with a number in ``needed_for`` are left alone.
    """
    known = Player.objects.exclude(client_digest="").filter(date_joined__lte=now - CLIENT_LIFETIME)
    return known.exclude(pk__in=needed_for).update(client_digest="")


MAX_PASSWORD_LENGTH = 256
MAX_EMAIL_LENGTH = 254


def create_guest(*, now: datetime, network: str = "") -> Player:
    """Return a new guest with a random name, and note the guest's client network if it is known.

    A guest has no password: only the session, or the token, is theirs.
    """
    client_digest = digest_client(network) if network else ""
    while True:
        guest = Player(
            username=draw_guest_name(),
            is_guest=True,
            date_joined=now,
            password=make_password(None),
            client_digest=client_digest,
        )
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue
        return guest


def ensure_computer(*, level: str, now: datetime) -> Player:
    """Return the computer that plays at this level, made when it is not there any more. Nobody can log in as it."""
    computer, _created = Player.objects.get_or_create(
        level=level,
        defaults={
            "username": computer_name(level),
            "is_computer": True,
            "date_joined": now,
            "password": make_password(None),
        },
    )
    return computer


def create_computer(*, username: str, now: datetime) -> Player:
    """Return a new computer of no level of its own. Nobody can log in as it."""
    return Player.objects.create(username=username, is_computer=True, date_joined=now, password=make_password(None))


def sign_up(*, username: str, password: str, email: str = "", now: datetime, guest: Player | None = None) -> Player:
    """Return a full player. A ``guest`` becomes the same row, and so keeps all matches.

    An e-mail has to be confirmed: a link is sent to it, or, if it is confirmed for another account, a mail that says
    so. Raises InvalidDetails, AlreadyTaken for a username that somebody has or that is held, TooManyAttempts for too
    many mails to the e-mail, and AlreadySignedUp where ``guest`` is no guest.
    """
    _check_details(username=username, password=password, email=email)
    encoded = make_password(password)
    try:
        with transaction.atomic():
            player = _store(guest, username=username, email=email, password=encoded, now=now)
            check_is_free(username=username, now=now)
            if email:
                post_confirmation(player=player, now=now)
            if guest is not None:
                count_name_change()
    except IntegrityError:
        sentence = _("The username %s is taken.") % username
        raise AlreadyTaken(sentence, fields={"username": [sentence]}) from None
    return player


def change_email(*, player: Player, email: str, now: datetime) -> None:
    """Store another e-mail, to be confirmed, or none (``""``). If the old one was confirmed, a mail is sent to it.

    Raises InvalidDetails, and TooManyAttempts for more than a few e-mails, or mails to one of them, in an hour.
    """
    faults = _email_faults(email)
    if faults:
        raise InvalidDetails({"email": faults})
    if email == player.email:
        return
    asked = spend_confirmation(player=player) if email else None
    try:
        with transaction.atomic():
            old = player.email if player.email_confirmed_at is not None else ""
            Player.objects.filter(pk=player.pk, is_active=True).update(
                email=email, email_confirmed_at=None, email_bounced_at=None
            )
            player.email, player.email_confirmed_at, player.email_bounced_at = email, None, None
            if old:
                notify_old_email(player=player, old=old, now=now)
            if email:
                post_confirmation(player=player, now=now)
    except TooManyAttempts:
        if asked is not None:
            asked.forgive()
        player.refresh_from_db(fields=["email", "email_confirmed_at", "email_bounced_at"])
        raise


def change_password(*, player: Player, old: str, new: str, revoke_tokens: bool = True) -> None:
    """Store another password; all sessions end, and by default all tokens are revoked.

    Raises WrongCredentials for a wrong old password, TooManyAttempts after several, and InvalidDetails for a weak new
    one.
    """
    check_current_password(player=player, password=old, field="old")
    reset_password(player=player, new=new, revoke_tokens=revoke_tokens)


def reset_password(*, player: Player, new: str, revoke_tokens: bool = True) -> None:
    """Store the password of a player who has proved their identity otherwise.

    All sessions end, and by default all tokens are revoked. Raises InvalidDetails for a weak password.
    """
    faults = _password_faults(new, player)
    if faults:
        raise InvalidDetails({"new": faults})
    with transaction.atomic():
        player.set_password(new)
        player.save(update_fields=["password"])
        if revoke_tokens:
            revoke_all_tokens(player=player)
    forgive_attempts(player=player)


def _store(guest: Player | None, *, username: str, email: str, password: str, now: datetime) -> Player:
    if guest is None:
        return Player.objects.create(username=username, email=email, password=password, date_joined=now)
    changed = Player.objects.filter(pk=guest.pk, is_guest=True, is_active=True).update(
        username=username, email=email, password=password, is_guest=False, client_digest=""
    )
    if not changed:
        raise AlreadySignedUp(_("You already have an account."))
    return Player.objects.get(pk=guest.pk)


def _check_details(*, username: str, password: str, email: str) -> None:
    fields = {
        "username": _username_faults(username),
        "password": _password_faults(password, Player(username=username, email=email)),
        "email": _email_faults(email),
    }
    fields = {name: faults for name, faults in fields.items() if faults}
    if fields:
        raise InvalidDetails(fields)


def _username_faults(username: str) -> list[str]:
    if not is_well_formed(username):
        return [_("A username has 3 to 20 letters, digits, hyphens or underscores.")]
    if is_reserved(username):
        return [_("This username is reserved.")]
    return []


def _password_faults(password: str, player: Player) -> list[str]:
    if not is_storable(password) or len(password) > MAX_PASSWORD_LENGTH:
        return [_("A password has at most %d characters.") % MAX_PASSWORD_LENGTH]
    try:
        validate_password(password, player)
    except ValidationError as error:
        return list(error.messages)
    return []


def _email_faults(email: str) -> list[str]:
    if not email:
        return []
    try:
        validate_email(email)
    except ValidationError as error:
        return list(error.messages)
    return [] if len(email) <= MAX_EMAIL_LENGTH and is_storable(email) else [_("This e-mail address is too long.")]
