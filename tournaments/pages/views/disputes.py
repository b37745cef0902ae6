"""The page on which a player disputes the result of a match."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from database.clock import current_moment
from players.current_player import require_player
from players.forms import RefusableForm
from players.views.buttons import own_form
from tournaments.decisions.selectors import find_dispute, reason_not_to_dispute
from tournaments.decisions.services.disputes import check_party, dispute_result
from tournaments.models.dispute import MAX_DISPUTE_LENGTH
from tournaments.office.selectors.organisers import get_fixture
from tournaments.office.views import find_competition
from web.errors import DomainError


class DisputeForm(RefusableForm):
    """What is wrong with a result."""

    text = forms.CharField(
        label=gettext_lazy("What is wrong with it?"),
        max_length=MAX_DISPUTE_LENGTH,
        help_text=gettext_lazy("Only the organisers can read this."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@own_form
def dispute(request: HttpRequest, kind: str, slug: str, fixture_id: int) -> HttpResponse:
    """Ask a player what is wrong with a result, and tell the organisers; or show what became of it."""
    player, now = require_player(request), current_moment()
    competition = find_competition(kind, slug, player)
    fixture = get_fixture(competition, fixture_id)
    check_party(fixture=fixture, player=player)
    back = (fixture.match or competition).get_absolute_url()
    form = DisputeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            dispute_result(fixture_id=fixture.pk, player=player, now=now, **form.cleaned_data)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("The organisers will decide."))
            return redirect(back)
    context = {
        "section": f"{kind}s",
        "competition": competition,
        "fixture": fixture,
        "back": back,
        "dispute": find_dispute(fixture=fixture, player=player),
        "refusal": reason_not_to_dispute(fixture=fixture, competition=competition, now=now),
        "form": form,
    }
    return render(request, "tournaments/dispute.html", context, status=400 if form.errors else 200)
