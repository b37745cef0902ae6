"""The lines of a bracket for any number of entrants from two up, in the standard order.

Seed 1 is on the first line, 2 on the last or at the top of the lower half, and as long as no lower seed wins, 1 to 2**k
are the last 2**k left. Where lines are empty, their opponents are the top seeds.
"""


def count_rounds(size: int) -> int:
    """Return how many rounds a bracket for this number of entrants has."""
    return (size - 1).bit_length()


def seed_lines(rounds: int, *, is_mirrored: bool = True) -> list[int]:
    """Return the seeds from the first line of the bracket to the last, 2**rounds of them.

    Mirrored, the lower half is upside down: seed 2 is on the last line. Otherwise the better seed of each pair is the
    upper one. The same seeds meet.
    """
    lines = [1]
    for _ in range(rounds):
        total = 2 * len(lines) + 1
        pairs = [
            (total - seed, seed) if is_mirrored and index % 2 else (seed, total - seed)
            for index, seed in enumerate(lines)
        ]
        lines = [seed for pair in pairs for seed in pair]
    return lines
