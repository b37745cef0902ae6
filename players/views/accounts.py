"""The pages to sign up, log in and log out, to delete one's account, and each player's public page."""

from django.contrib import messages
from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.response import TemplateResponse
from django.utils.encoding import iri_to_uri
from django.utils.http import MAX_URL_REDIRECT_LENGTH, url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from database.clock import current_moment
from players import services
from players.current_player import require_player
from players.devices import known_device, remember_device
from players.forms import LogInForm, RefusableForm, SignUpForm
from players.models import Player
from players.selectors import find_any_player, find_player
from players.services.account_closures import follows_from_deletion
from players.views.buttons import own_form
from players.views.password_prompt import password_again
from players.views.refusals import as_refused
from web.errors import DomainError
from web.limits.budgets import attempt
from web.limits.table import SIGN_UPS
from web.requests.client_ip import client_network


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Sign up. A guest becomes the new player and keeps all matches."""
    guest = request.user if isinstance(request.user, Player) else None
    if guest and not guest.is_guest:
        return redirect(_destination(request))
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            with attempt(SIGN_UPS.of(client_network(request))):
                player = services.sign_up(**form.cleaned_data, guest=guest, now=current_moment())
        except DomainError as refusal:
            return _refuse(request, "players/sign_up.html", form, refusal)
        return _log_in(request, player)
    return _show(request, "players/sign_up.html", form)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in, and go on to ``next`` where it is a page of this site."""
    form = LogInForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            device = known_device(request, find_player(username=form.cleaned_data["username"]))
            player = services.check_credentials(**form.cleaned_data, client_ip=client_network(request), device=device)
        except DomainError as refusal:
            return _refuse(request, "players/log_in.html", form, refusal)
        return _log_in(request, player)
    return _show(request, "players/log_in.html", form)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out. A guest is gone for good: the page says so before."""
    player = request.user
    logout(request)
    response = redirect("home")
    if isinstance(player, Player) and not player.is_guest:
        remember_device(request, response, player)
    return response


@require_GET
def show_player(request: HttpRequest, username: str) -> HttpResponse:
    """Return a player's public page, found by the username in any case of letters: a closed account has one, too."""
    player = find_any_player(username=username)
    if player is None:
        raise Http404(_("There is no such player."))
    return render(request, "players/player.html", {"player": player})


def _log_in(request: HttpRequest, player: Player) -> HttpResponse:
    """Log a player in who has proved to be one, remember the browser, and lead on."""
    login(request, player)
    response = redirect(_destination(request))
    remember_device(request, response, player)
    return response


def _destination(request: HttpRequest) -> str:
    """Return where ``next`` leads, if that is a path of this site; else home."""
    next_url = request.POST.get("next") or request.GET.get("next") or ""
    # Anything without the slash would be taken for the name of a view.
    safe = next_url.startswith("/") and len(iri_to_uri(next_url)) <= MAX_URL_REDIRECT_LENGTH
    safe = safe and url_has_allowed_host_and_scheme(next_url, {request.get_host()}, require_https=request.is_secure())
    return next_url if safe else resolve_url("home")


def _show(request: HttpRequest, template: str, form: RefusableForm) -> HttpResponse:
    next_url = request.POST.get("next") or request.GET.get("next") or ""
    return render(request, template, {"form": form, "next": next_url}, status=400 if form.errors else 200)


def _refuse(request: HttpRequest, template: str, form: RefusableForm, refusal: DomainError) -> HttpResponse:
    form.show(refusal)
    return as_refused(_show(request, template, form), refusal)


@own_form
def delete_account(request: HttpRequest) -> HttpResponse:
    """Show what deleting the account means, and delete it once confirmed."""
    return _delete(request) if request.method == "POST" else _ask_to_delete(request)


@password_again
def _delete(request: HttpRequest) -> HttpResponse:
    try:
        services.delete_account(player_id=require_player(request).pk, now=current_moment())
    except DomainError as refusal:
        return _ask_to_delete(request, refusal)
    logout(request)
    messages.success(request, _("Your account has been deleted."))
    return redirect("home")


def _ask_to_delete(request: HttpRequest, refusal: DomainError | None = None) -> HttpResponse:
    follows = follows_from_deletion(player=require_player(request))
    return TemplateResponse(request, "players/delete_account.html", {"refusal": refusal, "follows": follows})
