"""Limits of what a player may have open at a time. Checks of one limit wait for each other, so none is passed twice.

A check and what it admits belong in one transaction, because the locks end with it.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _

from database.named_locks import lock_name
from matches.errors import TooManyComputerMatches, TooManyInvitations, TooManySeeks
from matches.models import Seek, SeekStatus
from matches.selectors.computers import count_computer_matches
from players.models import Player
from players.selectors import guests_of_client


def check_new_match(one: Player, other: Player) -> None:
    """Check that two players may start another match. Raises ``TooManyComputerMatches``.

    Only matches of a person against a computer are limited: they cost the site processor time.
    """
    if one.is_computer == other.is_computer:
        return
    player = other if one.is_computer else one
    if not player.is_guest:
        _check_player(player)
        return
    _check_guest(player)
    if player.client_digest:
        _check_client(player.client_digest)


def check_new_seek(*, creator: Player, invited: Player | None) -> None:
    """Check that a player may open another seek, or invite that player.

    An invitation of a computer is never open: the computer accepts at once. Raises ``TooManySeeks`` or
    ``TooManyInvitations``.
    """
    if invited is not None and invited.is_computer:
        return
    lock_name(f"seeks of player {creator.pk}")
    standing = Seek.objects.filter(creator=creator, status=SeekStatus.OPEN)
    if invited is None:
        _check_seeks(standing.filter(invited=None).count())
        return
    invitations = standing.filter(invited__isnull=False)
    _check_invitations(invitations.count())
    _check_invitations_to(invited, invitations.filter(invited=invited).count())


def _check_player(player: Player) -> None:
    lock_name(f"computer matches of player {player.pk}")
    most = settings.MAX_COMPUTER_MATCHES_OF_PLAYER
    if count_computer_matches([player.pk]) >= most:
        raise TooManyComputerMatches(
            _("You can play at most %(most)d matches against computers at a time. Finish or resign one of them first.")
            % {"most": most}
        )


def _check_guest(guest: Player) -> None:
    lock_name(f"computer matches of player {guest.pk}")
    most = settings.MAX_COMPUTER_MATCHES_OF_GUEST
    if count_computer_matches([guest.pk]) >= most:
        raise TooManyComputerMatches(
            _(
                "As a guest you can play at most %(most)d matches against computers at a time. Finish or resign one of"
                " them first, or sign up: players with an account can have %(more)d."
            )
            % {"most": most, "more": settings.MAX_COMPUTER_MATCHES_OF_PLAYER}
        )


def _check_client(digest: str) -> None:
    lock_name(f"computer matches of client {digest}")
    most = settings.MAX_COMPUTER_MATCHES_OF_CLIENT
    if count_computer_matches(guests_of_client(digest=digest)) >= most:
        raise TooManyComputerMatches(
            _(
                "Guests on your network are already playing %(most)d matches against computers, the most allowed "
                "at a time. Sign up to play with an account, or try again when some of them have ended."
            )
            % {"most": most}
        )


def _check_seeks(standing: int) -> None:
    most = settings.MAX_OPEN_SEEKS
    if standing >= most:
        raise TooManySeeks(
            _(
                "You can have at most %(most)d open games at a time. Withdraw one first, or wait until somebody "
                "joins one."
            )
            % {"most": most}
        )


def _check_invitations(standing: int) -> None:
    most = settings.MAX_OPEN_INVITATIONS
    if standing >= most:
        raise TooManyInvitations(
            _(
                "You can have at most %(most)d open invitations at a time. Withdraw one first, or wait for "
                "an answer to one."
            )
            % {"most": most}
        )


def _check_invitations_to(invited: Player, standing: int) -> None:
    most = settings.MAX_OPEN_INVITATIONS_TO_ONE
    if standing >= most:
        raise TooManyInvitations(
            _(
                "You can have at most %(most)d open invitations to %(player)s at a time. Withdraw one first, "
                "or wait for an answer to one."
            )
            % {"most": most, "player": invited.username}
        )
