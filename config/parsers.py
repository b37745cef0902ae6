"""How the bodies of API requests are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils import json


class BoundedJSONParser(JSONParser):
    """JSON, where nesting deeper than Python can follow, and half a character, are the client's mistake, not ours."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value that the body states. Raises ParseError."""
        encoding = (parser_context or {}).get("encoding") or settings.DEFAULT_CHARSET
        try:
            text = stream.read().decode(encoding)
            value = json.loads(text)
            if "\\u" in text:
                # A lone surrogate can neither be stored nor be sent back in a refusal.
                json.dumps(value, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_("The JSON holds half of a surrogate pair.")) from None
        except ValueError as error:
            raise ParseError(_("JSON parse error - %s") % error) from None
        return value
