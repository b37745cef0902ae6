"""The buttons and the form of devices on the profile."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from players.current_player import require_player
from players.views.buttons import button
from players.views.profile import show_profile
from push.forms import PushForm
from push.models import PushSettings
from push.services.subscriptions import change_push_settings, end_subscription
from web.errors import DomainError


@never_cache
@button
def change_push(request: HttpRequest) -> HttpResponse:
    """Store what the player is told on devices."""
    form = PushForm(request.POST, instance=PushSettings(player=require_player(request)))
    if not form.is_valid():
        return show_profile(request, status=400, push_form=form)
    change_push_settings(player=require_player(request), wishes=form.cleaned_data)
    messages.success(request, _("Your choice has been saved."))
    return redirect(f"{reverse('profile')}#push")


@never_cache
@button
def end_device(request: HttpRequest, device_id: int) -> HttpResponse:
    """Tell nothing on a device any more; it is no error if it is gone already."""
    try:
        end_subscription(player=require_player(request), device_id=device_id)
    except DomainError as refusal:
        messages.info(request, refusal.reason)
    else:
        messages.success(request, _("Nothing is sent to this device any more."))
    return redirect(f"{reverse('profile')}#push")
