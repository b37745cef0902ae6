"""Players and their tokens in the admin."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from players.models import ApiToken, Player


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    """Accounts: who they are and what they may do."""

    list_display = ("username", "email", "is_guest", "is_computer", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_computer", "is_staff", "is_active")
    search_fields = ("username", "email")
    ordering = ("-id",)
    show_full_result_count = False
    readonly_fields = ("last_login", "date_joined", "email_confirmed_at")
    fieldsets = (
        (None, {"fields": ("username", "email", "email_confirmed_at", "password")}),
        ("Kind", {"fields": ("is_guest", "is_computer")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens can be seen and revoked, never made or changed for somebody."""

    list_display = ("name", "player", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
    list_select_related = ("player",)
    search_fields = ("name", "prefix", "player__username")
    readonly_fields: ClassVar = ("player", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody makes a token for somebody else."""
        return False
