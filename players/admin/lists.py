"""Lists in the admin that stay fast however long they grow."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.selectors import find_any_player
from web.pages.bounded_paginator import MAX_COUNTED, BoundedPaginator

MAX_ID_LENGTH = 18
"""Digits of any number that the database's integers hold."""


class BoundedAdmin(admin.ModelAdmin):
    """Pages of a list, counted no further than they go, the newest rows first, searched by what is indexed.

    ``player_paths`` lead to the players by whose whole username the list is searched.
    """

    player_paths: ClassVar[tuple[str, ...]] = ()

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by: ClassVar[tuple[str, ...]] = ()
    show_facets = admin.ShowFacets.NEVER
    search_help_text = _("A whole username")
    view_on_site = False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row, none for a number that no row can have and the database would fail to compare with."""
        return None if len(object_id) > MAX_ID_LENGTH else super().get_object(request, object_id, from_field)

    def get_search_fields(self, request: HttpRequest) -> list[str] | tuple[str, ...]:
        """Return what shows the search box; the search itself is by username."""
        return self.player_paths or super().get_search_fields(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows in which the player with this username, in any case of letters, takes part."""
        term = search_term.strip()
        if not self.player_paths or not term:
            return super().get_search_results(request, queryset, search_term)
        player = find_any_player(username=term)
        if player is None:
            return queryset.none(), False
        # Each path has its index; an OR of several would read the whole table.
        first, *others = (self.model._default_manager.filter(**{path: player.pk}) for path in self.player_paths)  # noqa: SLF001
        found = first.order_by().values_list("pk", flat=True)
        found = found.union(*(rows.order_by().values_list("pk", flat=True) for rows in others))
        # Joined as a query they would be taken for many, and the table be read whole.
        return queryset.filter(pk__in=list(found.order_by("-pk")[:MAX_COUNTED])), False
