"""From programs to the loop language."""
