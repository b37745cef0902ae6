"""Series in the admin: organisers see those of their competitions, and change them on the site's own pages."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.making.admin.access import Link, OrganisersAdmin
from tournaments.making.selectors.series import last_season_of
from tournaments.models import Series


@admin.register(Series)
class SeriesAdmin(OrganisersAdmin):
    """Competitions that come again."""

    competition_path = "seasons"
    list_display = ("name", "rhythm", "announce_days", "carry_over", "ended_at")
    list_filter: ClassVar = ("rhythm",)
    search_fields = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return each series once, however many seasons the user runs."""
        return super().get_queryset(request).distinct()

    def find_links(self, request: HttpRequest, row: Any) -> list[Link]:
        """Return links to the page of the series, and to that on which its organisers change it."""
        last = last_season_of(row)
        page = Link(_("Series"), row.get_absolute_url())
        return [page] if last is None else [page, Link(_("Organise"), f"{last.get_desk_url()}series/")]
