"""The page of a player's vacation: the days left, planned and spent."""

from datetime import date

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from database.clock import current_moment
from players import services
from players.current_player import require_player
from players.forms import VacationForm
from players.selectors import recent_days_of, vacation_years
from players.views.buttons import button, own_form
from web.errors import DomainError


@own_form
def vacation(request: HttpRequest) -> HttpResponse:
    """Return my vacation. Days are planned by posting the first and the last of them."""
    form = VacationForm(request.POST if request.method == "POST" else None)
    player, now = require_player(request), current_moment()
    if request.method == "POST" and form.is_valid():
        try:
            days = services.plan_vacation(player=player, **form.cleaned_data, now=now)
        except DomainError as refusal:
            form.show(refusal)
        else:
            sentence = ngettext("%d day is planned.", "%d days are planned.", len(days)) % len(days)
            messages.success(request, sentence)
            return redirect("vacation")
    context = {
        "form": form,
        "years": vacation_years(player=player, now=now),
        "days": recent_days_of(player=player, now=now),
        "now": now,
    }
    return render(request, "players/vacation.html", context, status=400 if form.errors else 200)


@button
def cancel_day(request: HttpRequest, day: str) -> HttpResponse:
    """Cancel a planned day; it is no error if it is no longer planned."""
    try:
        services.cancel_day(player=require_player(request), day=date.fromisoformat(day), now=current_moment())
    except ValueError:
        raise Http404 from None
    except DomainError as refusal:
        messages.info(request, refusal.reason)
    else:
        messages.success(request, _("You have cancelled this day of vacation."))
    return redirect("vacation")
