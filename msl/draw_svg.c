/* The hierarchy as a picture: a box a memory, an SM and the die around them, a colour for each transfer path. */
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"

enum { BOX_WIDTH = 150, BOX_HEIGHT = 62, GAP_X = 24, GAP_Y = 34, MARGIN = 40, TOP = 60, LEGEND = 40 };

static const char *const colours[] = {"#cfe3f5", "#f6dfc1", "#d6ecd2", "#ead6ee", "#f3d0d0", "#e3e3e3"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

struct picture {
  struct msl_text out;
  const struct place_machine *machine;
  struct msl_layout layout;
};

static int x_of(const struct picture *p, unsigned i) {
  return MARGIN + GAP_X + (int)p->layout.column[i] * (BOX_WIDTH + GAP_X);
}

static int y_of(const struct picture *p, unsigned i) {
  unsigned row = p->layout.row[i];
  return TOP + GAP_Y + (int)row * (BOX_HEIGHT + GAP_Y) + (row >= p->layout.sm_rows ? GAP_Y : 0);
}

static int width_of(const struct picture *p) {
  unsigned columns = p->layout.columns > 2 ? p->layout.columns : 2;
  return 2 * MARGIN + GAP_X + (int)columns * (BOX_WIDTH + GAP_X);
}

static int height_of(const struct picture *p) {
  return TOP + 3 * GAP_Y + (int)p->layout.rows * (BOX_HEIGHT + GAP_Y) + LEGEND;
}

/* Names come from the file and are ASCII; three characters mean something in SVG. */
static void add_escaped(struct msl_text *out, const char *text) {
  for (; *text; text++)
    if (*text == '<' || *text == '&' || *text == '>')
      msl_text_add(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
    else
      msl_text_bytes(out, text, 1);
}

static void add_text(struct msl_text *out, int x, int y, const char *attributes, struct msl_text *content) {
  char *text = msl_text_take(content);
  if (!text) {
    out->failed = true;
    return;
  }
  msl_text_format(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, attributes);
  add_escaped(out, text);
  msl_text_add(out, "</text>\n");
  free(text);
}

static void add_label(struct msl_text *out, int x, int y, const char *attributes, const char *label) {
  struct msl_text content = {0};
  msl_text_add(&content, label);
  add_text(out, x, y, attributes, &content);
}

static void draw_box(struct picture *p, unsigned i) {
  const struct place_memory *memory = &p->machine->memories[i];
  int x = x_of(p, i), y = y_of(p, i), middle = x + BOX_WIDTH / 2;
  struct msl_text name = {0}, size = {0}, latency = {0};
  const struct msl_choice *scope = &memory->share_scope;
  msl_text_format(&p->out,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"#444\"/>\n", x, y,
                  BOX_WIDTH, BOX_HEIGHT, colours[memory->path % COLOURS]);
  msl_text_add(&name, memory->name);
  if (scope->state == MSL_GIVEN && (scope->value == MSL_CORE || scope->value == MSL_TPC))
    msl_text_format(&name, " (%s)", msl_share_scope_names[scope->value]);
  add_text(&p->out, middle, y + 20, " text-anchor=\"middle\" font-weight=\"bold\"", &name);
  msl_draw_size(&size, p->machine, memory);
  add_text(&p->out, middle, y + 38, " text-anchor=\"middle\"", &size);
  msl_draw_latency(&latency, p->machine, memory);
  add_text(&p->out, middle, y + 55, " text-anchor=\"middle\"", &latency);
}

/* Down to the gap above the lower box, along it, and down. */
static void draw_lines(struct picture *p) {
  for (unsigned i = 0; i < p->machine->memory_count; i++)
    for (unsigned j = 0; j < p->machine->memory_count; j++)
      if (msl_covers(p->machine, i, j))
        msl_text_format(&p->out, "<path d=\"M%d %dV%dH%dV%d\" fill=\"none\" stroke=\"#444\"/>\n",
                        x_of(p, i) + BOX_WIDTH / 2, y_of(p, i) + BOX_HEIGHT, y_of(p, j) - GAP_Y / 3,
                        x_of(p, j) + BOX_WIDTH / 2, y_of(p, j));
}

static void draw_frame(struct picture *p, int y, int height, const char *label) {
  msl_text_format(&p->out,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"none\" stroke=\"#888\" "
                  "stroke-dasharray=\"6 4\"/>\n",
                  MARGIN, y, width_of(p) - 2 * MARGIN, height);
  add_label(&p->out, MARGIN + 10, y + 18, " fill=\"#555\"", label);
}

static void draw_frames(struct picture *p) {
  int sm_height = GAP_Y + (int)p->layout.sm_rows * (BOX_HEIGHT + GAP_Y) - GAP_Y / 2;
  char sms[32] = "SM";
  if (p->machine->sm_count)
    snprintf(sms, sizeof sms, "SM (%u of them)", p->machine->sm_count);
  if (p->layout.sm_rows)
    draw_frame(p, TOP, sm_height, sms);
  if (p->layout.rows > p->layout.sm_rows) {
    int y = TOP + (int)p->layout.sm_rows * (BOX_HEIGHT + GAP_Y) + GAP_Y;
    draw_frame(p, y, GAP_Y + (int)(p->layout.rows - p->layout.sm_rows) * (BOX_HEIGHT + GAP_Y) - GAP_Y / 2, "die");
  }
}

static void draw_legend(struct picture *p) {
  int x = MARGIN, y = height_of(p) - LEGEND;
  for (unsigned path = 0; path < p->machine->path_count; path++, x += BOX_WIDTH) {
    msl_text_format(&p->out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#444\"/>\n", x, y,
                    colours[path % COLOURS]);
    add_label(&p->out, x + 20, y + 12, "", p->machine->path_names[path]);
  }
}

char *msl_draw_svg(const struct place_machine *machine) {
  struct picture p = {.machine = machine};
  struct msl_text title = {0};
  msl_layout(machine, &p.layout);
  msl_text_format(&p.out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  width_of(&p), height_of(&p), width_of(&p), height_of(&p));
  msl_draw_title(&title, machine);
  add_text(&p.out, MARGIN, TOP - 24, " font-size=\"18\"", &title);
  draw_frames(&p);
  draw_lines(&p);
  for (unsigned i = 0; i < machine->memory_count; i++)
    draw_box(&p, i);
  draw_legend(&p);
  msl_text_add(&p.out, "</svg>\n");
  return msl_text_take(&p.out);
}
