"""A program for one example becomes a program for many."""
