"""The password hasher. Each hash is computed in the hash pool of the process, and waits for a place there."""

from math import ceil

from django.conf import settings
from django.contrib.auth import hashers

from players.hash_pool import hash_pool


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with the parameters of the settings. A hash with others is replaced at the next log-in."""

    @property
    def time_cost(self) -> int:  # type: ignore[override]
        """Return Argon2's number of passes over the memory."""
        return int(settings.ARGON2_TIME_COST)

    @property
    def memory_cost(self) -> int:  # type: ignore[override]
        """Return the memory that a hash takes, in KiB."""
        return int(settings.ARGON2_MEMORY_COST)

    @property
    def parallelism(self) -> int:  # type: ignore[override]
        """Return the number of threads that compute a hash."""
        return int(settings.ARGON2_PARALLELISM)

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password, when it is its turn; raises PasswordsBusy."""
        return hash_pool().run(lambda: super(Argon2PasswordHasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether this is the hash's password, when it is its turn; raises PasswordsBusy.

        A hash that was made with more memory takes the places of several.
        """
        places = ceil(self.decode(encoded)["memory_cost"] / self.memory_cost)
        return hash_pool().run(lambda: super(Argon2PasswordHasher, self).verify(password, encoded), places=places)


class PBKDF2PasswordHasher(hashers.PBKDF2PasswordHasher):
    """PBKDF2, Django's default, for accounts whose hashes come from elsewhere."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password, when it is its turn; raises PasswordsBusy. A check computes it, too."""
        return hash_pool().run(lambda: super(PBKDF2PasswordHasher, self).encode(password, salt, iterations))
