"""The parser of API requests' bodies."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rules_engine.errors import InvalidNotation
from rules_engine.strict_json import read_json


class StrictJSONParser(JSONParser):
    """Parses JSON in UTF-8, whatever character set is announced; invalid JSON is refused with 400."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value of the body. Raises ``ParseError``."""
        try:
            return read_json(stream.read().decode())
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not valid UTF-8 from byte %(place)d.") % {"place": error.start}) from None
        except InvalidNotation as error:
            raise ParseError(str(error)) from None
