/* Regions of launch_scene.h's program, without their versions. The kernel reads a and w, and writes o. */
#ifndef PLACE_TEST_SCENE_REGIONS_H
#define PLACE_TEST_SCENE_REGIONS_H

/* launch: what the table says of the threads and teams of a launch. */
#define SCENE_HEAD(launch) \
  "place-table 2\n" \
  "region kernel\n" \
  "at 14 main conv.c\n" \
  "kind spmd\n" \
  "launch " launch "\n"

/* a and w may be placed. */
#define SCENE_PLACEABLE(launch) \
  SCENE_HEAD(launch) \
  "loop 0 -1 64\n" \
  "array 0 0 a 4 r 0 global,readonly,constant,shared - -\n" \
  "array 1 1 w 4 r 1 global,readonly,constant,shared - -\n" \
  "array 2 2 o 4 w -1 global - written\n" \
  "access 0 0 read 4 0 0 0 -1 -1 4*(128*team + tid) + 4*L0\n" \
  "access 1 1 read 4 0 0 0 -1 -1 4*L0\n" \
  "access 2 2 write 4 -1 0 0 -1 -1 4*(128*team + tid)\n"

/* No array may be placed. */
#define SCENE_PLAIN(launch) \
  SCENE_HEAD(launch) \
  "array 0 0 a 4 rw -1 global - written\n" \
  "array 1 1 w 4 rw -1 global - written\n" \
  "array 2 2 o 4 w -1 global - written\n" \
  "access 0 0 read 4 -1 0 0 -1 -1 4*(128*team + tid)\n" \
  "access 1 2 write 4 -1 0 0 -1 -1 4*(128*team + tid)\n"

#endif
