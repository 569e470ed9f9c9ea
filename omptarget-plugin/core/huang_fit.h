/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0.0122942, 0.000668979, 0.0884302, 0.0938801, 0.23728, 0.55309, 0.128641}
