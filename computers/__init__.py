"""The processes in which computers choose moves and analyse matches: jobs, their process pool and worker, levels."""
