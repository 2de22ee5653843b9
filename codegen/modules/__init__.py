"""The emitted file: its public function, jit's way in, the cache, loading."""
