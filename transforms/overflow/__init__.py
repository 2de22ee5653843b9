"""Whether Python's integers stay within 64 bits, and checks where they may not."""
