/*
 * loop_marks.cc - marks: probes of loops as statements without text, which get their text at the end of the passes.
 *
 * Only at the end is it known whether the function is instrumented and what became of the loop; copies of a mark get
 * their own text.  Exceptions and second returns of setjmp leave loops on edges that can't hold a probe.  So behind a
 * landing stands an exit of each loop that may be open there and doesn't contain the landing.
 */
#include "loops.h"

#include "listing.h"

namespace {

const char mark_format[] = "prof loop %u %u";

/* The instrumented loops that may be open in each block, by data flow over the marks. */
struct open_loops {
  int function = -1;
  auto_vec<unsigned> records; /* of loops that have marks; a bit each */
  sbitmap *open_in = NULL;    /* may be open where the block begins */
  sbitmap *open_out = NULL;
  sbitmap *left_later_in = NULL; /* its exit can be reached without its entry: control is in it */
};

open_loops flow;

template <typename F> void marks_each(function *fun, F action) {
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(block), next; !gsi_end_p(at); at = next) {
    unsigned record;
    uint32_t kind;
    next = at;
    gsi_next(&next);
    if (prof_loop_mark_read(gsi_stmt(at), &record, &kind))
      action(&at, record, kind);
  }
}

int bit_of(unsigned record) {
  for (unsigned i = 0; i < flow.records.length(); i++)
    if (flow.records[i] == record)
      return i;
  return -1;
}

void mark_apply(gimple *statement, sbitmap set, uint32_t sets, uint32_t clears) {
  unsigned record;
  uint32_t kind;
  if (!prof_loop_mark_read(statement, &record, &kind))
    return;
  if ((kind & PROF_ROW_KIND_MASK) == sets)
    bitmap_set_bit(set, bit_of(record));
  else if ((kind & PROF_ROW_KIND_MASK) == clears)
    bitmap_clear_bit(set, bit_of(record));
}

bool block_forward(basic_block block) {
  edge way;
  edge_iterator i;
  auto_sbitmap set(flow.records.length());
  bitmap_clear(set);
  FOR_EACH_EDGE(way, i, block->preds)
  bitmap_ior(set, set, flow.open_out[way->src->index]);
  bitmap_copy(flow.open_in[block->index], set);
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    mark_apply(gsi_stmt(at), set, PROF_PROBE_LOOP_ENTRY, PROF_PROBE_LOOP_EXIT);
  bool changed = !bitmap_equal_p(set, flow.open_out[block->index]);
  bitmap_copy(flow.open_out[block->index], set);
  return changed;
}

void left_later_out(basic_block block, sbitmap set) {
  edge way;
  edge_iterator i;
  bitmap_clear(set);
  FOR_EACH_EDGE(way, i, block->succs)
  bitmap_ior(set, set, flow.left_later_in[way->dest->index]);
}

bool block_backward(basic_block block) {
  auto_sbitmap set(flow.records.length());
  left_later_out(block, set);
  for (gimple_stmt_iterator at = gsi_last_bb(block); !gsi_end_p(at); gsi_prev(&at))
    mark_apply(gsi_stmt(at), set, PROF_PROBE_LOOP_EXIT, PROF_PROBE_LOOP_ENTRY);
  bool changed = !bitmap_equal_p(set, flow.left_later_in[block->index]);
  bitmap_copy(flow.left_later_in[block->index], set);
  return changed;
}

void flow_free() {
  if (flow.open_in) {
    sbitmap_vector_free(flow.open_in);
    sbitmap_vector_free(flow.open_out);
    sbitmap_vector_free(flow.left_later_in);
  }
  flow.open_in = flow.open_out = flow.left_later_in = NULL;
  flow.records.truncate(0);
}

void flow_compute(function *fun) {
  flow_free();
  flow.function = fun->funcdef_no;
  marks_each(fun, [](gimple_stmt_iterator *, unsigned record, uint32_t) {
    if (bit_of(record) < 0)
      flow.records.safe_push(record);
  });
  if (!flow.records.length())
    return;
  unsigned blocks = last_basic_block_for_fn(fun), bits = flow.records.length();
  flow.open_in = sbitmap_vector_alloc(blocks, bits);
  flow.open_out = sbitmap_vector_alloc(blocks, bits);
  flow.left_later_in = sbitmap_vector_alloc(blocks, bits);
  bitmap_vector_clear(flow.open_in, blocks);
  bitmap_vector_clear(flow.open_out, blocks);
  bitmap_vector_clear(flow.left_later_in, blocks);
  basic_block block;
  for (bool changed = true; changed;) {
    changed = false;
    FOR_EACH_BB_FN(block, fun)
    changed |= block_forward(block);
    FOR_EACH_BB_REVERSE_FN(block, fun)
    changed |= block_backward(block);
  }
}

/* The statement's text: the macro's call, and the register that the value is in. */
void mark_write(gasm *mark, const struct prof_candidate *facts, uint64_t key, const loop_record *record,
                uint32_t kind) {
  struct prof_text text = {}, escaped = {};
  prof_probe_add_loop(&text, facts, key, record->facts.key, kind, record->facts.line);
  prof_text_add_template(&escaped, prof_text_string(&text));
  prof_text_add(&escaped, kind & PROF_ROW_HAS_VALUE ? PROF_TARGET_REGISTER : "none");
  if (text.failed || escaped.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  mark->string = ggc_strdup(prof_text_string(&escaped));
  prof_text_fini(&text);
  prof_text_fini(&escaped);
}

bool has_key(vec<struct prof_candidate_loop> *loops, uint64_t key) {
  for (unsigned i = 0; i < loops->length(); i++)
    if ((*loops)[i].key == key)
      return true;
  return false;
}

/* Notes what became of the loops with marks.  Call it before the marks have their text. */
void fates_note(function *fun, const auto_vec<bool> &seen) {
  for (unsigned i = 0; i < seen.length(); i++) {
    auto_vec<basic_block> entries;
    if (!seen[i])
      continue;
    marks_each(fun, [&](gimple_stmt_iterator *at, unsigned record, uint32_t kind) {
      if (record == i && (kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LOOP_ENTRY)
        entries.safe_push(gsi_bb(*at));
    });
    if (entries.length())
      prof_loop_fate_note(fun, i, &entries);
  }
}

/* Collects facts of loops that have probes left, or are in one that has. */
void facts_collect(function *fun, const auto_vec<bool> &seen, vec<struct prof_candidate_loop> *loops) {
  for (unsigned i = 0; i < prof_loop_records.length(); i++) {
    const loop_record *record = &prof_loop_records[i];
    bool own = record->function == fun->funcdef_no;
    if (seen[i] || (own && record->facts.in_probed && has_key(loops, record->facts.parent)))
      loops->safe_push(record->facts);
  }
}

void listing_add(function *fun, const struct prof_candidate *facts) {
  struct prof_unit *unit = &prof_backend_unit;
  if (!unit->arguments.list_path)
    return;
  for (unsigned i = 0; i < prof_loop_records.length(); i++)
    if (prof_loop_records[i].function == fun->funcdef_no)
      prof_listing_add_loop(&unit->listing, facts, &prof_loop_records[i].facts, prof_loop_records[i].reason);
}

} // namespace

gasm *prof_loop_mark_new(unsigned record, uint32_t kind, tree value) {
  char text[48];
  vec<tree, va_gc> *inputs = NULL;
  snprintf(text, sizeof text, mark_format, record, kind);
  if (value)
    vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "r")), value));
  gasm *mark = gimple_build_asm_vec(ggc_strdup(text), inputs, NULL, NULL, NULL);
  gimple_asm_set_volatile(mark, true);
  return mark;
}

bool prof_loop_mark_read(gimple *statement, unsigned *record, uint32_t *kind) {
  gasm *mark = dyn_cast<gasm *>(statement);
  return mark && !strncmp(gimple_asm_string(mark), "prof loop ", 10) &&
         sscanf(gimple_asm_string(mark), mark_format, record, kind) == 2;
}

void prof_loops_landing(function *fun, basic_block block, bool at_end, auto_vec<gasm *> *probes) {
  if (flow.function != fun->funcdef_no)
    flow_compute(fun);
  if (!flow.records.length())
    return;
  auto_sbitmap inside(flow.records.length());
  if (at_end)
    left_later_out(block, inside);
  else
    bitmap_copy(inside, flow.left_later_in[block->index]);
  const sbitmap open = at_end ? flow.open_out[block->index] : flow.open_in[block->index];
  for (unsigned bit = 0; bit < flow.records.length(); bit++)
    if (bitmap_bit_p(open, bit) && !bitmap_bit_p(inside, bit))
      probes->safe_push(prof_loop_mark_new(flow.records[bit], PROF_PROBE_LOOP_EXIT | PROF_ROW_MAYBE, NULL_TREE));
}

void prof_loops_open_in(function *fun, basic_block block, bool first, vec<unsigned> *records) {
  if (first)
    flow_compute(fun);
  for (unsigned bit = 0; bit < flow.records.length(); bit++)
    if (bitmap_bit_p(flow.open_in[block->index], bit) && bitmap_bit_p(flow.left_later_in[block->index], bit))
      records->safe_push(flow.records[bit]);
}

void prof_loops_late(function *fun, const struct prof_candidate *facts, uint64_t key,
                     vec<struct prof_candidate_loop> *loops) {
  auto_vec<bool> seen;
  seen.safe_grow_cleared(prof_loop_records.length());
  marks_each(fun, [&](gimple_stmt_iterator *, unsigned record, uint32_t) { seen[record] = true; });
  fates_note(fun, seen);
  marks_each(fun, [&](gimple_stmt_iterator *at, unsigned record, uint32_t kind) {
    mark_write(as_a<gasm *>(gsi_stmt(*at)), facts, key, &prof_loop_records[record], kind);
  });
  facts_collect(fun, seen, loops);
  listing_add(fun, facts);
}

void prof_loops_remove(function *fun) {
  marks_each(fun, [](gimple_stmt_iterator *at, unsigned, uint32_t) { gsi_remove(at, true); });
}
