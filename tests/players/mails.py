"""Reading mails in tests."""

from django.core.mail import EmailMessage, EmailMultiAlternatives


def html_of(message: EmailMessage) -> str:
    """Return the page that a mail has beside its text."""
    assert isinstance(message, EmailMultiAlternatives)
    ((page, kind),) = message.alternatives
    assert kind == "text/html"
    return str(page)
