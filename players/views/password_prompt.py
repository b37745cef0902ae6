"""Ask for the password again before a request is handled, and then handle it with all that was sent."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from players.forms import PasswordAgainForm
from players.models import Player
from players.recent_password import has_recent_password, note_password
from players.services.credentials import check_current_password
from players.views.refusals import as_refused
from web.errors import DomainError

View = Callable[..., HttpResponse]

FIELD = "current_password"
RESUME = "resume_by"
NOT_SENT_AGAIN = frozenset({"csrfmiddlewaretoken", "password1", "password2", FIELD, RESUME})
"""Fields that the password page does not carry over to the request that follows it."""


def always(request: HttpRequest) -> bool:
    """Return true, whatever is asked for."""
    return True


def password_again(view: View, *, asks: Callable[[HttpRequest], bool] = always) -> View:
    """Return a view that asks for the password where ``asks`` says so and it was not given a short time ago.

    The password page posts to the same URL with all fields of the request, so that the request is done as soon as the
    password is right.
    """

    @sensitive_post_parameters()
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        question = _ask(request) if asks(request) else None
        return question or view(request, *args, **kwargs)

    return guarded


def _ask(request: HttpRequest) -> HttpResponse | None:
    """Return the password page, or after it a redirect to a page that was asked for; ``None`` if the view may go on."""
    player = request.user
    if not isinstance(player, Player) or has_recent_password(request, player):
        return None
    is_answer = request.method == "POST" and FIELD in request.POST
    form = PasswordAgainForm(request.POST if is_answer else None)
    if is_answer and form.is_valid():
        try:
            check_current_password(player=player, password=form.cleaned_data[FIELD], field=FIELD)
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(_show(request, form), refusal)
        note_password(request, player)
        return redirect(request.get_full_path()) if request.POST.get(RESUME) == "GET" else None
    return _show(request, form)


def _show(request: HttpRequest, form: PasswordAgainForm) -> HttpResponse:
    method = request.POST.get(RESUME, request.method or "GET")
    sent = [(name, value) for name, values in request.POST.lists() if name not in NOT_SENT_AGAIN for value in values]
    context = {"form": form, "sent": sent, "resume_by": "POST" if method == "POST" else "GET"}
    return render(request, "players/enter_password.html", context, status=403)
