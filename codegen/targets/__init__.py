"""What differs from target to target."""
