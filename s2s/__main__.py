"""python -m s2s: the command line."""
from s2s.cli import main

if __name__ == "__main__":
    main(prog_name="s2s")
