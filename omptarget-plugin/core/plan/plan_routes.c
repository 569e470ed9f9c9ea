/* Paper 002's answer for a launch, as text. */
#include <stdio.h>
#include <string.h>

#include "bypass.h"
#include "session.h"

static const char *name_of(const struct session *s, const struct bypass_load *load, enum place_route_group group, char *out, size_t size) {
  const struct place_region *r = s->in.region;
  if (group == PLACE_ROUTE_ARRAYS) return r->arrays[load->array].name;
  snprintf(out, size, "%.60s#%zu:%u", r->arrays[load->array].name, load->access, r->accesses[load->access].line);
  return out;
}

static void put_graph(const struct session *s, const struct bypass *b, enum place_route_group group, struct place_text *t) {
  char name[100], other[100];
  for (unsigned i = 0; i < b->graph.loads; i++)
    place_text_add(t, "node %s T_off=%.6g T_on=%.6g W=%.6g\n", name_of(s, &b->load[i], group, name, sizeof name), b->load[i].off, b->load[i].on,
                   b->graph.node[i]);
  for (unsigned i = 0; i < b->graph.loads; i++)
    for (unsigned k = 0; k < i; k++)
      if (b->graph.edge[i][k] != 0)
        place_text_add(t, "edge %s %s W=%.6g\n", name_of(s, &b->load[k], group, name, sizeof name),
                       name_of(s, &b->load[i], group, other, sizeof other), b->graph.edge[i][k]);
}

static void put_choice(const struct session *s, const struct bypass *b, enum place_route_group group, const char *how, const bool *cached,
                       struct place_text *t) {
  char name[100];
  place_text_add(t, "%s: T=%.6g, past L1:", how, traffic_reduction(&b->graph, cached));
  for (unsigned i = 0; i < b->graph.loads; i++)
    if (!cached[i]) place_text_add(t, " %s", name_of(s, &b->load[i], group, name, sizeof name));
  place_text_add(t, "\n");
}

static void put_hint(const struct session *s, const struct bypass *b, const bool *cached, struct place_text *t) {
  bool some = false;
  for (unsigned i = 0; i < b->graph.loads; i++) {
    if (cached[i]) continue;
    place_text_add(t, "%s%s", some ? ", " : "#pragma place cg(", s->in.region->arrays[b->load[i].array].name);
    some = true;
  }
  if (some) place_text_add(t, ")\n");
}

static void put_all(const struct session *s, const struct bypass *b, enum place_route_group group, struct place_text *t) {
  bool all[TRAFFIC_MAX_LOADS], none[TRAFFIC_MAX_LOADS] = {false}, best[TRAFFIC_MAX_LOADS] = {false}, simple[TRAFFIC_MAX_LOADS];
  memset(all, true, sizeof all);
  put_graph(s, b, group, t);
  bool proven = traffic_solve(&b->graph, best);
  traffic_heuristic(&b->graph, simple);
  put_choice(s, b, group, "cache-all", all, t);
  put_choice(s, b, group, "bypass-all", none, t);
  put_choice(s, b, group, "heuristic", simple, t);
  put_choice(s, b, group, proven ? "exact" : "best known", best, t);
  if (group == PLACE_ROUTE_ARRAYS) put_hint(s, b, best, t);
}

size_t place_plan_routes(const struct place_question *question, enum place_route_group group, char *out, size_t size,
                         struct place_diag *diag) {
  struct session *s = session_open(question, diag);
  struct place_text t = {out, size, 0};
  struct bypass b;
  if (!s) return 0;
  if (bypass_find(&s->in, group == PLACE_ROUTE_ARRAYS ? BYPASS_ARRAYS : BYPASS_LOADS, &b, diag) == 0) put_all(s, &b, group, &t);
  session_close(s);
  return t.length;
}
