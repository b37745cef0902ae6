"""A mail server that takes every mail and counts how often each came."""

import re
import socketserver
import threading
from collections import Counter
from typing import Self

DELIVERY = re.compile(rb"^Message-ID: <delivery-(\d+)@", re.IGNORECASE | re.MULTILINE)


class Mailbox:
    """Listens on a port of its own as long as the context lasts. ``received`` counts the mails by their delivery."""

    def __init__(self) -> None:
        self.received: Counter[int] = Counter()
        self._server = _Server(("127.0.0.1", 0), _Conversation)
        self._server.mailbox = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="mailbox")

    @property
    def url(self) -> str:
        """The URL as ``EMAIL_URL`` has it."""
        return f"smtp://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    mailbox: Mailbox


class _Conversation(socketserver.StreamRequestHandler):
    """As much of SMTP as Django speaks. A mail counts when all of it has come, as for a real server."""

    server: _Server

    def handle(self) -> None:
        try:
            self._reply("220 ready")
            while line := self.rfile.readline():
                word = line[:4].upper().strip()
                if word == b"DATA":
                    self._reply("354 go on")
                    if not self._take_mail():
                        return
                self._reply("221 bye" if word == b"QUIT" else "250 fine")
                if word == b"QUIT":
                    return
        except ConnectionError:
            return

    def _take_mail(self) -> bool:
        """Count the mail; return whether all of it came."""
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return False
            lines.append(line)
        found = DELIVERY.search(b"".join(lines))
        self.server.mailbox.received[int(found[1]) if found else 0] += 1
        return True

    def _reply(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())
