"""What study.py is made of: tables (what a program was compiled with), plans (what is run), run (runs it), report, svg."""
