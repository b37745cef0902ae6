"""Notes among organisers in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from tournaments.models import Note


class NoteSchema(TypedDict):
    """A note that only the organisers of a competition can read."""

    id: int
    author: str
    text: str
    written_at: datetime


def note_to_json(note: Note) -> NoteSchema:
    """Return a note."""
    return {"id": note.pk, "author": note.author.username, "text": note.text, "written_at": note.written_at}
