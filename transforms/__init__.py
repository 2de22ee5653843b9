"""The program, how it is read, and the rewrites that map it to another program."""
