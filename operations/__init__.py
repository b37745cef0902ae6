"""What those who run the site look at: its health, its numbers, and which log line belongs to what."""
