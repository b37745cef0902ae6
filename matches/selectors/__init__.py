"""What is read of matches. Selectors never write."""
