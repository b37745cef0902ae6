"""Teams: members, captains and invitations."""
