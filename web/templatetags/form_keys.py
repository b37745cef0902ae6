"""The tag of forms that make rows."""

from uuid import uuid4

from django import template
from django.utils.html import format_html

from web.pages.form_keys import FORM_KEY

register = template.Library()


@register.simple_tag
def form_key() -> str:
    """Return the hidden field by which a form that is sent twice is done once."""
    return format_html('<input type="hidden" name="{}" value="{}">', FORM_KEY, uuid4().hex)
