"""The program: its grammar, how it is built, copied, checked and run."""
