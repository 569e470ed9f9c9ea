"""A generator of OpenMP programs with target regions, and what runs, judges and reduces them. See docs/fuzz.md."""
