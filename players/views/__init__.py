"""The players' pages: sign-up, log-in, profile, mail settings, and the public page of each player."""
