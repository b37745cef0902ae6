"""Pauses of the site in the admin: superusers pause, resume, and give time back."""

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from database.clock import current_moment
from matches.errors import SitePauseRefused
from matches.models import SitePause
from matches.services.site_pauses import check_span, check_unpaused, give_time_back, pause_site, resume_site
from players.admin.lists import BoundedAdmin
from players.models import Player
from tournaments.decisions.services.site_pauses import call_completion


class SitePauseForm(forms.ModelForm):
    """Two moments between which the site stood still, or none to pause it now."""

    class Meta:
        model = SitePause
        fields: ClassVar = ("begins_at", "ends_at", "expected_until", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Who looks at a pause has no fields.
        if self.fields:
            for name in ("begins_at", "ends_at", "expected_until"):
                day, time = self.fields[name].widget.widgets
                day.attrs["aria-label"], time.attrs["aria-label"] = _("Date"), _("Time")
            self.fields["begins_at"].required = False
            self.fields["begins_at"].help_text = _("Leave both empty to pause the site from now on.")
            self.fields["expected_until"].help_text = _("What players are told of a pause: when it should be over.")
            self.fields["reason"].required = True
            self.fields["reason"].help_text = _("Players read it.")

    def clean(self) -> dict[str, Any]:
        """Refuse what the services would refuse."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        begins_at, ends_at = cleaned.get("begins_at"), cleaned.get("ends_at")
        if self.errors:
            return cleaned
        if (begins_at is None) != (ends_at is None):
            raise forms.ValidationError(_("Give both moments, or none to pause the site from now on."))
        try:
            if begins_at is None or ends_at is None:
                check_unpaused()
            else:
                check_span(begins_at=begins_at, ends_at=ends_at, now=current_moment())
        except SitePauseRefused as error:
            raise forms.ValidationError(str(error)) from error
        return cleaned

    def _post_clean(self) -> None:
        """Leave it to the services to make the row."""
        self.instance.begins_at = self.cleaned_data.get("begins_at")
        self.instance.ends_at = self.cleaned_data.get("ends_at")
        self.instance.expected_until = self.cleaned_data.get("expected_until")
        self.instance.reason = self.cleaned_data.get("reason", "")


@admin.register(SitePause)
class SitePauseAdmin(BoundedAdmin):
    """Pauses are made and ended, never changed: matches have their time."""

    form = SitePauseForm
    list_display = ("begins_at", "ends_at", "reason", "noted_by", "completed_at")
    list_select_related = ("noted_by",)
    actions = ("resume",)

    def save_model(self, request: HttpRequest, obj: SitePause, form: Any, change: bool) -> None:
        """Pause the site, or give the time back."""
        actor, now, reason = cast("Player", request.user), current_moment(), obj.reason
        if obj.begins_at is None:
            made = [pause_site(reason=reason, actor=actor, now=now, expected_until=obj.expected_until)]
        else:
            span = {"begins_at": obj.begins_at, "ends_at": cast("Any", obj.ends_at)}
            made = give_time_back(**span, reason=reason, actor=actor, now=now)
        if not made:
            self.message_user(request, _("All of this time was given back before."), messages.WARNING)
            made = [*SitePause.objects.filter(begins_at__lt=obj.ends_at).order_by("-begins_at")[:1]]
        obj.pk, obj.begins_at, obj.ends_at = made[0].pk, made[0].begins_at, made[0].ends_at
        call_completion()

    @admin.action(description=_("Resume the site"), permissions=["add"])
    def resume(self, request: HttpRequest, queryset: QuerySet[SitePause]) -> None:
        """Let the clocks run on, if one of the chosen pauses lasts."""
        if not queryset.filter(ends_at=None).exists():
            self.message_user(request, _("This pause is over."), messages.ERROR)
            return
        resume_site(now=current_moment())
        call_completion()
        self.message_user(request, _("The site goes on."))

    def has_change_permission(self, request: HttpRequest, obj: SitePause | None = None) -> bool:
        """Refuse: what was given is given."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: SitePause | None = None) -> bool:
        """Refuse: what was given is given."""
        return False
