"""What organisers decide, and taking it back."""
