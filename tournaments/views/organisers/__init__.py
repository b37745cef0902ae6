"""The pages on which organisers run their competitions. Every action asks once, and works without scripts."""
