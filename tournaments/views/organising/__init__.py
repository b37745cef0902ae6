"""The pages on which an organiser runs his event. Every action asks once, and works without scripts."""
