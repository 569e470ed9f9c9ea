/* Made by `place-models --fit`; docs/models.md says from what. */
#define HUANG_COEFFICIENTS {0.0199351, 0.0104002, 0.104049, 0.107786, 0.197876, 0.606393, 0.102363}
