/* The text that model `learned` decides by, where PLACE_FOREST names one (place/forest.h).
 *
 * Owner: the configuration owns the forest, which lives until the process ends. Thread-safety: none of its own. */
#ifndef PLACE_RT_FOREST_FILE_H
#define PLACE_RT_FOREST_FILE_H

#include "config.h"

/* Reads the file that config->forest_file names, for config->model `learned`: config->forest and config->forest_sum. Where it
 * cannot be read, a message, and the default model decides. */
void forest_file_load(struct config *config);

#endif
