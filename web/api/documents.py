"""Documents of the API, which are the same for everybody: made once in each process, and sent to whoever lacks them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

FIVE_MINUTES = 300


@dataclass(frozen=True, slots=True)
class Document:
    """A text, its entity tag, which changes with the site's version, and its content type."""

    text: bytes
    etag: str
    content_type: str

    @classmethod
    def of(cls, text: bytes, *, content_type: str) -> Self:
        """Return the document with this text."""
        return cls(text, f'"{sha256(text).hexdigest()[:32]}"', content_type)

    def answer(self, request: HttpRequest, **headers: str) -> HttpResponse:
        """Return the document with these headers, or 304 to a client that has it."""
        response = HttpResponse(self.text, content_type=self.content_type, headers={**headers, "ETag": self.etag})
        patch_cache_control(response, public=True, max_age=FIVE_MINUTES)
        known = get_conditional_response(request, etag=self.etag, response=response)
        return known if isinstance(known, HttpResponse) else response
