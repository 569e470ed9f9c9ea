/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0.00113761, -0.00283756, 0.00360815, 0.0051006, -0.174835, 0.168905, 0.999126}
