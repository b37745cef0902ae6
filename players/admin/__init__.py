"""Players, their tokens and their mails in the admin."""

from players.admin.accounts import ApiTokenAdmin, GroupAdmin, PlayerAdmin
from players.admin.mails import DeliveryAdmin

__all__ = ["ApiTokenAdmin", "DeliveryAdmin", "GroupAdmin", "PlayerAdmin"]
