"""Pages of mail settings, and the pages that links in mails lead to; those work without logging in."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from database.clock import current_moment
from players import services
from players.current_player import require_player
from players.forms import MailForm
from players.mail_links import ALL_SWITCHES
from players.models import SWITCHES, MailSettings
from players.views.buttons import button
from players.views.profile import show_profile
from players.views.refusals import as_refused
from web.errors import DomainError


@never_cache
@button
def change_mail(request: HttpRequest) -> HttpResponse:
    """Store which mails the player wants."""
    form = MailForm(request.POST, instance=MailSettings(player=require_player(request)))
    if not form.is_valid():
        return show_profile(request, status=400, mail_form=form)
    services.change_mail_settings(player=require_player(request), wishes=form.cleaned_data, now=current_moment())
    messages.success(request, _("Your mail settings have been saved."))
    return redirect("profile")


@never_cache
@button
def send_confirmation(request: HttpRequest) -> HttpResponse:
    """Send the link that confirms the player's e-mail once more."""
    try:
        services.request_confirmation(player=require_player(request), now=current_moment())
    except DomainError as refusal:
        messages.error(request, refusal.reason)
        return as_refused(show_profile(request, status=409), refusal)
    messages.success(request, _("An e-mail with a link is on its way."))
    return redirect("profile")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the e-mail is to be confirmed, and confirm it. Programs that look at links confirm nothing."""
    page = "players/confirm_email.html"
    if request.method != "POST":
        return render(request, page)
    return _follow(request, page, lambda: services.confirm_email(token=token, now=current_moment()).email)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def switch_mail_off(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether a kind of mail is to be switched off, and do so. Mail programs post here by themselves (RFC 8058)."""
    page = "players/switch_mail_off.html"
    if request.method == "POST":
        return _follow(request, page, lambda: _kind_name(services.switch_mail_off(token=token)))
    return _follow(request, page, lambda: _kind_name(services.read_kind_to_switch_off(token=token)[1]), name="question")


def _follow(request: HttpRequest, page: str, act: Callable[[], str], name: str = "done") -> HttpResponse:
    """Return the page with what was done, or with the refusal."""
    try:
        return render(request, page, {name: act()})
    except DomainError as refusal:
        return as_refused(render(request, page, {"refusal": refusal}, status=404), refusal)


def _kind_name(kind: str) -> str:
    if kind == ALL_SWITCHES:
        return _("about everything except my account")
    field = MailSettings._meta.get_field(SWITCHES[kind])  # noqa: SLF001 - Django's way to a field's name
    return str(field.verbose_name)  # type: ignore[union-attr]
