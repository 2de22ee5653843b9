"""What a loop carries from trip to trip."""
