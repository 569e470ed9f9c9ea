/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0, 0, 0, 0, 0, 0, 0.5}
