"""The page of the notes that organisers write for each other."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from database.clock import current_moment
from players.forms import RefusableForm
from players.views.buttons import button, own_form
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.models import Note
from tournaments.models.note import MAX_NOTE_LENGTH
from tournaments.models.rights import Right
from tournaments.office.services.notes import delete_note, write_note
from web.errors import DomainError
from web.pages.keyset_pages import keyset_page

PAGE = 20


class NoteForm(RefusableForm):
    """Something to remember."""

    text = forms.CharField(
        label=gettext_lazy("New note"),
        max_length=MAX_NOTE_LENGTH,
        help_text=gettext_lazy("Only the organisers and helpers of this competition can read it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@own_form
def notes(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Show what the organisers have noted, by pages, and take another note."""
    competition = organised_competition(request, slug, Right.DECIDE)
    form = NoteForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {**frame(request, competition), "tab": "notes", "form": form}
    if form.is_valid():
        try:
            write_note(
                competition_id=competition.pk,
                text=form.cleaned_data["text"],
                actor=organiser_of(request),
                now=current_moment(),
            )
        except DomainError as refusal:
            form.show(refusal)
            context["refusal"] = refusal
        else:
            messages.success(request, _("The note has been saved."))
            return redirect(request.path)
    written = Note.objects.filter(competition=competition).select_related("author")
    context["page"] = keyset_page(written, request.GET.get("page"), size=PAGE)
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/notes.html", context, status=status)


@button
def delete(request: HttpRequest, kind: str, slug: str, note_id: int) -> HttpResponse:
    """Delete a note."""
    competition = organised_competition(request, slug, Right.DECIDE)
    delete_note(competition_id=competition.pk, note_id=note_id, actor=organiser_of(request))
    messages.success(request, _("The note is deleted."))
    return redirect(f"{competition.get_desk_url()}notes/")
