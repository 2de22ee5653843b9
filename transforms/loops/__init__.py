"""Rewrites of loops before lowering: registers, vectors, chains of cotangents."""
