"""The players' pages: sign-up, log-in, one's own profile, and everybody's public page."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players import services
from players.addresses import client_address
from players.attempts import Limit
from players.errors import DomainError, TooManyAttempts
from players.forms import EmailForm, LogInForm, PasswordForm, RefusableForm, SignUpForm, TokenForm
from players.models import Player
from players.selectors import find_player, tokens_of

SIGN_UPS = Limit("sign-up", number=20, seconds=3600)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Sign up. A guest becomes the new player himself and keeps his matches."""
    guest = request.user if isinstance(request.user, Player) else None
    if guest and not guest.is_guest:
        return redirect(_destination(request))
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            SIGN_UPS.spend(client_address(request))
            player = services.sign_up(**form.cleaned_data, guest=guest, now=timezone.now())
        except DomainError as refusal:
            return _refuse(request, "players/sign_up.html", form, refusal)
        login(request, player)
        return redirect(_destination(request))
    return _show(request, "players/sign_up.html", form)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in, and go on to ``next`` where it is a page of this site."""
    form = LogInForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            player = services.check_credentials(**form.cleaned_data, address=client_address(request))
        except DomainError as refusal:
            return _refuse(request, "players/log_in.html", form, refusal)
        login(request, player)
        return redirect(_destination(request))
    return _show(request, "players/log_in.html", form)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out. A guest is gone for good: the page says so before."""
    logout(request)
    return redirect("home")


@never_cache
@login_required
@require_GET
def profile(request: HttpRequest) -> HttpResponse:
    """One's own address, password and tokens."""
    return _show_profile(request)


@never_cache
@login_required
@require_POST
def change_email(request: HttpRequest) -> HttpResponse:
    """Store another e-mail address, or none."""
    form = EmailForm(request.POST)
    if form.is_valid():
        try:
            services.change_email(player=_player(request), email=form.cleaned_data["email"])
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Your e-mail address is saved."))
            return redirect("profile")
    return _show_profile(request, status=400, email_form=form)


@never_cache
@login_required
@sensitive_post_parameters()
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    """Choose another password. Other sessions end, this one stays."""
    form = PasswordForm(request.POST)
    player = _player(request)
    if form.is_valid():
        try:
            services.change_password(player=player, **form.cleaned_data)
        except DomainError as refusal:
            form.show(refusal)
        else:
            update_session_auth_hash(request, player)
            messages.success(request, _("Your password is changed."))
            return redirect("profile")
    return _show_profile(request, status=400, password_form=form)


@never_cache
@login_required
@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    """Make an API token and show its secret, this once."""
    form = TokenForm(request.POST)
    now = timezone.now()
    if form.is_valid():
        days = form.cleaned_data["days"]
        try:
            token, secret = services.create_token(
                player=_player(request),
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                expires_at=now + timedelta(days=days) if days else None,
                now=now,
            )
        except DomainError as refusal:
            form.show(refusal)
        else:
            return _show_profile(request, new_token=token, secret=secret)
    return _show_profile(request, status=400, token_form=form)


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke an API token; one that is gone already is no mistake."""
    try:
        services.revoke_token(player=_player(request), token_id=token_id)
    except DomainError as refusal:
        messages.info(request, refusal.reason)
    else:
        messages.success(request, _("The token is revoked."))
    return redirect("profile")


@require_GET
def show_player(request: HttpRequest, username: str) -> HttpResponse:
    """A player's public page, found by his username in any case of letters."""
    player = find_player(username=username)
    if player is None:
        raise Http404(_("There is no such player."))
    return render(request, "players/player.html", {"player": player})


def _player(request: HttpRequest) -> Player:
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


def _destination(request: HttpRequest) -> str:
    """Where ``next`` leads, if that is a page of this site; else home."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else resolve_url("home")


def _show(request: HttpRequest, template: str, form: RefusableForm) -> HttpResponse:
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return render(request, template, {"form": form, "next": wanted}, status=400 if form.errors else 200)


def _refuse(request: HttpRequest, template: str, form: RefusableForm, refusal: DomainError) -> HttpResponse:
    form.show(refusal)
    response = _show(request, template, form)
    if isinstance(refusal, TooManyAttempts):
        response.status_code = 429
        response["Retry-After"] = str(refusal.wait)
    return response


def _show_profile(request: HttpRequest, status: int = 200, **context: object) -> HttpResponse:
    player = _player(request)
    forms = {
        "email_form": EmailForm(initial={"email": player.email}),
        "password_form": PasswordForm(),
        "token_form": TokenForm(),
    }
    return render(
        request, "players/profile.html", {**forms, "tokens": tokens_of(player=player), **context}, status=status
    )
