"""Teams: what captains do, and who is a member."""
