"""The outbox in the admin: mails that wait, that have failed so far, and that were given up."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from database.clock import current_moment
from players.admin.lists import BoundedAdmin
from players.models import Delivery, DeliveryState
from players.services.outbox import retry_deliveries


class ProgressFilter(admin.SimpleListFilter):
    """Filter mails by state. A mail whose sending failed is still to be sent, too."""

    title = _("progress")
    parameter_name = "progress"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, Any]]:
        """Return the states, and one more for mails that have failed so far."""
        return [("retried", _("failed so far")), *DeliveryState.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return the mails in the chosen state."""
        if self.value() == "retried":
            return queryset.filter(state=DeliveryState.PENDING, attempts__gt=0)
        return queryset.filter(state=self.value()) if self.value() else queryset


@admin.register(Delivery)
class DeliveryAdmin(BoundedAdmin):
    """Mails can be seen and sent once more, never written or changed."""

    list_display = ("id", "player", "kind", "state", "attempts", "created_at", "next_attempt_at", "last_error")
    list_filter = (ProgressFilter, "kind")
    list_select_related = ("player",)
    player_paths = ("player",)
    actions = ("send_again",)

    @admin.action(description=_("Send again now"), permissions=["send"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> None:
        """Send the chosen mails once more, unless they were sent."""
        number = retry_deliveries(ids=list(queryset.values_list("pk", flat=True)), now=current_moment())
        message = ngettext("%d e-mail will be sent.", "%d e-mails will be sent.", number) % number
        self.message_user(request, message)

    def has_send_permission(self, request: HttpRequest) -> bool:
        """Return whether the user might change mails, if they could be changed."""
        return bool(request.user.has_perm("players.change_delivery"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: nobody writes a mail here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Delivery | None = None) -> bool:
        """Refuse: nobody changes a mail here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Delivery | None = None) -> bool:
        """Return ``False``: finished mails are deleted by a sweep."""
        return False
