"""The forms of the players' pages. Services validate what they carry."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from players.models import REMINDER_HOURS, SWITCHES, MailSettings, Scope
from players.usernames import MAX_LENGTH
from web.errors import DomainError
from web.pages.moment_fields import DayField
from web.time_zones import MAX_ZONE_LENGTH


class RefusableForm(forms.Form):
    """A form that shows a service's refusal beside the fields at fault."""

    def show(self, refusal: DomainError) -> None:
        """Add the refusal's sentences to the fields, or above the form where it names none of them."""
        known = {name: faults for name, faults in refusal.fields.items() if name in self.fields}
        for name, faults in known.items():
            for fault in faults:
                self.add_error(name, fault)
        if not known:
            self.add_error(None, refusal.reason)


def _password(label: Any, autocomplete: str) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, strip=False, widget=widget)


class SignUpForm(RefusableForm):
    """A new account."""

    username = forms.CharField(
        label=_("Username"),
        max_length=MAX_LENGTH,
        help_text=_("3 to 20 letters, digits, hyphens or underscores."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Optional."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = _password(_("Password"), "new-password")


class LogInForm(RefusableForm):
    """Username and password."""

    username = forms.CharField(
        label=_("Username"),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = _password(_("Password"), "current-password")


class EmailForm(RefusableForm):
    """Another e-mail, or none."""

    email = forms.EmailField(
        label=_("E-mail address"), required=False, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class PasswordForm(RefusableForm):
    """Another password."""

    old = _password(_("Current password"), "current-password")
    new = _password(_("New password"), "new-password")
    revoke_tokens = forms.BooleanField(label=_("Also revoke all my API tokens"), required=False, initial=True)


class PasswordAgainForm(RefusableForm):
    """The current password once more."""

    current_password = _password(_("Password"), "current-password")


class EmailForResetForm(RefusableForm):
    """The e-mail to which a link is sent that resets the password."""

    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))


class NewPasswordForm(RefusableForm):
    """Another password, of a player who need not know the old one."""

    new = _password(_("New password"), "new-password")


class MailForm(forms.ModelForm):
    """The mails that a player wants."""

    turns_daily_at = forms.TypedChoiceField(
        label=_("Mails of my turns"),
        choices=[("", _("as they begin")), *((hour, _("once a day at %02d:00") % hour) for hour in range(24))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    reminder_hours = forms.TypedMultipleChoiceField(
        label=_("Remind me this long before my time runs out"),
        choices=[
            (hours, ngettext_lazy("%(hours)d hour", "%(hours)d hours", "hours") % {"hours": hours})
            for hours in REMINDER_HOURS
        ],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = MailSettings
        fields = (*SWITCHES.values(), "turns_daily_at", "reminder_hours")

    @property
    def switches(self) -> list[forms.BoundField]:
        """Return the fields that switch kinds of mail on and off."""
        return [self[name] for name in SWITCHES.values()]


class TimeZoneForm(RefusableForm):
    """The time zone of a player."""

    time_zone = forms.CharField(
        label=_("My time zone"),
        max_length=MAX_ZONE_LENGTH,
        help_text=_("Such as Europe/Prague. Mails show times in it."),
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false"}),
    )


class TokenForm(RefusableForm):
    """A token to be made."""

    name = forms.CharField(label=_("Purpose"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=Scope.choices,
        initial=[Scope.READ, Scope.PLAY],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("Expires"),
        choices=[("", _("never")), ("7", _("in 7 days")), ("30", _("in 30 days")), ("365", _("in a year"))],
        required=False,
        coerce=int,
        empty_value=None,
    )


class VacationForm(RefusableForm):
    """Days of vacation to be planned."""

    first = DayField(label=_("First day"), help_text=_("A day of vacation starts and ends at midnight UTC."))
    last = DayField(label=_("Last day"))
