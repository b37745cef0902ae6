"""Who runs a competition and what is said of it: log, locks, organisers, notes, announcements."""
