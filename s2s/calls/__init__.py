"""From a call to the module that serves it: arguments, the specialisation that fits them, the cache, the making of a module."""
