"""How the bodies of API requests are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rules_engine.errors import InvalidNotation
from rules_engine.strict_json import read_json


class StrictJSONParser(JSONParser):
    """JSON in UTF-8, whatever character set is announced; what is wrong with it is the client's mistake, not ours."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value that the body states. Raises ParseError."""
        try:
            return read_json(stream.read().decode())
        except UnicodeDecodeError as error:
            raise ParseError(f"The body is no UTF-8 from byte {error.start} on.") from None
        except InvalidNotation as error:
            raise ParseError(str(error)) from None
