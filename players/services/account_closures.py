"""Close accounts: switch one off, which can be undone, or delete one, which cannot.

All access (log-in, sessions, tokens, mails) ends in one transaction. Matches and competitions follow in the background;
``closing_finished_at`` says that they are done.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Lower
from django.utils.translation import gettext as _

from players.errors import AccountErased, AccountNeeded
from players.models import Delivery, DeliveryState, MailSettings, Player
from players.presence import forget_presence
from players.services.held_names import hold_name
from players.services.name_changes import count_name_change
from players.services.tokens import revoke_all_tokens
from players.signals import account_closed, account_erased, account_switched
from players.usernames import CLOSED_PREFIX

Need = Callable[[Player], list[str]]
"""Says in sentences for what an account is needed; locks what must not change before the account is closed."""

_NEEDS: list[Need] = []


def needs_accounts(need: Need) -> Need:
    """Ask the decorated function before an account is deleted. Each app registers its own when Django starts."""
    _NEEDS.append(need)
    return need


def reasons_to_keep(*, player: Player) -> list[str]:
    """Return in sentences for what the account is needed, empty for nothing. To be asked in a transaction."""
    return [reason for need in _NEEDS for reason in need(player)]


Foresight = Callable[[Player], Iterable[str]]
"""Says in sentences what a deletion means, a few for each account."""

_FORESIGHTS: list[Foresight] = []


def foresees_deletions(foresight: Foresight) -> Foresight:
    """Ask the decorated function before an account is deleted. Each app registers its own when Django starts."""
    _FORESIGHTS.append(foresight)
    return foresight


def follows_from_deletion(*, player: Player) -> list[str]:
    """Return in sentences what would end, and what would be renamed, if the account were deleted now."""
    names = {"old": player, "new": _free_name(player.pk)}
    foreseen = [sentence for foresight in _FORESIGHTS for sentence in foresight(player)]
    return [*foreseen, _("The username %(old)s is replaced by %(new)s, in lists and logs too.") % names]


def announce_switch(*, player_id: int, is_open: bool) -> None:
    """Let other rooms lock, and change, what they keep by whether the account is open; again has no effect.

    To be called in the transaction that closes or opens it, before the player's row is locked or changed.
    """
    account_switched.send(sender=Player, player_id=player_id, is_open=is_open)


def deactivate_player(*, player_id: int, now: datetime) -> Player:
    """Close an account until somebody opens it again, and return it; a second call only goes on with what follows.

    Raises AccountNeeded for the last superuser.
    """
    with transaction.atomic():
        announce_switch(player_id=player_id, is_open=False)
        check_is_not_last_superuser(player_id=player_id)
        return _close(_lock(player_id), now)


def reactivate_player(*, player_id: int) -> Player:
    """Open an account again, and return it; what has ended stays ended. Raises AccountErased for a deleted one."""
    with transaction.atomic():
        announce_switch(player_id=player_id, is_open=True)
        player = _lock(player_id)
        if player.erased_at is not None:
            raise AccountErased(_("This account was deleted. It cannot be reopened."))
        Player.objects.filter(pk=player_id).update(is_active=True, closed_at=None, closing_finished_at=None)
        player.refresh_from_db()
    return player


def delete_account(*, player_id: int, now: datetime, by_staff: bool = False) -> Player:
    """Delete an account for good: results stay under a neutral name, private data goes. Return what is left.

    A second call has no effect. Raises AccountNeeded for a computer of this site, for the last superuser, and, unless
    it is ``by_staff``, where something still needs the account.
    """
    with transaction.atomic():
        known = Player.objects.get(pk=player_id)
        if not by_staff and known.erased_at is None:
            for reason in reasons_to_keep(player=known):
                raise AccountNeeded(reason)
        announce_switch(player_id=player_id, is_open=False)
        check_can_be_deleted(player=known)
        player = _lock(player_id)
        if player.erased_at is None:
            _erase(player, now)
        return _close(player, now)


def complete_closing(*, player_id: int, now: datetime) -> None:
    """Note that nothing is left to be done about a closed account."""
    Player.objects.filter(pk=player_id, is_active=False).update(closing_finished_at=now)


def check_can_be_deleted(*, player: Player) -> None:
    """Raise AccountNeeded for a computer of this site and for the last superuser. To be asked in a transaction."""
    if player.level:
        raise AccountNeeded(_("You cannot delete the computer players of this site."))
    check_is_not_last_superuser(player_id=player.pk)


def check_is_not_last_superuser(*, player_id: int) -> None:
    """Raise AccountNeeded for the last active superuser. For a superuser all of them are locked until the commit."""
    if not Player.objects.filter(pk=player_id, is_superuser=True, is_active=True).exists():
        return
    superusers = Player.objects.select_for_update(no_key=True).filter(is_superuser=True, is_active=True)
    if list(superusers.order_by("pk").values_list("pk", flat=True)) == [player_id]:
        raise AccountNeeded(_("This is the last superuser. Make somebody else a superuser first."))


def _lock(player_id: int) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player_id)


def _close(player: Player, now: datetime) -> Player:
    """End the player's sessions, and queue the rest of the work."""
    Player.objects.filter(pk=player.pk).update(
        is_active=False,
        closed_at=Coalesce("closed_at", now),
        closing_finished_at=None,
        sessions_version=F("sessions_version") + 1,
    )
    revoke_all_tokens(player=player)
    pending = Delivery.objects.filter(player=player, state=DeliveryState.PENDING)
    pending.update(state=DeliveryState.DROPPED, done_at=now)
    transaction.on_commit(lambda: _publish_closure(player.pk), robust=True)
    player.refresh_from_db()
    return player


def _erase(player: Player, now: datetime) -> None:
    """Take away the name, which is held for a while, and everything private."""
    old_name, new_name = player.username, _free_name(player.pk)
    Player.objects.filter(pk=player.pk).update(
        username=new_name,
        email="",
        email_confirmed_at=None,
        email_bounced_at=None,
        password=make_password(None),
        last_login=None,
        acted_at=None,
        client_digest="",
        is_active=False,
        is_staff=False,
        is_superuser=False,
        erased_at=now,
    )
    hold_name(username=old_name, now=now)
    player.groups.clear()
    player.user_permissions.clear()
    player.vacation_days.all().delete()
    player.deliveries.all().delete()
    MailSettings.objects.filter(player=player).delete()
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk))
    about.update(object_repr=new_name)
    account_erased.send(sender=Player, player_id=player.pk, old_name=old_name, new_name=new_name)
    count_name_change()


def _free_name(number: int) -> str:
    """Return a neutral name that is free: such names were not always reserved."""
    name = first = f"{CLOSED_PREFIX}{number}"
    further = 0
    while Player.objects.alias(folded=Lower("username")).filter(folded=name).exists():
        further += 1
        name = f"{first}-{further}"
    return name


def _publish_closure(player_id: int) -> None:
    forget_presence(player_id=player_id)
    account_closed.send(sender=Player, player_id=player_id)
