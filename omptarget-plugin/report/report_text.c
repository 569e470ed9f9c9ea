/* The report for people. */
#include "report.h"

#include <string.h>

#include "class.h"
#include "registry.h"

static void print_bytes(uint64_t bytes, char *out, size_t size) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned u = 0;
  double value = (double)bytes;
  while (value >= 1024 && u < 4) value /= 1024, u++;
  snprintf(out, size, value == (double)(uint64_t)value ? "%.0f %s" : "%.1f %s", value, units[u]);
}

static void print_time(double ns, char *out, size_t size) {
  if (ns < 1e3) snprintf(out, size, "%.0f ns", ns);
  else if (ns < 1e6) snprintf(out, size, "%.1f us", ns / 1e3);
  else snprintf(out, size, "%.2f ms", ns / 1e6);
}

static const char *base_name(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file && *file ? file : "?";
}

/* ---- an array's line ---- */

static const char *rights(const struct place_array *a) {
  if (a->atomic) return "atomic";
  return a->written ? a->read ? "read+write" : "write" : "read";
}

static void print_other_spaces(const struct rt_region *region, const struct rt_class *c, size_t array,
                               enum place_space chosen, FILE *out) {
  int p = region->region->arrays[array].placeable;
  const char *last = NULL;
  for (int s = 0; s < PLACE_SPACE_COUNT; s++) {
    const char *why = report_excluded(region, c, array, (enum place_space)s);
    if (s == (int)chosen) continue;
    if (why && last && !strcmp(why, last)) continue; /* one reason for all spaces is said once */
    if (why) fprintf(out, "   %s%s%s", region->region->arrays[array].placeable < 0 ? "" : place_space_name((enum place_space)s),
                     region->region->arrays[array].placeable < 0 ? "" : ": ", why);
    else if (p >= 0 && c->predicted[p][s] > 0) fprintf(out, "   %s %.3f", place_space_name((enum place_space)s), c->predicted[p][s] / 1e6);
    last = why;
  }
}

static void print_array(const struct rt_region *region, const struct rt_device_region *s, const struct rt_class *c,
                        size_t array, FILE *out) {
  const struct place_array *a = &region->region->arrays[array];
  const struct place_plan *plan = report_plan(s, c);
  char bytes[24] = "?";
  enum place_space space = PLACE_GLOBAL;
  if (a->placeable >= 0 && plan) space = plan->array[a->placeable].space;
  if (c->array[array].extent.known) print_bytes(c->array[array].extent.bytes, bytes, sizeof bytes);
  const char *pattern = c->summary && *c->summary[array].pattern ? c->summary[array].pattern : "";
  fprintf(out, "  %-10s %10s   %-10s  %-16s  %-9s", a->name, bytes, rights(a), pattern, place_space_name(space));
  if (a->placeable >= 0 && c->predicted[a->placeable][space] > 0)
    fprintf(out, " predicted %.3f", c->predicted[a->placeable][space] / 1e6);
  print_other_spaces(region, c, array, space, out);
  fputc('\n', out);
}

/* What finding out cost, of what it may. */
static void print_budget(const struct runtime *rt, const struct budget *b, const char *whose, FILE *out) {
  char spent[32], allowed[32];
  if (!(b->spent_ns > 0)) return;
  print_time(b->spent_ns, spent, sizeof spent);
  print_time(budget_allowed(b), allowed, sizeof allowed);
  fprintf(out, "%sfinding out cost %s", whose, spent);
  if (rt->config.patience_ns > 0) fprintf(out, " of %s that it may", allowed);
  fputc('\n', out);
}

/* ---- a region's line, one for each size class ---- */

static void print_costs(const struct rt_class *c, FILE *out) {
  char text[32];
  if (c->profile_ns > 0) {
    print_time(c->profile_ns, text, sizeof text);
    fprintf(out, "    profile %s", text);
  }
  if (c->recalled) fputs("    taken up from an earlier run", out);
  else if (c->tune.arms) {
    print_time(c->tune.spent_ns, text, sizeof text);
    fprintf(out, "%s%d trial%s %s", c->profile_ns > 0 ? ", " : "    ", c->tune.arms - 1, c->tune.arms == 2 ? "" : "s", text);
  }
  if (c->watch.pairs) fprintf(out, ", compared %u time%s", c->watch.pairs, c->watch.pairs == 1 ? "" : "s");
}

static void print_result(const struct runtime *rt, const struct rt_region *region, const struct rt_device_region *s,
                         const struct rt_class *c, FILE *out) {
  const char *alone = report_left_alone(rt, region, s, c);
  double base = c ? report_base_ns(c) : 0, now = c ? report_kernel_ns(c) : 0;
  const char *by = s && s->force.hinted ? "#pragma place" : "PLACE_FORCE";
  if (alone) fprintf(out, "    left alone: %s", alone);
  else if (base > 0 && now > 0) fprintf(out, "    kernel %.3f -> %.3f ms   %.2fx", base / 1e6, now / 1e6, base / now);
  else if (now > 0) fprintf(out, "    kernel %.3f ms (%s)", now / 1e6, by);
  else if (c && c->trusted) fprintf(out, "    placed as predicted: %.2fx (not measured)", c->predicted_base_ns / c->predicted_ns);
  else if (c) fprintf(out, "    placed (%s)", by);
}

static void print_block(const struct place_region *r, const struct rt_device_region *s, const struct rt_class *c, FILE *out) {
  const struct place_plan *plan = report_plan(s, c);
  const struct place_version *version = plan && plan->version >= 0 ? &r->versions[plan->version] : NULL;
  char shape[96];
  if (!version || !place_version_shape(version, shape, sizeof shape)) return;
  fprintf(out, "  iterations in blocks of %s: %u threads", shape, version->threads);
  if (plan->teams) fprintf(out, ", %u teams", plan->teams);
  for (size_t a = 0, n = 0; version->tiled && a < r->array_count; a++)
    if (version->tiled[a]) fprintf(out, "%s%s", n++ ? ", " : "; tiles in shared memory of ", r->arrays[a].name);
  if (plan->cost_ns > 0) fprintf(out, "; predicted %.3f ms, base %.3f ms", plan->cost_ns / 1e6, c->predicted_base_ns / 1e6);
  fputc('\n', out);
}

static void print_remarks(const struct rt_device_region *s, const struct rt_class *c, FILE *out) {
  if (*s->force_note) fprintf(out, "  %s\n", s->force_note);
  if (*c->note) fprintf(out, "  %s\n", c->note);
  if (c->fallbacks)
    fprintf(out, "  %llu launch%s ran the original: %s\n", (unsigned long long)c->fallbacks, c->fallbacks == 1 ? "" : "es",
            c->fell_back);
}

static void print_class(const struct runtime *rt, const struct rt_region *region, int device,
                        const struct rt_device_region *s, const struct rt_class *c, FILE *out) {
  const struct place_region *r = region->region;
  uint64_t launches = c ? c->launches : s ? s->launches : 0;
  fprintf(out, "%s:%u %s", base_name(r->file), r->line, r->function ? r->function : "?");
  if (device > 0) fprintf(out, " (device %d)", device);
  if (s && s->class_count > 1 && c) fprintf(out, " (%llu iterations)", (unsigned long long)c->shape.trip_count);
  fprintf(out, "    %llu launch%s", (unsigned long long)launches, launches == 1 ? "" : "es");
  print_result(rt, region, s, c, out);
  if (c) print_costs(c, out);
  fputc('\n', out);
  if (!c || s->fallback_launches == s->launches) return;
  for (size_t a = 0; a < r->array_count; a++) print_array(region, s, c, a, out);
  print_block(r, s, c, out);
  print_remarks(s, c, out);
}

void report_text_region(const struct runtime *rt, const struct rt_region *region, int device,
                        const struct rt_device_region *s, void *out) {
  if (!s) return; /* not launched: counted in the first line */
  for (unsigned i = 0; i < s->class_count; i++) print_class(rt, region, device, s, s->classes[i], out);
  if (!s->class_count || s->crowded) print_class(rt, region, device, s, NULL, out);
  if (region->region->no_blocks) fprintf(out, "  no blocks: %s\n", region->region->no_blocks);
  if (s->overhead_samples)
    fprintf(out, "  dispatch %.0f ns a launch (%llu of %llu decisions reused)\n", s->overhead_ns / (double)s->overhead_samples,
            (unsigned long long)s->fast, (unsigned long long)s->launches);
  print_budget(rt, &s->budget, "  ", out);
}

/* ---- the whole ---- */

struct counts {
  unsigned regions, placed, idle;
};

static void count_region(const struct runtime *rt, const struct rt_region *region, int device,
                         const struct rt_device_region *s, void *context) {
  struct counts *n = context;
  bool placed = false;
  for (unsigned i = 0; s && i < s->class_count; i++) placed |= !report_left_alone(rt, region, s, s->classes[i]);
  (void)device;
  n->regions++;
  n->placed += placed;
  n->idle += !s;
}

static void print_devices(const struct runtime *rt, FILE *out) {
  char whose[40];
  bool any = false;
  for (int d = 0; d < RT_MAX_DEVICES; d++) {
    const struct rt_device *device = rt->device[d];
    any |= device != NULL;
    const char *why = registry_no_versions();
    if (device && device->unknown_launches && why && !rt->on_host)
      fprintf(out, "%llu launch%s of regions without versions on device %d: %s\n", (unsigned long long)device->unknown_launches,
              device->unknown_launches == 1 ? "" : "es", d, why);
    else if (device && device->unknown_launches && !rt->on_host)
      fprintf(out, "%llu launch%s of regions compiled without libplace.so on device %d: after each of them, all constant copies "
                   "are taken to be out of date\n", (unsigned long long)device->unknown_launches,
              device->unknown_launches == 1 ? "" : "es", d);
    snprintf(whose, sizeof whose, "all regions on device %d: ", d);
    if (device) print_budget(rt, &device->budget, whose, out);
  }
  if (!any && registry_image_count()) fprintf(out, "no device was used: target regions ran on the host, or there were none\n");
}

void report_text(const struct runtime *rt, FILE *out) {
  struct counts n = {0};
  report_regions(rt, count_region, &n);
  if (*rt->device_name) fprintf(out, "place: %s (%s)   ", rt->device_name, rt->machine_note);
  else fputs("place: no device was used   ", out);
  fprintf(out, "%u region%s: %u placed, %u left alone", n.regions, n.regions == 1 ? "" : "s", n.placed,
          n.regions - n.placed - n.idle);
  if (n.idle) fprintf(out, ", %u not launched", n.idle);
  fputc('\n', out);
  for (unsigned i = 0; registry_message(i); i++) fprintf(out, "%s\n", registry_message(i));
  if (rt->unified) fprintf(out, "the program requires unified_shared_memory: all regions are left alone\n");
  report_regions(rt, report_text_region, out);
  print_devices(rt, out);
}
