"""The form of what a player is told on devices."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from push.models import SWITCHES, PushSettings

HOURS = [("", _("never")), *((hour, f"{hour}:00") for hour in range(24))]


def _hour(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, choices=HOURS, coerce=int, empty_value=None, required=False)


class PushForm(forms.ModelForm):
    """What a player is told on devices; another form on the profile names its fields alike."""

    prefix = "push"
    quiet_from = _hour(_("Tell me nothing from"))
    quiet_until = _hour(_("until"))

    class Meta:
        model = PushSettings
        fields = (*SWITCHES.values(), "shows_names", "quiet_from", "quiet_until")

    @property
    def switches(self) -> list[forms.BoundField]:
        """Return the fields that switch kinds of pushes on and off."""
        return [self[name] for name in SWITCHES.values()]
