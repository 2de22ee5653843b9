"""Programs in JAX's jaxpr notation: `{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }`."""
