"""Tags and filters of pages that show competitions and ratings, the pages of matches and players among them."""

from django import template

from tournaments.desk import template_tags as desk
from tournaments.making import template_tags as making
from tournaments.pages import template_tags as pages
from tournaments.tables import template_tags as tables

register = template.Library()
for room in (tables, pages, desk, making):
    register.tags.update(room.register.tags)
    register.filters.update(room.register.filters)
