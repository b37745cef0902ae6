"""Seeks and invitations."""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from computers.levels import level_of, levels_in
from database.named_locks import lock_name
from matches import clock
from matches.clock import TimeControl
from matches.errors import (
    GuestsNotRated,
    InvalidRatingRange,
    NoComputer,
    NotYourSeek,
    OwnSeek,
    RatedGamesUsedUp,
    SeekClosed,
    TooManyComputerMatches,
    TooManyInvitations,
    TooManySeeks,
)
from matches.games import find_game
from matches.models import Colour, Match, Seek, SeekStatus
from matches.models.time_control import columns_of
from matches.selectors.computers import count_computer_matches
from matches.selectors.rated_games import why_casual
from matches.selectors.seeks import find_linked_seek, get_seek, obstacle_to
from matches.services.after_commit import notify_changed, notify_seek
from matches.services.new_matches import start_match
from matches.services.opponent_mails import notify_of_joining
from players.models import Player
from players.selectors import check_is_open, guests_of_client, ratings_in
from players.services.budgets import spending_of
from rules_engine.registry import get_game
from rules_engine.values import BySide, Side
from web.limits.table import GAMES, GAMES_OF_GUESTS, SEEKS


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


def beginning_game(player: Player, *, now: datetime) -> AbstractContextManager[None]:
    """Count a game that a player begins, of guests by client network, too. Raises ``BudgetSpent``."""
    of_client = (GAMES_OF_GUESTS.of(player.client_digest),) if player.is_guest and player.client_digest else ()
    return spending_of(player, GAMES, now=now, others=of_client)


def toss_coin() -> Side:
    """Return one of the sides, either as likely."""
    return secrets.choice(list(Side))


def open_seek(
    *,
    creator: Player,
    game: str,
    colour: Colour,
    time_control: TimeControl,
    now: datetime,
    invited: Player | None = None,
    rematch_of: Match | None = None,
    is_rated: bool = False,
    min_rating: int | None = None,
    max_rating: int | None = None,
    admits_computers: bool = False,
    by_link: bool = False,
    toss: Callable[[], Side] = toss_coin,
) -> Seek:
    """Return a new seek, open to everybody, to the ``invited`` player only, or to whoever has its link.

    An invited computer accepts at once, rated or not. The rating limits, and whether computers are admitted, apply to
    open seeks only. Raises ``UnknownGame``, ``OwnSeek``, ``AccountClosed``, ``NoComputer``, ``GuestsNotRated``,
    ``RatedGamesUsedUp``, ``InvalidRatingRange``, ``TooManySeeks``, ``TooManyInvitations``,
    ``TooManyComputerMatches`` or ``BudgetSpent``.
    """
    rules = find_game(game)
    if invited == creator:
        raise OwnSeek(_("You cannot invite yourself."))
    for player in filter(None, (creator, invited)):
        check_is_open(player)
    if invited is not None and invited.is_computer and level_of(invited) not in levels_in(rules):
        raise NoComputer(_("The computer does not play %(game)s at this level.") % {"game": rules.title})
    if is_rated and (creator.is_guest or (invited is not None and invited.is_guest)):
        raise GuestsNotRated(_("Only players with an account can play rated matches."))
    if is_rated and invited is not None and (reason := why_casual(creator, invited, now=now)):
        raise RatedGamesUsedUp(reason, fields={"is_rated": [reason]})
    if min_rating is not None and max_rating is not None and min_rating > max_rating:
        raise InvalidRatingRange(_("The lowest rating is higher than the highest."))
    is_game = invited is not None and bool(invited.level)
    spent = beginning_game(creator, now=now) if is_game or rematch_of else spending_of(creator, SEEKS, now=now)
    with spent, transaction.atomic():
        check_new_seek(creator=creator, invited=invited)
        seek = Seek.objects.create(
            creator=creator,
            invited=invited,
            game=rules.key,
            colour=colour,
            **columns_of(time_control),
            is_rated=is_rated,
            min_rating=min_rating,
            max_rating=max_rating,
            admits_computers=admits_computers,
            by_link=by_link,
            rematch_of=rematch_of,
            created_at=clock.whole_millisecond(now),
        )
        notify_seek(seek)
        if invited is not None and invited.is_computer:
            _take(seek, invited, now, toss)
    return seek


def take_seek(*, seek_id: int, player: Player, now: datetime, toss: Callable[[], Side] = toss_coin) -> Match:
    """Take a seek and return the match that starts. If two players take it at the same time, one gets it.

    The player who has taken it gets the same match again. It is casual if both have used up their rated games. Raises
    ``SeekNotFound``, ``OwnSeek``, ``SeekClosed``, ``AccountClosed``, ``GuestsNotRated``, ``ComputersNotAdmitted``,
    ``RatingOutOfRange``, ``TooManyComputerMatches`` or ``BudgetSpent``.
    """
    with transaction.atomic():
        return _take_if_possible(get_seek(seek_id, player), player, now, toss)


def take_by_link(*, token: str, player: Player, now: datetime, toss: Callable[[], Side] = toss_coin) -> Match:
    """Take the seek that the token of a link names, as ``take_seek`` takes one; of a guest it is casual."""
    with transaction.atomic():
        seek = find_linked_seek(token)
        match = _take_if_possible(seek, player, now, toss)
        notify_of_joining(seek, match, now)
        return match


def _take_if_possible(seek: Seek, player: Player, now: datetime, toss: Callable[[], Side]) -> Match:
    if seek.creator_id == player.pk:
        raise OwnSeek(_("This is your own game. Wait for somebody else to join."))
    if seek.match is not None and seek.match.side_of(player.pk) is not None:
        return seek.match
    check_is_open(player)
    check_is_open(seek.creator)
    ratings = ratings_in(family=get_game(seek.game).family, players=[player])
    obstacle = obstacle_to(seek, player, ratings[player.pk])
    if obstacle is not None:
        raise obstacle
    with beginning_game(player, now=now):
        return _take(seek, player, now, toss)


def withdraw_seek(*, seek_id: int, player: Player) -> Seek:
    """Withdraw the player's own open seek and return it; a second call has no effect.

    Raises ``SeekNotFound``, ``NotYourSeek`` or ``SeekClosed``.
    """
    seek = get_seek(seek_id, player)
    if seek.creator_id != player.pk:
        raise NotYourSeek(_("Only the player who posted a game can withdraw it."))
    return _close(seek, SeekStatus.WITHDRAWN)


def decline_seek(*, seek_id: int, player: Player) -> Seek:
    """Decline an invitation and return it; a second call has no effect.

    Raises ``SeekNotFound``, ``NotYourSeek`` or ``SeekClosed``.
    """
    seek = get_seek(seek_id, player)
    if seek.invited_id != player.pk:
        raise NotYourSeek(_("Only the invited player can decline an invitation."))
    return _close(seek, SeekStatus.DECLINED)


def _close(seek: Seek, status: SeekStatus) -> Seek:
    if seek.status != status and not _move_on(seek, status):
        raise SeekClosed(_("This game is no longer open."))
    return seek


def _take(seek: Seek, player: Player, now: datetime, toss: Callable[[], Side]) -> Match:
    if seek.rematch_of_id is not None:
        # Two offers of a rematch may be taken at the same time, so the match that they follow is locked.
        Match.objects.select_for_update().get(pk=seek.rematch_of_id)
    if Seek.objects.select_for_update().filter(pk=seek.pk, status=SeekStatus.OPEN).first() is None:
        raise SeekClosed(_("This game is no longer open."))
    check_new_match(seek.creator, player)
    side = toss() if seek.colour == Colour.RANDOM else Side(seek.colour)
    players = BySide(player, player).with_side(side, seek.creator)
    match = start_match(
        game=seek.game,
        yellow=players.yellow,
        red=players.red,
        time_control=seek.time_control,
        now=now,
        rematch_of=seek.rematch_of,
        is_rated=seek.is_rated and not player.is_guest and _may_be_rated(seek.creator, player, now),
    )
    if not _move_on(seek, SeekStatus.TAKEN, match):
        raise SeekClosed(_("This game is no longer open."))
    if seek.rematch_of_id is not None:
        others = Seek.objects.filter(rematch_of=seek.rematch_of_id, status=SeekStatus.OPEN)
        others.update(status=SeekStatus.WITHDRAWN)
        notify_changed()
    return match


def _may_be_rated(one: Player, other: Player, now: datetime) -> bool:
    """Return whether two players may begin one more rated game; others that they begin now wait for this one."""
    lock_name("rated games of players {} and {}".format(*sorted((one.pk, other.pk))))
    return not why_casual(one, other, now=now)


def _move_on(seek: Seek, status: SeekStatus, match: Match | None = None) -> bool:
    """Set the final status of an open seek, and return whether it was open until now."""
    if not Seek.objects.filter(pk=seek.pk, status=SeekStatus.OPEN).update(status=status, match=match):
        return False
    seek.status, seek.match = status, match
    notify_seek(seek)
    return True
