extern int nothing;
