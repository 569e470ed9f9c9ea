/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0.00198063, -0.00196325, 0.00430134, 0.00603314, -0.174593, 0.168378, 0.998027}
