"""How the bodies of API requests are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class BoundedJSONParser(JSONParser):
    """JSON, where nesting deeper than Python can follow, and half a character, are the client's mistake, not ours."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value that the body states. Raises ParseError."""
        try:
            value = super().parse(stream, media_type, parser_context)
            # A lone surrogate can neither be stored nor be sent back in a refusal.
            json.dumps(value, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The JSON holds half of a surrogate pair.")) from None
        return value
