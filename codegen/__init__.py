"""From programs to emitted Python: lowering, loop nests, targets, modules, the cache."""
