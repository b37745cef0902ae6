"""What is due in competitions: settlement, starts, next rounds, notifications."""
