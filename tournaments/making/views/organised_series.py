"""The page on which organisers let a competition come again, change when and how, and end that."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.views.buttons import own_form
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.making.again_forms import SeriesForm
from tournaments.making.selectors.series import last_season_of, usual_options
from tournaments.making.services.series import SERIES_OPTIONS, edit_series, end_series, make_series
from tournaments.models import Competition
from tournaments.models.series import MAX_SERIES_NAME
from web.errors import DomainError


@own_form
def series(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask when and how the competition comes again, and store it; or end its series. The last season has the form."""
    competition, now = organised_competition(request, slug), timezone.now()
    series, actor = competition.series, organiser_of(request)
    last = competition if series is None else last_season_of(series)
    if last is not None and last.pk != competition.pk:
        return redirect(f"{last.get_desk_url()}series/")
    if series is not None and "end" in request.POST:
        year_final = request.POST["end"] != "without-final"
        end_series(series_id=series.pk, actor=actor, now=now, year_final=year_final)
        messages.success(request, _("There will be no more seasons."))
        return redirect(series.get_absolute_url())
    form = SeriesForm(request.POST if request.method == "POST" else None, initial=_initial(competition))
    if form.is_valid():
        options = {name: value for name, value in form.cleaned_data.items() if value is not None}
        try:
            if series is None:
                stored = make_series(competition=competition, options=options, actor=actor, now=now)
            else:
                stored = edit_series(series_id=series.pk, options=options, actor=actor, now=now)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Saved. Here are its seasons."))
            return redirect(stored.get_absolute_url())
    context: dict[str, Any] = {**frame(request, competition), "tab": "series", "form": form, "series": series}
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/series.html", context, status=status)


def _initial(competition: Competition) -> dict[str, Any]:
    """Return what the form shows first: the series as it is, or what is likely of a new one."""
    if competition.series is None:
        return {
            "name": competition.name[:MAX_SERIES_NAME],
            "announce_days": 7,
            "anchor": competition.starts_at,
            **usual_options(competition),
        }
    values = {name: getattr(competition.series, name) for name in SERIES_OPTIONS}
    return values | {"days": ", ".join(competition.series.days)}
