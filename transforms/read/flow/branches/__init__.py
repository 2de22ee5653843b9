"""Where two paths meet."""
