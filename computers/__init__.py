"""Computers that choose moves and analyse matches: engine jobs, their process pool and worker, and levels."""
