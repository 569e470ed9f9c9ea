/* Reading a version's record. */
#include <stdlib.h>
#include <string.h>

#include "place/abi.h"
#include "table_text.h"

/* A version under construction. */
struct record {
  struct reader *r;
  const struct place_region *region;
  struct place_version *version;
  unsigned extent[PLACE_MAX_DIMS]; /* of a block */
  unsigned dims, team_dims, adjacent_dims;
};

/* ---- values ---- */

static int wrong(struct record *c, const char *key, struct field value, const char *expected) {
  return ERROR(c->r, "%s is '%.*s', expected %s", key, value.length < 80 ? (int)value.length : 80, value.text, expected);
}

/* 64x128: at most three numbers. */
static int read_dims(struct record *c, const char *key, struct field value, unsigned most, unsigned *number, unsigned *dims) {
  struct field list = value, item;
  bool more = true;
  for (*dims = 0; table_next_item(&list, &more, 'x', &item); ++*dims)
    if (*dims == PLACE_MAX_DIMS || !table_number(item, most, &number[*dims]))
      return wrong(c, key, value, "one to three numbers joined by x");
  return 0;
}

/* ---- keys ---- */

static int read_role(struct record *c, struct field value) {
  int role = place_role_parse(value.text, value.length);
  if (role < 0) return wrong(c, "role", value, "base, plan or profile");
  c->version->role = (enum place_role)role;
  return 0;
}

static int read_loop(struct record *c, struct field value) {
  int form = place_loop_parse(value.text, value.length);
  if (form < 0) return wrong(c, "loop", value, "a name of loop.def");
  c->version->loop = (enum place_loop_form)form;
  return 0;
}

static int read_kernel(struct record *c, struct field value) { return table_copy(c->r, value, "kernel of a version", &c->version->kernel); }

static int read_threads(struct record *c, struct field value) {
  bool right = table_number(value, 1024, &c->version->threads) && c->version->threads;
  return right ? 0 : wrong(c, "threads", value, "1 to 1024");
}

static int read_each(struct record *c, struct field value) {
  bool right = table_number(value, 1024, &c->version->each) && c->version->each;
  return right ? 0 : wrong(c, "each", value, "1 to 1024");
}

static int read_rows(struct record *c, struct field value) {
  bool right = table_number(value, 1024, &c->version->rows) && c->version->rows;
  return right ? 0 : wrong(c, "rows", value, "1 to 1024");
}

static int read_fill(struct record *c, struct field value) {
  bool right = table_number(value, 1 << 16, &c->version->fill) && c->version->fill;
  return right ? 0 : wrong(c, "fill", value, "1 to 65536");
}

static int read_short(struct record *c, struct field value) {
  bool right = table_number(value, 1 << 16, &c->version->brief) && c->version->brief;
  return right ? 0 : wrong(c, "short", value, "1 to 65536");
}

static int read_even(struct record *c, struct field value) {
  c->version->even = table_is(value, "1");
  return c->version->even ? 0 : wrong(c, "even", value, "1");
}

static int read_slice(struct record *c, struct field value) {
  bool right = table_number(value, 1 << 20, &c->version->slice) && c->version->slice;
  return right ? 0 : wrong(c, "slice", value, "1 to 1048576");
}

static int read_origin(struct record *c, struct field value) {
  bool right = table_number(value, PLACE_SLICE_ROWS, &c->version->origin) && c->version->origin == PLACE_SLICE_ROWS;
  return right ? 0 : wrong(c, "origin", value, "8");
}

static int read_teams(struct record *c, struct field value) { return table_expr(c->r, value, &c->version->teams); }

static int read_block(struct record *c, struct field value) {
  return read_dims(c, "block", value, 1 << 20, c->extent, &c->dims);
}

static int read_team(struct record *c, struct field value) {
  return read_dims(c, "team", value, 1024, c->version->block.threads, &c->team_dims);
}

static int read_alike(struct record *c, struct field value) {
  bool right = table_number(value, 1024, &c->version->block.alike) && c->version->block.alike > 1;
  return right ? 0 : wrong(c, "alike", value, "a number of threads from 2 to 1024");
}

static int read_lanes(struct record *c, struct field value) {
  bool right = table_number(value, PLACE_MAX_DIMS - 1, &c->version->block.lanes) && c->version->block.lanes;
  return right ? 0 : wrong(c, "lanes", value, "1 or 2");
}

static int read_adjacent(struct record *c, struct field value) {
  unsigned flag[PLACE_MAX_DIMS] = {0};
  if (read_dims(c, "adjacent", value, 1, flag, &c->adjacent_dims)) return -1;
  for (unsigned d = 0; d < c->adjacent_dims; d++) c->version->block.adjacent[d] = flag[d];
  return 0;
}

static int read_strip(struct record *c, struct field value) {
  bool right = table_number(value, 1 << 20, &c->version->block.strip) && c->version->block.strip;
  return right ? 0 : wrong(c, "strip", value, "a number of iterations");
}

static int read_pipelined(struct record *c, struct field value) {
  c->version->block.pipelined = table_is(value, "1");
  return c->version->block.pipelined ? 0 : wrong(c, "pipelined", value, "1");
}

static int read_turned(struct record *c, struct field value) {
  c->version->block.turned = table_is(value, "1");
  return c->version->block.turned ? 0 : wrong(c, "turned", value, "1");
}

static int read_wide(struct record *c, struct field value) {
  c->version->block.wide = table_is(value, "1");
  return c->version->block.wide ? 0 : wrong(c, "wide", value, "1");
}

static int read_extents(struct record *c, struct field value) {
  struct field list = value, item;
  unsigned *n = &c->version->extent_count;
  for (bool more = true; table_next_item(&list, &more, ';', &item); ++*n) {
    if (*n == PLACE_MAX_DIMS) return ERROR(c->r, "more than %d extents", (int)PLACE_MAX_DIMS);
    if (table_expr(c->r, item, &c->version->extent[*n])) return -1;
  }
  return 0;
}

static int read_tiles(struct record *c, struct field value) {
  struct field list = value, item;
  unsigned array = 0, next = 0;
  if (!(c->version->tiled = calloc(c->region->array_count + 1, sizeof *c->version->tiled))) return ERROR(c->r, "out of memory");
  for (bool more = true; table_next_item(&list, &more, ',', &item); next = array + 1) {
    if (!table_number(item, MAX_ITEMS, &array) || array < next || array >= c->region->array_count)
      return wrong(c, "tiles", value, "numbers of arrays in ascending order");
    c->version->tiled[array] = true;
  }
  return 0;
}

/* Whether a version of the role may have the array there; -1: no letter of a space. */
static bool is_possible(const struct place_version *version, const struct place_array *array, char letter, int space) {
  if (array->placeable < 0) return letter == '-';
  if (letter == '*') return version->role != PLACE_ROLE_BASE;
  if (version->role == PLACE_ROLE_BASE) return space == PLACE_GLOBAL;
  return space >= 0 && (array->candidates & PLACE_SPACE_BIT(space)) != 0;
}

static int read_space(struct record *c, struct field value) {
  struct field list = value, item;
  size_t a = 0, arrays = c->region->array_count;
  if (!(c->version->space = malloc(arrays + 1))) return ERROR(c->r, "out of memory");
  for (bool more = true; table_next_item(&list, &more, ',', &item); a++) {
    if (a == arrays) return ERROR(c->r, "more spaces than the region's %zu arrays", arrays);
    char letter = item.length == 1 ? *item.text : 0;
    int space = place_space_of_letter(letter);
    if (!is_possible(c->version, &c->region->arrays[a], letter, space))
      return ERROR(c->r, "space '%.*s' is not possible for array %zu (%s)", item.length < 20 ? (int)item.length : 20, item.text, a,
                   c->region->arrays[a].name);
    c->version->space[a] = (int8_t)space;
  }
  return a == arrays ? 0 : ERROR(c->r, "%zu spaces for %zu arrays", a, arrays);
}

/* A route that a version can give to an array; PLACE_ROUTE_COUNT: it is none. */
static enum place_route route_of(const struct place_array *array, struct field item) {
  int route = place_route_parse(item.text, item.length);
  if (table_is(item, "-")) return PLACE_ROUTE_DEFAULT;
  return route >= 0 && array->read && place_route_is_choice((enum place_route)route) ? (enum place_route)route : PLACE_ROUTE_COUNT;
}

static int read_routes(struct record *c, struct field value) {
  struct field list = value, item;
  size_t a = 0, arrays = c->region->array_count;
  unsigned given = 0;
  if (!(c->version->route = calloc(arrays + 1, 1))) return ERROR(c->r, "out of memory");
  for (bool more = true; table_next_item(&list, &more, ',', &item); a++) {
    enum place_route route = a < arrays ? route_of(&c->region->arrays[a], item) : PLACE_ROUTE_COUNT;
    if (route == PLACE_ROUTE_COUNT) return wrong(c, "routes", value, "a name of route.def or - for each array, and names for none that is not read");
    c->version->route[a] = (uint8_t)route;
    given += route != PLACE_ROUTE_DEFAULT;
  }
  return a == arrays && given ? 0 : wrong(c, "routes", value, "one for each array, and some that is no -");
}

static bool is_texel(unsigned bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

static int read_texels(struct record *c, struct field value) {
  struct field list = value, item;
  size_t a = 0, arrays = c->region->array_count;
  unsigned given = 0, bytes;
  if (!(c->version->texel = calloc(arrays + 1, 1))) return ERROR(c->r, "out of memory");
  for (bool more = true; table_next_item(&list, &more, ',', &item); a++) {
    bool none = table_is(item, "-"), may = a < arrays && c->region->arrays[a].candidates & place_space_set_of(PLACE_HOME_TEXTURE);
    if (a == arrays || (!none && (!may || !table_number(item, 16, &bytes) || !is_texel(bytes))))
      return wrong(c, "texels", value, "4, 8 or 16 for each array that can be in a texture, or -");
    if (none) continue;
    c->version->texel[a] = (uint8_t)bytes;
    given++;
  }
  return a == arrays && given ? 0 : wrong(c, "texels", value, "one for each array, and some that is no -");
}

/* A list with an expression for each array that may have one, and - for others, of which some is no -. Owner: the version. */
static int read_by_array(struct record *c, const char *key, struct field value, bool (*may)(const struct place_array *array), const char *which,
                         place_expr **list_of) {
  struct field list = value, item;
  size_t a = 0, arrays = c->region->array_count;
  unsigned given = 0;
  if (!(*list_of = calloc(arrays + 1, sizeof **list_of))) return ERROR(c->r, "out of memory");
  for (bool more = true; table_next_item(&list, &more, ';', &item); a++) {
    bool none = table_is(item, "-");
    if (a == arrays || (!none && !may(&c->region->arrays[a]))) return wrong(c, key, value, which);
    (*list_of)[a] = PLACE_EXPR_NONE;
    if (none) continue;
    if (table_expr(c->r, item, &(*list_of)[a])) return -1;
    given++;
  }
  return a == arrays && given ? 0 : wrong(c, key, value, "one for each array, and some that is no -");
}

static bool may_have_pitch(const struct place_array *array) { return array->candidates & PLACE_SPACE_BIT(PLACE_TEXTURE2D); }
static bool is_read(const struct place_array *array) { return array->read; }

static int read_pitches(struct record *c, struct field value) {
  return read_by_array(c, "pitches", value, may_have_pitch, "an expression for each array that can be in a texture of two dimensions, or -",
                       &c->version->pitch);
}

static int read_ahead(struct record *c, struct field value) {
  return read_by_array(c, "ahead", value, is_read, "an expression for each array that is read, or -", &c->version->ahead);
}

static int read_need(struct record *c, struct field item) {
  const char *colon = memchr(item.text, ':', item.length);
  size_t length = colon ? (size_t)(colon - item.text) : item.length;
  int kind = place_need_parse(item.text, length);
  struct field number = {colon ? colon + 1 : NULL, colon ? item.length - length - 1 : 0};
  unsigned value = 0;
  if (kind < 0) return wrong(c, "needs", item, "names of need.def");
  if (colon && !table_number(number, INT32_MAX, &value)) return wrong(c, "needs", item, "a number behind the colon");
  if (place_need_is_numbered((enum place_need_kind)kind) ? !value : colon != NULL)
    return wrong(c, "needs", item, value ? "no number" : "a number above 0");
  if (place_version_needs(c->version, (enum place_need_kind)kind)) return wrong(c, "needs", item, "each need once");
  struct place_need *need = APPEND(c->r, c->version->needs, c->version->need_count);
  if (!need) return -1;
  *need = (struct place_need){(enum place_need_kind)kind, value};
  return 0;
}

static int read_needs(struct record *c, struct field value) {
  struct field list = value, item;
  for (bool more = true; table_next_item(&list, &more, ',', &item);)
    if (read_need(c, item)) return -1;
  return 0;
}

/* ---- the record ---- */

enum key_number { KEY_ROLE, KEY_LOOP, KEY_SPACE, KEY_ROUTES, KEY_TEXELS, KEY_PITCHES, KEY_BLOCK, KEY_TEAM, KEY_ALIKE, KEY_LANES, KEY_ADJACENT, KEY_STRIP,
                  KEY_PIPELINED, KEY_TURNED, KEY_WIDE, KEY_KERNEL, KEY_THREADS, KEY_EACH, KEY_SHORT, KEY_ROWS, KEY_FILL, KEY_EVEN, KEY_TEAMS, KEY_SLICE, KEY_ORIGIN, KEY_EXTENTS, KEY_TILES,
                  KEY_AHEAD,
                  KEY_NEEDS,
                  KEYS };

/* In the order in which they are read, whatever the order of the line: spaces depend on the role. */
static const struct key {
  const char *name;
  int (*read)(struct record *c, struct field value);
} keys[KEYS] = {[KEY_ROLE] = {"role", read_role},          [KEY_LOOP] = {"loop", read_loop},
                [KEY_SPACE] = {"space", read_space},       [KEY_ROUTES] = {"routes", read_routes},
                [KEY_TEXELS] = {"texels", read_texels},    [KEY_PITCHES] = {"pitches", read_pitches},
                [KEY_BLOCK] = {"block", read_block},
                [KEY_TEAM] = {"team", read_team},          [KEY_ALIKE] = {"alike", read_alike},
                [KEY_LANES] = {"lanes", read_lanes},
                [KEY_ADJACENT] = {"adjacent", read_adjacent},
                [KEY_STRIP] = {"strip", read_strip},       [KEY_PIPELINED] = {"pipelined", read_pipelined},
                [KEY_TURNED] = {"turned", read_turned},    [KEY_WIDE] = {"wide", read_wide},
                [KEY_KERNEL] = {"kernel", read_kernel},    [KEY_THREADS] = {"threads", read_threads},
                [KEY_EACH] = {"each", read_each},          [KEY_SHORT] = {"short", read_short},
                [KEY_ROWS] = {"rows", read_rows},          [KEY_FILL] = {"fill", read_fill},
                [KEY_EVEN] = {"even", read_even},
                [KEY_TEAMS] = {"teams", read_teams},       [KEY_SLICE] = {"slice", read_slice},
                [KEY_ORIGIN] = {"origin", read_origin},    [KEY_AHEAD] = {"ahead", read_ahead},
                [KEY_EXTENTS] = {"extents", read_extents},
                [KEY_TILES] = {"tiles", read_tiles},       [KEY_NEEDS] = {"needs", read_needs}};

/* The values of the line, by key; no text: it is not there. */
static int find_values(struct reader *r, struct field value[KEYS]) {
  for (struct field f; (f = table_field(r)).length;) {
    const char *equals = memchr(f.text, '=', f.length);
    size_t length = equals ? (size_t)(equals - f.text) : f.length, k = 0;
    while (k < KEYS && !table_is((struct field){f.text, length}, keys[k].name)) k++;
    if (!equals || k == KEYS)
      return ERROR(r, "'%.*s' is no key=value of a version", f.length < 60 ? (int)f.length : 60, f.text);
    if (value[k].text) return ERROR(r, "%s is given twice", keys[k].name);
    value[k] = (struct field){equals + 1, f.length - length - 1};
  }
  return 0;
}

/* From how a block is written to how it is used. */
static int finish_block(struct record *c, const struct field value[KEYS]) {
  struct place_version *v = c->version;
  unsigned threads = 1;
  for (int k = KEY_TEAM; !value[KEY_BLOCK].text && k <= KEY_WIDE; k++)
    if (value[k].text) return ERROR(c->r, "%s without block", keys[k].name);
  if (!value[KEY_BLOCK].text) return v->extent_count || v->tiled ? ERROR(c->r, "extents or tiles without block") : 0;
  if (c->dims != c->team_dims || (c->adjacent_dims && c->dims != c->adjacent_dims) ||
      (v->extent_count && c->dims != v->extent_count))
    return ERROR(c->r, "block, team, adjacent and extents have different numbers of dimensions");
  for (unsigned d = 0; d < c->dims; d++) {
    unsigned team = v->block.threads[d];
    if (!team || !c->extent[d] || c->extent[d] % team) return ERROR(c->r, "a block of %u does not divide among %u threads", c->extent[d], team);
    v->block.each[d] = c->extent[d] / team;
    threads *= team;
  }
  if (v->block.lanes >= c->dims) return ERROR(c->r, "lanes is %u, but a block has %u dimensions", v->block.lanes, c->dims);
  v->block.dims = c->dims;
  if (!v->block.alike) v->block.alike = 1;
  threads *= v->block.alike;
  return threads == v->threads ? 0 : ERROR(c->r, "a team of %u threads, but threads is %u", threads, v->threads);
}

static int check_spaces(struct record *c) {
  unsigned open = 0;
  for (size_t a = 0; a < c->region->array_count; a++)
    open += c->region->arrays[a].placeable >= 0 && c->version->space[a] < 0;
  bool some = open && open != c->region->placeable_count;
  return some && c->version->role == PLACE_ROLE_PLAN ? ERROR(c->r, "some spaces are open and others are not") : 0;
}

/* Where an array is in a texture, its texels and the rows of one with two dimensions are known, and the need of all textures is among the
 * version's. */
static int check_texels(struct record *c) {
  const struct place_version *v = c->version;
  for (size_t a = 0; a < c->region->array_count; a++) {
    bool fetched = c->region->arrays[a].placeable >= 0 && v->space[a] >= 0 &&
                   place_space_home((enum place_space)v->space[a]) == PLACE_HOME_TEXTURE;
    if (fetched && !(v->texel && v->texel[a]))
      return ERROR(c->r, "array %zu (%s) is in a texture without texels", a, c->region->arrays[a].name);
    if (v->space[a] == PLACE_TEXTURE2D && fetched && !(v->pitch && v->pitch[a] != PLACE_EXPR_NONE))
      return ERROR(c->r, "array %zu (%s) is in a texture of two dimensions without pitches", a, c->region->arrays[a].name);
  }
  if (v->pitch && !v->texel) return ERROR(c->r, "pitches without texels");
  return v->texel && !place_version_needs(v, PLACE_NEED_TEXTURES) ? ERROR(c->r, "texels without the need of textures") : 0;
}

static int check_ahead(struct record *c) {
  const struct place_version *v = c->version;
  return v->ahead && !place_version_needs(v, PLACE_NEED_READS_MAPPED) ? ERROR(c->r, "ahead without the need of reads that are mapped") : 0;
}

int table_version(struct reader *r, const struct place_region *region, struct place_version *version) {
  struct field value[KEYS] = {{NULL, 0}};
  struct record c = {.r = r, .region = region, .version = version};
  version->teams = PLACE_EXPR_NONE;
  if (table_copy(r, table_field(r), "version's entry name", &version->entry) || find_values(r, value)) return -1;
  for (int k = KEY_ROLE; k <= KEY_SPACE; k++)
    if (!value[k].text && (k != KEY_SPACE || region->array_count)) return ERROR(r, "a version without %s", keys[k].name);
  for (int k = 0; k < KEYS; k++)
    if (value[k].text && keys[k].read(&c, value[k])) return -1;
  if (place_version_needs(version, PLACE_NEED_ALL_TEAMS) && version->teams == PLACE_EXPR_NONE)
    return ERROR(r, "it needs all-teams, but has no teams");
  if ((version->each != 0) + (version->rows != 0) + (version->fill != 0) + (version->teams != PLACE_EXPR_NONE) > 1)
    return ERROR(r, "it has more than one of each, rows, fill and teams");
  if (version->brief && !version->each && !version->fill) return ERROR(r, "short without each or fill");
  if (version->even && !version->fill) return ERROR(r, "even without fill");
  return finish_block(&c, value) || check_spaces(&c) || check_texels(&c) || check_ahead(&c) ? -1 : 0;
}
