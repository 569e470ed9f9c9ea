"""What place-train is made of."""
