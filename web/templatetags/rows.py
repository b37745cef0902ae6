"""A tag that includes a row of a list, and leaves out one that cannot be shown: the others are."""

from typing import Any

import structlog
from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.loader_tags import IncludeNode, do_include
from django.utils.safestring import SafeString

register = template.Library()

logger = structlog.get_logger(__name__)


class RowNode(IncludeNode):
    """Includes a template, and nothing if that fails; the failure is logged."""

    def render(self, context: Context) -> SafeString:
        """Return the row, or nothing."""
        try:
            return super().render(context)
        except Exception:
            logger.exception("row_not_shown", template=str(self.template))
            return SafeString("")


@register.tag
def row(parser: Parser, token: Token) -> Any:
    """Include a template as ``include`` does."""
    node = do_include(parser, token)
    return RowNode(node.template, extra_context=node.extra_context, isolated_context=node.isolated_context)
