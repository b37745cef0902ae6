"""The player's profile page: e-mail, password, mail settings and tokens."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET

from database.clock import current_moment
from players import services
from players.current_player import require_player
from players.devices import remember_device
from players.forms import EmailForm, MailForm, PasswordForm, TimeZoneForm, TokenForm
from players.models import Scope
from players.recent_password import note_password
from players.selectors import mail_settings_of, tokens_of
from players.views.buttons import button
from players.views.password_prompt import password_again
from players.views.refusals import as_refused
from web.errors import DomainError


@never_cache
@login_required
@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """Show the player's e-mail, password form and tokens."""
    return show_profile(request)


@never_cache
@button
@password_again
def change_email(request: HttpRequest) -> HttpResponse:
    """Store another e-mail, or none."""
    form = EmailForm(request.POST)
    if form.is_valid():
        try:
            services.change_email(
                player=require_player(request), email=form.cleaned_data["email"], now=current_moment()
            )
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(show_profile(request, status=400, email_form=form), refusal)
        messages.success(request, _("Your e-mail address has been saved."))
        return redirect("profile")
    return show_profile(request, status=400, email_form=form)


@never_cache
@button
@sensitive_post_parameters()
def change_password(request: HttpRequest) -> HttpResponse:
    """Choose another password. Other sessions end, this one goes on; tokens are revoked unless that is unticked."""
    form = PasswordForm(request.POST)
    player = require_player(request)
    if form.is_valid():
        try:
            services.change_password(player=player, **form.cleaned_data)
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(show_profile(request, status=400, password_form=form), refusal)
        note_password(request, player)
        messages.success(request, _("Your password has been changed."))
        response = redirect("profile")
        remember_device(request, response, player)
        return response
    return show_profile(request, status=400, password_form=form)


@never_cache
@button
@password_again
def create_token(request: HttpRequest) -> HttpResponse:
    """Make an API token and show its secret, this once."""
    form = TokenForm(request.POST)
    now = current_moment()
    if form.is_valid():
        days = form.cleaned_data["days"]
        try:
            token, secret = services.create_token(
                player=require_player(request),
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=now + timedelta(days=days) if days else None,
                now=now,
            )
        except DomainError as refusal:
            form.show(refusal)
        else:
            return show_profile(request, new_token=token, secret=secret)
    return show_profile(request, status=400, token_form=form)


@never_cache
@button
@password_again
def create_calendar(request: HttpRequest) -> HttpResponse:
    """Make a token that opens the calendar of the player's deadlines alone, and show its URL, this once."""
    try:
        _token, secret = services.create_token(
            player=require_player(request), name=_("Calendar"), scopes=[Scope.CALENDAR], now=current_moment()
        )
    except DomainError as refusal:
        messages.error(request, refusal.reason)
        return redirect(f"{reverse('profile')}#calendar")
    url = request.build_absolute_uri(reverse("own-calendar", args=[secret]))
    return show_profile(request, calendar_url=url)


@never_cache
@button
@password_again
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke an API token; it is no error if it is gone already."""
    try:
        services.revoke_token(player=require_player(request), token_id=token_id)
    except DomainError as refusal:
        messages.info(request, refusal.reason)
    else:
        messages.success(request, _("The token has been revoked."))
    return redirect("profile")


@never_cache
@button
def change_entries(request: HttpRequest) -> HttpResponse:
    """Store whether organisers may enter the player without asking."""
    return _change_choices(request, "may_be_entered")


@never_cache
@button
def change_playing(request: HttpRequest) -> HttpResponse:
    """Store what is done by itself, and how the player goes from match to match."""
    return _change_choices(request, "by_itself", "goes_on", "single_keys")


@never_cache
@button
def change_time_zone(request: HttpRequest) -> HttpResponse:
    """Store the player's time zone."""
    form = TimeZoneForm(request.POST)
    if form.is_valid():
        try:
            services.change_choices(player=require_player(request), choices=form.cleaned_data, now=current_moment())
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(show_profile(request, status=400, zone_form=form), refusal)
        messages.success(request, _("Your choice has been saved."))
        return redirect("profile")
    return show_profile(request, status=400, zone_form=form)


def _change_choices(request: HttpRequest, *names: str) -> HttpResponse:
    """Store the choices with these names as the form has them: what is not ticked is not sent."""
    choices = {name: name in request.POST for name in names}
    services.change_choices(player=require_player(request), choices=choices, now=current_moment())
    messages.success(request, _("Your choice has been saved."))
    return redirect("profile")


def show_profile(request: HttpRequest, status: int = 200, **context: object) -> HttpResponse:
    """Return the profile; ``context`` puts a form that was refused in the place of a fresh one."""
    player = require_player(request)
    forms = {
        "email_form": EmailForm(initial={"email": player.email}),
        "password_form": PasswordForm(),
        "token_form": TokenForm(),
        "mail_form": MailForm(instance=mail_settings_of(player=player)),
        "zone_form": TimeZoneForm(initial={"time_zone": player.time_zone or "UTC"}),
    }
    return render(
        request, "players/profile.html", {**forms, "tokens": tokens_of(player=player), **context}, status=status
    )
