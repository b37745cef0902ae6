"""Players, their tokens and their mails in the admin."""

from players.admin.accounts import ApiTokenAdmin, PlayerAdmin
from players.admin.mails import DeliveryAdmin

__all__ = ["ApiTokenAdmin", "DeliveryAdmin", "PlayerAdmin"]
