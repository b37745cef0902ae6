"""Swiss rounds: who meets whom by FIDE's Dutch system (Handbook C.04.3), and on which side by rules of our own.

``players`` is what the system knows of an entrant, ``dutch`` pairs exactly as it says, ``matching`` by the cost of each
pair, ``sides`` seats a pair, and ``rounds`` puts them together.
"""
