"""Custom derivative rules and checkpoints, as they are read."""
