"""Sentences about lists of entrants."""

from django.utils.translation import gettext as _

from tournaments.entries.entry_lists import MAX_LINES, MAX_SEED, ListFault


def list_fault_sentence(fault: ListFault, first_line: int | None = None) -> str:
    """Return why a list of entrants, or a line of it, cannot be taken; ``first_line`` has the same player or seed."""
    match fault:
        case ListFault.TOO_LONG:
            return _("This list is too long.")
        case ListFault.UNSTORABLE:
            return _("The list contains characters that cannot be used.")
        case ListFault.TOO_MANY_LINES:
            return _("A list can have at most %(number)d lines.") % {"number": MAX_LINES}
        case ListFault.UNREADABLE_LINE:
            return _("We cannot read this line.")
        case ListFault.MORE_THAN_A_SEED:
            return _("A line can have a username and a seed, nothing else.")
        case ListFault.NO_USERNAME:
            return _("This is not a username.")
        case ListFault.NO_SEED:
            return _("The seed must be a number from 1 to %(number)d.") % {"number": MAX_SEED}
        case ListFault.SAME_PLAYER:
            return _("This player is already in line %(line)s.") % {"line": first_line}
        case ListFault.SAME_SEED:
            return _("Line %(line)s already has this seed.") % {"line": first_line}
