"""Source text: found, parsed, its scopes."""
