"""The loop language: expressions and statements, what is known of them, how they are printed."""
