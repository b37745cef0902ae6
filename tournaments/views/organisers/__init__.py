"""The pages on which an organiser runs his competition. Every action asks once, and works without scripts."""
