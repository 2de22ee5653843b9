"""Derivatives checked against differences, at a point (`check_grads`) and from the command line (`s2s verify`)."""
