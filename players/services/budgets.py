"""Spend the budgets of players by what they do (``web.limits.table``)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from players.models import Player
from web.limits.budgets import Age, Budget, Claim, current_client, spending
from web.limits.table import MAILS

NEW = timedelta(days=1)
"""The time for which an account has the rates of new ones."""


@contextmanager
def spending_of(player: Player, *budgets: Budget, now: datetime, others: tuple[Claim, ...] = ()) -> Iterator[None]:
    """Count what a player does in the context under budgets, and ``others``; it is taken off if it fails.

    Only what clients ask for is counted, and nothing of the site's computers. Raises ``BudgetSpent``.
    """
    if player.level:
        yield
        return
    with spending(*(_claim(player, budget, now) for budget in budgets), *others):
        yield


def spend_mails(player: Player, number: int, *, now: datetime) -> None:
    """Count mails to others that a player causes; raises ``BudgetSpent`` if none are left."""
    if number and current_client():
        _claim(player, MAILS, now).spend(number)


def may_mail(player: Player, number: int, *, now: datetime) -> bool:
    """Count mails to others that a player causes, and return whether any were left."""
    if not number or not current_client():
        return True
    allowance = _claim(player, MAILS, now).take(number)
    return allowance is None or allowance.allowed


def _claim(player: Player, budget: Budget, now: datetime) -> Claim:
    age = Age.GUEST if player.is_guest else Age.NEW if player.date_joined > now - NEW else Age.SETTLED
    return budget.of(str(player.pk), age=age)
