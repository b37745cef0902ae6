"""Requests that no browser and no sound program would send, drawn from a seed: to every page and the API."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from tests.permissions.world import World

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "ODD", "get", "")

TEXTS = (
    *("", " ", "\x00", "a\x00b", "\n\r\n", "\ufeff", "\U0001f3c6", "e\u0301\u202e", "İıß", "' OR 1=1 --", "{{ 7 }}"),
    *"0 -1 1e999 NaN null true None ٣ 1_000 0x10 % %s%n <b>&amp; !!!! [] [Game { anna streetsoccer-board".split(),
    *r"../../etc/passwd //evil.example http://[ \\evil javascript:0 cj0xJnA9MjAyNi0wMS0wMSswMCUzQTAw cD0lMDA=".split(),
    *"9999-12-31 0000-00-00 10000-01-01 2026-02-30T25:61:61Z".split(),
    *"0001-01-01T00:00:00+14:00 9999-12-31T23:59:59-14:00".split(),
    *(str(number) for number in (2**31, 2**63 - 1, 2**63)),
    *("9" * 20, "9" * 5000, "a" * 300, "x" * 20_000),
)
"""The values that are put wherever a text may stand."""

BROKEN = (b"\xff", b"%ff", b"%", b"%zz", b"%00", b"%ed%a0%80", b"%c0%80", b"%F4%90%80%80", b"\xe2\x28")
"""The bytes in a URL that are no text at all."""

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 1e308, 2**31, 2**63, 10**39),
    *([], {}, [[]], {"": ""}, [None]),
    *TEXTS,
)
"""The values that are put wherever JSON may stand."""

NAMES = (
    *(
        "page cursor next ply format ids player status game invite q o p e all prefix text limit offset "
        "ordering kind family search what since match matches _popup _to_field _changelist_filters _facets "
        "pk__in password__startswith created_at__year is_staff__exact created_at__gte action _selected_action "
        "csrfmiddlewaretoken username password first_ply record bank unit level colour reason scopes name "
        "email days first form-TOTAL_FORMS form-INITIAL_FORMS entries-TOTAL_FORMS "
    ).split(),
    "",
    "\x00",
    "a" * 300,
    "x[y]",
)
"""The names of fields of queries and forms."""

JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
CHARSETS = ("base64", "utf-16", "rot13", "zip", "hex", "idna", "nope", "", "\x00")
TYPES = (
    *(
        JSON,
        FORM,
        PARTS,
        "multipart/form-data",
        "multipart/mixed; boundary=b",
        "text/plain",
        "text/html; charset=utf-7",
    ),
    *(f"{kind}; charset={name}" for kind in (JSON, FORM, PARTS) for name in CHARSETS),
    *(f"multipart/form-data; boundary={boundary}" for boundary in ("", "\xe4", "b" * 300)),
    *("", "/", ";;;=", "a" * 3000),
    "application/json; charset*=utf-8''x",
    'application/json; charset="',
    "multipart/form-data; boundary*=bad''%ff",
)

HEADERS: Mapping[str, tuple[str, ...]] = {
    "HTTP_ACCEPT": ("", "*", "/", "text/html", "a/xml", "*/*;q=x", ",,,", "a/b;" * 500, "application/json; v=\xff"),
    "HTTP_ACCEPT_LANGUAGE": ("", "*", "xx", "de;q=9", "\xff", "en-" + "x" * 600, "zh-hant," * 200, "de;q=NaN"),
    "HTTP_ACCEPT_ENCODING": ("", "identity;q=0", "*;q=0", "\xff"),
    "HTTP_RANGE": ("bytes=0-", "bytes=-1", "bytes=9-1", "items=0-1", "bytes=" + "9" * 100 + "-", "\xff"),
    "HTTP_IF_NONE_MATCH": ("*", "x", '"', 'W/"', '"a" "b"', "\xff", '"' * 2000),
    "HTTP_IF_MATCH": ("*", "x", '"', "\xff"),
    "HTTP_IF_MODIFIED_SINCE": (
        "x",
        "Thu, 99 Foo 9999 99:99:99 GMT",
        "Thu, 01 Jan 0000 00:00:00 GMT",
        "\xff",
        "9" * 500,
    ),
    "HTTP_IF_UNMODIFIED_SINCE": ("x", "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 31-Dec-99 99:99:99 GMT"),
    "HTTP_HOST": (
        *("", "a b", "evil.example", "\xff", "[::1", "[::1]:80"),
        *("localhost:99999999", "localhost:", "localhost@x"),
    ),
    "HTTP_COOKIE": (
        *(f"kickabout_session={value}" for value in ("x", "x" * 9000, "\x00", "\xff; kickabout_csrf=\xff")),
        *("kickabout_csrf=" + "\x00" * 40, "theme=" + "x" * 5000),
        *("messages=x; messages=[[", 'messages="W1tcIl9fanNvbl9tZXNzYWdlXCIsMCwyMF1d"'),
        *("django_language=\xff", "django_language=../../x"),
        *("=; ;;=;", 'a="\\400"; b="\\'),
    ),
    "HTTP_AUTHORIZATION": (
        *("", " ", "Basic", "Bearer", "Token x", "Digest " + "x" * 300),
        *(f"Basic {code}" for code in ("!", "/w==", "YQ==", "OmE=", "YQBiOmM=", "a b c")),
        *(f"Bearer {secret}" for secret in ("\xff", "kick_\x00", "kick_" + "x" * 9000, "a b")),
    ),
    "HTTP_IDEMPOTENCY_KEY": ("", " ", "\x00", "\xff", "k" * 5000, "same"),
    "HTTP_PREFER": ("return=minimal", "return", ";;,=", "\xff"),
    "HTTP_LAST_EVENT_ID": ("", "x", "9" * 400, "-1", "\xff", "1:2:3"),
    "HTTP_X_FORWARDED_FOR": ("", ",,,", "\xff", "1.2.3.4:80", "[::1]:x", "::ffff:1.2.3.4%eth0", "unknown", "1" * 500),
    "HTTP_X_FORWARDED_PROTO": ("https", "\xff", "https,http"),
    "HTTP_X_REQUESTED_WITH": ("XMLHttpRequest",),
    "HTTP_X_HTTP_METHOD_OVERRIDE": ("DELETE",),
    "HTTP_X_REQUEST_ID": ("\xff", "x" * 5000, "a\x00b"),
    "HTTP_ORIGIN": ("null", "http://[", "http://\xff", "https://evil.example", "x" * 500),
    "HTTP_REFERER": ("http://[", "\xff", "//", "https://localhost:99999999/", "http://localhost/\x00"),
    "HTTP_SEC_FETCH_SITE": ("cross-site",),
    "HTTP_UPGRADE": ("websocket", "h2c"),
    "HTTP_EXPECT": ("100-continue",),
    "HTTP_CONTENT_ENCODING": ("gzip", "\xff"),
    "HTTP_CONTENT_DISPOSITION": ('attachment; filename="\xff', "x"),
    "CONTENT_LENGTH": ("x", "-1", "", "0", "1", "9" * 30, "1.5", "٣", " 2 ", "+3"),
    "REMOTE_ADDR": ("", "unix", "::1", "\xff"),
}

CONVERTED = re.compile(r"<(?:(\w+):)?\w+>")
NUMBERS = ("0", "1", "2", "007", str(2**31 - 1), str(2**31), str(2**63 - 1), str(2**63), "9" * 40, "9" * 5000)


@dataclass(frozen=True)
class OddRequest:
    """A request as a server hands it over: ``path`` and ``query`` are still quoted; the headers are WSGI's."""

    number: int
    role: str
    method: str
    path: bytes
    query: bytes
    headers: Mapping[str, str]
    body: bytes

    def __str__(self) -> str:
        return (
            f"{self.number}. {self.role}: {self.method} {self.path[:200]!r} ? {self.query[:300]!r}\n"
            f"{ {name: value[:100] for name, value in self.headers.items()} }\n{self.body[:400]!r}"
        )


def draw_requests(
    seed: int, count: int, routes: list[tuple[str, str]], roles: tuple[str, ...], world: World
) -> Iterator[OddRequest]:
    """Yield so many requests: of every route there is in turn, each with one to four things that are odd."""
    random = Random(seed)
    for number in range(count):
        method, route = routes[number % len(routes)]
        yield _draw(random, number, method, route, random.choice(roles), world)


def _draw(random: Random, number: int, method: str, route: str, role: str, world: World) -> OddRequest:
    path, _, query = world.fill(route).partition("?")
    body = _encode(random, world.body(route)) if method not in {"GET", "HEAD"} else ("", b"")
    headers = {"CONTENT_TYPE": body[0], "HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}
    request = OddRequest(number, role, method, quote(path).encode(), query.encode(), headers, body[1])
    for _ in range(random.randint(1, 4)):
        oddity = random.choice((_odd_path, _odd_query, _odd_header, _odd_header, _odd_body, _odd_body, _odd_method))
        request = oddity(random, request, route, world)
    return request


def _encode(random: Random, fields: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return a body as JSON, as a form or in parts, with its type."""
    kind = random.choice(("json", "form", "parts"))
    if kind == "json":
        return JSON, json.dumps(fields, default=str).encode()
    if kind == "form":
        return FORM, urlencode(fields, doseq=True, errors="replace").encode()
    return PARTS, _parts(random, fields)


DISPOSITIONS = (b"; filename=x", b"; filename*=bad''%ff", b'; filename="', b"; name=\xff")
ENCODINGS = (b"Content-Transfer-Encoding: base64", b"Content-Type: text/plain; charset=base64")


def _parts(random: Random, fields: Mapping[str, Any]) -> bytes:
    lines: list[bytes] = []
    for name, value in fields.items():
        disposition = f'Content-Disposition: form-data; name="{name}"'.encode()
        odd = random.random() < 0.2
        lines += [b"--b", disposition + (random.choice(DISPOSITIONS) if odd else b"")]
        lines += [random.choice(ENCODINGS)] if odd else []
        lines += [b"", str(value).encode(errors="replace")]
    return b"\r\n".join([*lines, random.choice((b"--b--", b"--b--", b"--b", b""))]) + b"\r\n"


def _odd_path(random: Random, request: OddRequest, route: str, world: World) -> OddRequest:
    def odd(found: re.Match[str]) -> str:
        return random.choice(NUMBERS) if found[1] == "int" else quote(random.choice(TEXTS), safe="")

    kind = random.randrange(6)
    if kind < 3 and CONVERTED.search(route):
        path = quote(f"/{CONVERTED.sub(odd, route)}", safe="/%").encode()
    elif kind == 3:
        path = request.path.rstrip(b"/")
    elif kind == 4:
        path = request.path + random.choice(BROKEN) + random.choice((b"", b"/"))
    else:
        path = random.choice((b"/", b"//", b"/./", b"/%2e%2e/", b"/;x/", b"/%0d%0a/")) + request.path.lstrip(b"/")
    return replace(request, path=path)


def _odd_query(random: Random, request: OddRequest, route: str, world: World) -> OddRequest:
    kind = random.randrange(8)
    if kind == 0:
        query = random.choice(BROKEN) + b"=" + random.choice(BROKEN)
    elif kind == 1:
        query = b"&".join(b"a=b" for _ in range(random.choice((1001, 3000))))
    elif kind == 2:
        query = random.choice((b"&", b"=", b"?", b";", b"&&==&", b"page", b"format="))
    else:
        pairs = [(random.choice(NAMES), random.choice(TEXTS)) for _ in range(random.randint(1, 4))]
        query = urlencode(pairs).encode()
    return replace(request, query=request.query + b"&" + query if random.random() < 0.5 else query)


def _odd_header(random: Random, request: OddRequest, route: str, world: World) -> OddRequest:
    name = random.choice(sorted(HEADERS))
    value = random.choice(HEADERS[name])
    if name == "HTTP_COOKIE":
        value = f"{request.headers.get(name, '')}; {value}" if random.random() < 0.5 else value
    return replace(request, headers={**request.headers, name: value})


def _odd_body(random: Random, request: OddRequest, route: str, world: World) -> OddRequest:
    fields = dict(world.body(route))
    for name in random.sample([*fields, random.choice(NAMES)], k=random.randint(1, len(fields) + 1)):
        fields[name] = random.choice(VALUES)
    if route.startswith("admin/"):
        fields |= {"action": "delete_selected", "_selected_action": random.choice(NUMBERS)}
    kind = random.randrange(6)
    if kind == 0:
        value = random.choice((*VALUES, [fields], {"": fields}))
        content, body = JSON, json.dumps(value).encode()
    elif kind == 1:
        content = random.choice(TYPES)
        body = random.choice((b"\xff\xfe", b"{", b"[" * 5000, b"a=%ff&%ff=\xff", b"=" * 2000))
    elif kind == 2:
        content, body = random.choice(TYPES), _encode(random, fields)[1]
    elif kind == 3:
        content, body = FORM, b"&".join(b"a%d=b" % name for name in range(1500))
    else:
        content, body = _encode(random, fields)
    method = random.choice(("POST", "PUT", "PATCH", "GET")) if request.method == "GET" else request.method
    return replace(request, method=method, body=body, headers={**request.headers, "CONTENT_TYPE": content})


def _odd_method(random: Random, request: OddRequest, route: str, world: World) -> OddRequest:
    return replace(request, method=random.choice(METHODS))
