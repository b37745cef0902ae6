"""Django's PostgreSQL, by connections that cost no question to be kept."""
