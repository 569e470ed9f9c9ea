/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0.019931, 0.0102531, 0.103809, 0.107111, 0.205399, 0.602937, 0.0984892}
