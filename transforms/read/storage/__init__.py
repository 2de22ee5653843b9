"""Arrays and containers: who sees what, and what a store changes."""
