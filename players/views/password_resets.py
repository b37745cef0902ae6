"""The pages to choose a new password without knowing the old one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from database.clock import current_moment
from players import services
from players.devices import remember_device
from players.forms import EmailForResetForm, NewPasswordForm
from players.models import Player
from players.views.refusals import as_refused
from web.errors import DomainError
from web.requests.client_ip import client_network


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgot_password(request: HttpRequest) -> HttpResponse:
    """Ask for a link. The answer is the same whether a player has confirmed the e-mail or not."""
    form = EmailForResetForm(request.POST if request.method == "POST" else None)
    page = "players/forgot_password.html"
    if request.method == "POST" and form.is_valid():
        try:
            services.request_password_reset(
                email=form.cleaned_data["email"], client_ip=client_network(request), now=current_moment()
            )
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(render(request, page, {"form": form}), refusal)
        messages.success(
            request, _("If a player has confirmed this e-mail address, an e-mail with a link is on its way to it.")
        )
        return redirect("log-in")
    return render(request, page, {"form": form}, status=400 if form.errors else 200)


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class ChoosePasswordView(PasswordResetConfirmView):
    """The page that the link leads to. Django checks the link and keeps its secret out of the URL of the form."""

    template_name = "players/choose_password.html"
    success_url = reverse_lazy("log-in")
    form_class = NewPasswordForm

    def get_user(self, uidb64: str) -> Player | None:
        """Return the player of a link; a closed account gets no new password."""
        player: Player | None = super().get_user(uidb64)
        return player if player is not None and player.is_active else None

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return the form's arguments without the player, whom only the service needs."""
        kwargs = super().get_form_kwargs()
        del kwargs["user"]
        return kwargs

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        """Store the password, end the link, and lead to the log-in; or show why it is refused."""
        try:
            services.reset_password(player=self.user, new=form.cleaned_data["new"])
        except DomainError as refusal:
            form.show(refusal)
            return as_refused(self.form_invalid(form), refusal)
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        messages.success(
            self.request,
            _("Your password has been changed, all sessions have ended, and all API tokens have been revoked. Log in."),
        )
        response = redirect(self.get_success_url())
        remember_device(self.request, response, self.user)
        return response

    def form_invalid(self, form: NewPasswordForm) -> HttpResponse:
        """Return the form once more, with the sentences that refuse it."""
        response: HttpResponse = super().form_invalid(form)
        response.status_code = 400
        return response
