"""Players and their tokens in the admin."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from players import services
from players.admin.lists import MAX_PLAYERS, BoundedAdmin
from players.errors import AccountNeeded, AlreadyTaken
from players.models import ApiToken, Player
from players.selectors import players_named
from players.services.account_closures import (
    announce_switch,
    check_can_be_deleted,
    check_is_not_last_superuser,
    follows_from_deletion,
    reasons_to_keep,
)
from players.services.email_confirmations import notify_old_email, post_confirmation_for
from players.services.held_names import check_is_free
from players.services.name_changes import count_name_change
from players.services.tokens import revoke_all_tokens
from web.errors import TooManyAttempts

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")
MAX_FORESEEN = 10
"""The most accounts of which a page says what follows from deleting them."""

KINDS = ("is_guest", "is_computer")
DATES = ("last_login", "acted_at", "date_joined", "closed_at", "closing_finished_at", "erased_at")


class FreeNameForm(forms.ModelForm):
    """A form that refuses to give an account a name that is held."""

    def clean(self) -> dict[str, Any]:
        """Refuse another username that nobody can take yet."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "username" in self.changed_data and "username" in cleaned:
            try:
                check_is_free(username=cleaned["username"], now=current_moment())
            except AlreadyTaken as refusal:
                self.add_error("username", refusal.reason)
        return cleaned


class NewPlayerForm(FreeNameForm, AdminUserCreationForm):
    """An account that staff makes."""


class PlayerForm(FreeNameForm, UserChangeForm):
    """An account that staff changes."""

    def clean(self) -> dict[str, Any]:
        """Refuse to switch off the last superuser, or to take the powers away."""
        cleaned = super().clean()
        for name in {"is_active", "is_superuser"} & set(self.changed_data):
            if cleaned.get(name) is False:
                try:
                    with transaction.atomic():
                        check_is_not_last_superuser(player_id=self.instance.pk)
                except AccountNeeded as refusal:
                    self.add_error(name, refusal.reason)
        return cleaned


class NewPasswordForm(AdminPasswordChangeForm):
    """A password that staff chooses for a player. All sessions of the player end."""

    def save(self, commit: bool = True) -> Player:
        """Store the password, which ends all sessions, and revoke the player's tokens."""
        player: Player = super().save(commit)
        if commit:
            revoke_all_tokens(player=player)
        return player


@admin.register(Player)
class PlayerAdmin(BoundedAdmin, UserAdmin):
    """Accounts: who they are and what they may do."""

    form = PlayerForm
    add_form = NewPlayerForm
    change_password_form = NewPasswordForm

    list_display = ("username", "email", "is_guest", "is_computer", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_computer", "is_staff", "is_active")
    player_paths = ("pk",)
    search_help_text = _("A part of a username, three letters or more, or a whole e-mail address")
    readonly_fields = ("email_confirmed_at", "email_bounced_at", *DATES)
    fieldsets = (
        (None, {"fields": ("username", "email", "email_confirmed_at", "email_bounced_at", "password")}),
        ("Kind", {"fields": ("is_guest", "is_computer", "level")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": DATES}),
    )

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Store the account. Another e-mail has to be confirmed by its player, as if the player had entered it."""
        is_new_email = "email" in form.changed_data
        old = form.initial.get("email", "") if is_new_email and obj.email_confirmed_at is not None else ""
        if is_new_email:
            obj.email_confirmed_at = obj.email_bounced_at = None
        is_switched = change and "is_active" in form.changed_data
        if is_switched:
            self._announce_switch(request, obj)
        super().save_model(request, obj, form, change)
        if change and {"username", "is_computer"} & set(form.changed_data):
            count_name_change()
        if old:
            notify_old_email(player=obj, old=old, now=current_moment())
        if is_new_email and obj.email:
            try:
                post_confirmation_for(player=obj, now=current_moment())
            except TooManyAttempts as refusal:
                self.message_user(request, refusal.reason, messages.WARNING)
        if is_switched and obj.is_active:
            services.reactivate_player(player_id=obj.pk)
        elif is_switched:
            services.deactivate_player(player_id=obj.pk, now=current_moment())

    def _announce_switch(self, request: HttpRequest, player: Player) -> None:
        """Say for what an account that is closed was needed. Its locks come before the player's row."""
        if not player.is_active:
            for reason in reasons_to_keep(player=player):
                self.message_user(request, reason, messages.WARNING)
        announce_switch(player_id=player.pk, is_open=player.is_active)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the players with this in their usernames, or with this e-mail, in any case of letters."""
        folded = search_term.strip().lower()
        if not folded:
            return queryset, False
        if "@" not in folded:
            named = players_named(part=folded, among=queryset)
            # The trigrams of a name are gone through once: few players are counted and read by their keys.
            keys = list(named.order_by().values_list("pk", flat=True)[: MAX_PLAYERS + 1])
            return (queryset.filter(pk__in=keys) if len(keys) <= MAX_PLAYERS else named), False
        return queryset.alias(folded=Lower("email")).filter(folded=folded).exclude(email=""), False

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[str]]:
        """Return what follows from deleting each of these accounts, and why one of them cannot be deleted."""
        found: list[Any] = []
        protected = []
        for place, player in enumerate(objs):
            try:
                with transaction.atomic():
                    check_can_be_deleted(player=player)
                    follows = reasons_to_keep(player=player)
                if place < MAX_FORESEEN:
                    follows += follows_from_deletion(player=player)
                elif place == MAX_FORESEEN:
                    follows += [_("The consequences are shown for the first %d only.") % MAX_FORESEEN]
                found += [str(player), follows]
            except AccountNeeded as refusal:
                protected.append(f"{player}: {refusal.reason}")
        forbidden = any(not self.has_delete_permission(request, player) for player in objs)
        return found, {}, {str(Player._meta.verbose_name)} if forbidden else set(), protected  # noqa: SLF001 - Django's own

    def delete_model(self, request: HttpRequest, obj: Player) -> None:
        """Delete the account as its player would: its results stay under a name that says nothing."""
        services.delete_account(player_id=obj.pk, now=current_moment(), by_staff=True)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        """Delete each account in the same way."""
        for player_id in list(queryset.order_by("pk").values_list("pk", flat=True)):
            services.delete_account(player_id=player_id, now=current_moment(), by_staff=True)

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str] | tuple[str, ...]:
        """Let superusers alone decide who may do what, and nobody what kind an account is that exists."""
        fields = (*super().get_readonly_fields(request, obj), *(KINDS if obj is not None else ()))
        if obj is not None and obj.erased_at is not None:
            fields = (*fields, "username", "email", "is_active", *POWERS)
        return (*fields, *(() if request.user.is_superuser else POWERS))

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Let only superusers change superusers: otherwise staff could take over a superuser's account."""
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Allow deletion to those who may change the account."""
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_delete_permission(request, obj)


@admin.register(ApiToken)
class ApiTokenAdmin(BoundedAdmin):
    """Tokens can be seen and revoked, never made or changed for somebody."""

    list_display = ("name", "player", "prefix", "scopes", "created_at", "expires_at", "last_used_at")
    list_select_related = ("player",)
    player_paths = ("player",)
    readonly_fields: ClassVar = ("player", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: nobody makes a token for somebody else."""
        return False
