/* The memories of the machine file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "stats.h"
#include "writer.h"

#define BY_BLOCK "warp{⌊address1/blockSize⌋ != ⌊address2/blockSize⌋}"
#define BY_LINE "warp{⌊address1/line⌋ != ⌊address2/line⌋}"

/* "<12clk ?>": nobody waits for a store, so its latency is not seen. */
static void read_latency(struct writer *w, struct probe_value clk) {
  writer_add(w, "<");
  writer_value(w, clk, "clk");
  writer_add(w, " ?> ");
}

static void global_memory(struct writer *w) {
  const struct probe_findings *f = &w->f;
  writer_add(w, "\nglobalMem 8 Y RW na ");
  probe_sheet_bytes(&w->sheet, writer_exactly(f->memory_bytes));
  writer_add(w, " ");
  probe_sheet_bytes(&w->sheet, f->memory_sector);
  writer_add(w, " ? ");
  read_latency(w, f->memory_clk);
  writer_add(w, "<L2 L1> <> die ? ");
  writer_add(w, f->memory_sector.known ? BY_BLOCK : "?");
  writer_add(w, "\n path = global");
  writer_bytes_field(w, "line", f->l1_line);
  writer_bytes_field(w, "sector", f->memory_sector);
  writer_add(w, "\n bandwidth = <");
  writer_value(w, f->memory_read_gbps, "GB/s");
  writer_add(w, " ");
  writer_value(w, f->memory_write_gbps, "GB/s");
  writer_add(w, ">");
  writer_curve(w, "workingSet", "walk.global", w->clk_ns, true);
  writer_curve(w, "distinct", "distinct.global", w->clk_ns, false);
  writer_curve(w, "workingSet4", "uniform.global.4", w->clk_ns, true);
  writer_curve(w, "workingSet8", "uniform.global.8", w->clk_ns, true);
  writer_curve(w, "workingSet16", "uniform.global.16", w->clk_ns, true);
  writer_curve(w, "lookUp", "random.global", w->clk_ns, true);
  writer_add(w, ";\n");
}

/* Paper 001's test in words. */
static void mapping_note(struct writer *w) {
  const struct probe_findings *f = &w->f;
  char rows[200] = "", columns[200] = "";
  if (!f->tried_bits) {
    probe_sheet_note(&w->sheet, "globalMem ", "Row and column bits (paper 001, Algorithm 1) were not looked for.");
    return;
  }
  for (unsigned bit = 0; bit < 64; bit++) {
    char *to = f->row_bits >> bit & 1 ? rows : f->column_bits >> bit & 1 ? columns : NULL;
    if (to)
      snprintf(to + strlen(to), sizeof rows - strlen(to), " %u", bit);
  }
  if (*rows || *columns)
    probe_sheet_note(&w->sheet, "globalMem ",
                     "Paper 001, Algorithm 1 [mapping.second]: row bits%s; column bits%s; the second access "
                     "takes %.0f to %.0f clk.",
                     *rows ? rows : " none seen", *columns ? columns : " none seen", f->mapping_least_clk, f->mapping_most_clk);
  else
    probe_sheet_note(
        &w->sheet, "globalMem ",
        "Paper 001, Algorithm 1 [mapping.second] finds no row and no column bits here: whichever "
        "single bit differs, the second access takes %.0f to %.0f clk. Probably banks are hashed from many bits, and no "
        "row stays open long enough to be seen.",
        f->mapping_least_clk, f->mapping_most_clk);
}

static void global_notes(struct writer *w) {
  const struct probe_findings *f = &w->f;
  probe_sheet_note(
      &w->sheet, "globalMem ",
      "Size [device]; latency beyond the L2 cache [chase.cg.128]; a miss there brings that many "
      "bytes [pair.cg]; bandwidths of 2 GiB [bandwidth.read, .write]; a copy moves %.4g GB/s, read plus write "
      "[bandwidth.copy]. Nobody waits for stores: their latency is not seen, here and below. No kernel here tells how many "
      "transactions are served at a time (concurrencyFactor): rates are given instead.",
      f->copy_gbps.value);
  mapping_note(w);
  probe_sheet_note(&w->sheet, "globalMem ",
                   "workingSet is a loop over words as clang compiles it [walk.global]; workingSet4, 8, 16 single "
                   "instructions [uniform.global]; distinct [distinct.global]; lookUp [random.global].");
}

/* The mean number of blocks that 32 random words of `bytes` meet. */
static double mean_blocks(double bytes, double block) {
  double blocks = bytes / block;
  return blocks * (1 - pow(1 - 1 / blocks, 32));
}

/* Cost against lines: without bank conflicts up to sixteen of them, then what random look-ups cost. */
static void line_curve(struct writer *w, const char *random) {
  struct probe_series lines, look, all = {0};
  probe_series_of(w->log, "far_lines.global", &lines);
  probe_series_of(w->log, random, &look);
  for (unsigned i = 0; i < lines.count; i++)
    if (lines.points[i].x <= 16)
      all.points[all.count++] = lines.points[i];
  if (look.count && w->f.l1_line.known && all.count) {
    all.points[all.count] = look.points[look.count - 1];
    all.points[all.count].x = round(10 * mean_blocks(look.points[look.count - 1].x, w->f.l1_line.value)) / 10;
    all.count++;
  }
  probe_sheet_curve(&w->sheet, "transactions", &all, w->clk_ns, false, PROBE_THROUGHPUT_TOLERANCE);
}

/* What one uniform access costs in a loop as compiled, over a working set that the nearest level holds. */
static struct probe_value walk_ns(struct writer *w, const char *quantity, double bytes) {
  struct probe_series series;
  probe_series_of(w->log, quantity, &series);
  struct probe_value v = probe_at(&series, bytes, PROBE_THROUGHPUT_TOLERANCE);
  v.value *= w->clk_ns;
  return v;
}

static struct probe_value total_l1(struct writer *w) {
  return writer_exactly(w->known ? (uint64_t)w->known->l1_kib * 1024 : 0);
}

static void near_cache(struct writer *w, const char *head, struct probe_value clk, struct probe_value usable,
                       struct probe_value rate, const char *random) {
  struct probe_value total = total_l1(w);
  writer_add(w, head);
  probe_sheet_bytes(&w->sheet, total.known ? total : usable);
  writer_add(w, " ");
  probe_sheet_bytes(&w->sheet, w->f.l1_line);
  writer_add(w, " ? ");
  read_latency(w, clk);
  writer_add(w, "<> <L2 globalMem> sm ? ");
  writer_add(w, w->f.l1_line.known ? BY_LINE : "?");
  writer_add(w, "\n path = global");
  writer_bytes_field(w, "line", w->f.l1_line);
  writer_bytes_field(w, "sector", w->f.l1_sector);
  if (usable.known)
    writer_bytes_field(w, "usable", usable);
  writer_field(w, "throughput", rate, "B/clk");
  writer_field(w, "transactionTime", walk_ns(w, "walk.global", 1024), "ns");
  line_curve(w, random);
  if (!strcmp(random, "random.readonly")) {
    writer_curve(w, "distinct", "distinct.readonly", w->clk_ns, false);
    writer_curve(w, "workingSet4", "uniform.readonly.4", w->clk_ns, true);
    writer_curve(w, "workingSet16", "uniform.readonly.16", w->clk_ns, true);
    writer_curve(w, "lookUp", random, w->clk_ns, true);
  }
  writer_add(w, ";\n");
}

static void l1_caches(struct writer *w) {
  const struct probe_findings *f = &w->f;
  near_cache(w, "\nL1 9 N RW na ", f->l1_clk, f->l1_bytes, f->l1_rate, "random.global");
  probe_sheet_note(
      &w->sheet, "L1 ",
      "Size: together with shared memory [guide]; usable: what a walk found without any [chase.ca.128], "
      "and the line from how far strides of 64, 128 and 256 reach [chase.ca]; the sector from what a miss brings "
      "[pair.ca]. transactions: lines without bank conflicts [far_lines.global], four in a clk; the last point is random "
      "look-ups, conflicts included [random.global]. Lines met in the same bank cost one clk each [lines.global].");
}

static void l2_cache(struct writer *w) {
  const struct probe_findings *f = &w->f;
  writer_add(w, "\nL2 7 N RW na ");
  probe_sheet_bytes(&w->sheet, f->l2_bytes ? writer_exactly(f->l2_bytes) : f->l2_usable_bytes);
  writer_add(w, " ");
  probe_sheet_bytes(&w->sheet, f->l1_sector);
  writer_add(w, " ? ");
  read_latency(w, f->l2_clk);
  writer_add(w, "om om die ? ");
  writer_add(w, f->l1_sector.known ? BY_BLOCK : "?");
  writer_add(w, "\n path = global");
  writer_bytes_field(w, "line", f->l1_line);
  writer_bytes_field(w, "sector", f->l1_sector);
  if (f->l2_usable_bytes.known && (!f->l2_bytes || f->l2_usable_bytes.value <= (double)f->l2_bytes))
    writer_bytes_field(w, "usable", f->l2_usable_bytes);
  writer_add(w, "\n bandwidth = <");
  writer_value(w, f->l2_read_gbps, "GB/s");
  writer_add(w, " ");
  writer_value(w, f->l2_write_gbps, "GB/s");
  writer_add(w, ">;\n");
  probe_sheet_note(
      &w->sheet, "L2 ",
      "Size [device]; usable: the working set up to which a walk stays within %d%% of its latency "
      "[chase.cg.128]; latency: the mean over all of the cache and several SMs; of single lines a tenth is nearer than "
      "%.0f clk, a tenth farther than %.0f [chase.line.cg]. It answers the SMs in L1's sectors [pair.ca]; its line is "
      "taken to be L1's. Bandwidths [bandwidth.read, .write] of working sets that it holds.",
      10, f->l2_near_clk.value, f->l2_far_clk.value);
}

static void read_only(struct writer *w) {
  const struct probe_findings *f = &w->f;
  near_cache(w, "\nreadOnly 11 N R na ", f->readonly_clk, f->readonly_bytes, f->readonly_rate, "random.readonly");
  probe_sheet_note(&w->sheet, "readOnly ",
                   "ld.global.nc [chase.nc.128, distinct.readonly, random.readonly, uniform.readonly]: where its "
                   "numbers are L1's, it is the same cache. Line, sector and transactionTime are taken from there.");
}

static void constant_memory(struct writer *w) {
  const struct probe_findings *f = &w->f;
  writer_add(w, "\nconstantMem 1 Y R na ");
  probe_sheet_bytes(&w->sheet, writer_exactly(f->constant_bytes));
  writer_add(w, " ? na ? <L2 cL1_5 cL1> <> die ? warp{address1 != address2}\n path = constant\n usable = 48K\n fill = ");
  writer_value(w, f->fill_us, "us");
  writer_curve(w, "workingSet", "walk.constant", w->clk_ns, true);
  writer_curve(w, "distinct", "distinct.constant", w->clk_ns, false);
  writer_curve(w, "workingSet4", "uniform.constant.4", w->clk_ns, true);
  writer_curve(w, "workingSet8", "uniform.constant.8", w->clk_ns, true);
  writer_curve(w, "uniformSet4", "walk.constant.bare", w->clk_ns, true);
  writer_curve(w, "uniformSet8", "uniform.ulc.8", w->clk_ns, true);
  writer_curve(w, "lookUp", "random.constant", w->clk_ns, true);
  writer_add(w, ";\n");
  probe_sheet_note(
      &w->sheet, "constantMem ",
      "Size [device]; usable: what the runtime of place puts there, beside the constants of the device "
      "runtime and of other translation units; fill: a copy from device memory, wall clock [fill.device]. Its own latency is "
      "the L2 cache's and device memory's behind it.\n"
      "workingSet is a loop over words as clang compiles it, two words a load [walk.constant]; workingSet4, 8 single loads, "
      "LDC [uniform.constant]. Through the uniform datapath, ULDC, which ptxas may take for addresses that it proves to be the "
      "warp's: uniformSet4 a loop over words [walk.constant.bare], uniformSet8 loads of 8 bytes [uniform.ulc.8]; thirty-two "
      "4-byte loads in a row show no such cliff [uniform.ulc.4]. distinct [distinct.constant]; lookUp [random.constant].");
}

static void constant_caches(struct writer *w) {
  const struct probe_findings *f = &w->f;
  writer_add(w, "\ncL1 3 N R na ");
  probe_sheet_bytes(&w->sheet, f->constant_l1_bytes);
  writer_add(w, " ");
  probe_sheet_bytes(&w->sheet, f->constant_l1_line);
  writer_add(w, " na ");
  writer_value(w, f->constant_l1_clk, "clk");
  writer_add(w, " <> <cL1_5 L2 constantMem> sm ? warp{address1 != address2}\n path = constant");
  writer_bytes_field(w, "line", f->constant_l1_line);
  writer_field(w, "transactionTime", walk_ns(w, "walk.constant", 1024), "ns");
  writer_add(w, ";\n\ncL1_5 2 N R na ");
  probe_sheet_bytes(&w->sheet, f->constant_l15_bytes);
  writer_add(w, " ");
  probe_sheet_bytes(&w->sheet, f->constant_l15_line);
  writer_add(w, " na ");
  writer_value(w, f->constant_l15_clk, "clk");
  writer_add(w, " <cL1> <L2 constantMem> sm ? warp{address1 != address2}\n path = constant");
  writer_bytes_field(w, "line", f->constant_l15_line);
  writer_add(w, ";\n");
  probe_sheet_note(&w->sheet, "cL1 ", "Size and latency [chase.constant.64]; line: what a miss brings [pair.constant].");
  if (!f->constant_l15_bytes.known)
    probe_sheet_note(&w->sheet, "cL1_5 ", "Size: larger than the %.0f bytes that a program can walk [chase.constant.64].",
                     f->constant_most_bytes);
  probe_sheet_note(&w->sheet, "cL1_5 ", "Latency [chase.constant.64]; line [pair.constant].");
}

/* n-way conflicts, but for the first point: a uniform word in a loop as compiled, as at transactionTime. */
static void conflict_curve(struct writer *w) {
  struct probe_series conflicts;
  struct probe_value one = walk_ns(w, "walk.shared", 1024);
  probe_series_of(w->log, "conflicts.shared", &conflicts);
  if (conflicts.count && one.known)
    conflicts.points[0].value = one.value / w->clk_ns;
  probe_sheet_curve(&w->sheet, "transactions", &conflicts, w->clk_ns, false, PROBE_THROUGHPUT_TOLERANCE);
}

static void shared_memory(struct writer *w) {
  const struct probe_findings *f = &w->f;
  double reserved = f->shared_reserved_bytes.known ? f->shared_reserved_bytes.value : 0;
  writer_add(w, "\nsharedMem 4 Y RW na ");
  probe_sheet_bytes(&w->sheet, f->shared_per_sm_bytes);
  writer_add(w, " ? ");
  writer_count(w, f->banks);
  writer_add(w, " ");
  read_latency(w, f->shared_clk);
  writer_add(w, "<> <> sm ? ");
  writer_add(w, f->banks.known ? "block{word1 != word2 && word1%banks == word2%banks}" : "?");
  writer_add(w, "\n path = global");
  writer_bytes_field(w, "word", f->bank_bytes);
  if (f->shared_per_sm_bytes.known)
    msl_text_format(&w->sheet.msl, "\n usable = %.0fB", f->shared_per_sm_bytes.value - reserved);
  writer_add(w, "\n throughput = <");
  writer_value(w, f->shared_read_rate, "B/clk");
  writer_add(w, " ");
  writer_value(w, f->shared_write_rate, "B/clk");
  writer_add(w, ">");
  writer_field(w, "transactionTime", walk_ns(w, "walk.shared", 1024), "ns");
  writer_curve(w, "workingSet", "walk.shared", w->clk_ns, true);
  writer_curve(w, "distinct", "distinct.shared", w->clk_ns, false);
  conflict_curve(w);
  writer_curve(w, "workingSet4", "uniform.shared.4", w->clk_ns, true);
  writer_curve(w, "workingSet8", "uniform.shared.8", w->clk_ns, true);
  writer_curve(w, "workingSet16", "uniform.shared.16", w->clk_ns, true);
  writer_curve(w, "lookUp", "random.shared", w->clk_ns, true);
  writer_curve(w, "staging", "stage", w->clk_ns, true);
  writer_add(w, ";\n");
  probe_sheet_note(
      &w->sheet, "sharedMem ",
      "Of an SM [teams.shared]; latency [chase.shared]; banks and their width from two lanes' distance "
      "[banks.two]. workingSet, transactionTime and the first point of transactions are a loop over words as clang compiles "
      "it, four words a load [walk.shared]; a single load of one word takes workingSet4's [uniform.shared], and n of them in "
      "one bank n times that [conflicts.shared]. distinct: no conflicts [distinct.shared]; lookUp [random.shared]; staging "
      "[stage].");
}

static void texture_memory(struct writer *w) {
  struct probe_value total = total_l1(w);
  writer_add(w, "\ntextureMem 5 Y R na om ? na ? <L2 tL1> <> die ? ?\n path = global;\n\ntL1 10 N R na ");
  total.unsure = true;
  probe_sheet_bytes(&w->sheet, total);
  writer_add(w, " ? na ? <> <L2 textureMem> sm ? ?\n path = global;\n");
  probe_sheet_note(&w->sheet, "textureMem ",
                   "Not measured: a texture needs an object of the CUDA API (cuTexObjectCreate), which libomptarget "
                   "does not offer. From compute capability 7.0 on one unit with L1 [guide].");
}

void write_memories(struct writer *w) {
  global_memory(w);
  global_notes(w);
  l1_caches(w);
  l2_cache(w);
  read_only(w);
  constant_memory(w);
  constant_caches(w);
  shared_memory(w);
  texture_memory(w);
}
