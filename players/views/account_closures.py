"""The page on which a player deletes their account."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from players import services
from players.current_player import require_player
from players.views.buttons import own_form
from players.views.password_prompt import password_again
from web.errors import DomainError


@own_form
def delete_account(request: HttpRequest) -> HttpResponse:
    """Show what deleting the account means, and delete it once confirmed."""
    return _delete(request) if request.method == "POST" else _show(request)


@password_again
def _delete(request: HttpRequest) -> HttpResponse:
    try:
        services.delete_account(player_id=require_player(request).pk, now=timezone.now())
    except DomainError as refusal:
        return _show(request, refusal)
    logout(request)
    messages.success(request, _("Your account has been deleted."))
    return redirect("home")


def _show(request: HttpRequest, refusal: DomainError | None = None) -> HttpResponse:
    return TemplateResponse(request, "players/delete_account.html", {"refusal": refusal})
