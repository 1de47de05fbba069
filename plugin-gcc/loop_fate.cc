/*
 * loop_fate.cc - finds what the compiler made of a loop: vectorised, or removed.
 *
 * Vectors: looks in the loop with GCC's number.  Still a loop: looks at the blocks between entry and exits, because
 * passes that move tests give loops new numbers.
 */
#include "loops.h"

namespace {

bool has_exit(basic_block block, unsigned record) {
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    unsigned other;
    uint32_t kind;
    if (prof_loop_mark_read(gsi_stmt(at), &other, &kind) && other == record &&
        (kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LOOP_EXIT)
      return true;
  }
  return false;
}

struct region {
  auto_vec<basic_block> blocks;
  auto_vec<int> entries; /* edges from the region into the block, by its index; -1: not in the region */
};

/* `way` leads into the region. */
void region_add(region *all, edge way) {
  int *entries = &all->entries[way->dest->index];
  if (*entries < 0) {
    *entries = 0;
    all->blocks.safe_push(way->dest);
  }
}

/* Finds the blocks between an instrumented loop's entries, in `entry_blocks`, and its exits. */
void region_find(function *fun, const vec<basic_block> *entry_blocks, unsigned record, region *all) {
  edge way;
  edge_iterator i;
  all->entries.safe_grow(last_basic_block_for_fn(fun));
  for (unsigned n = 0; n < all->entries.length(); n++)
    all->entries[n] = -1;
  for (unsigned n = 0; n < entry_blocks->length(); n++)
    FOR_EACH_EDGE(way, i, (*entry_blocks)[n]->succs)
  region_add(all, way);
  for (unsigned n = 0; n < all->blocks.length(); n++) {
    if (has_exit(all->blocks[n], record))
      continue;
    FOR_EACH_EDGE(way, i, all->blocks[n]->succs) {
      region_add(all, way);
      all->entries[way->dest->index]++;
    }
  }
}

/* Removes blocks without predecessors in the region, until there is none (A. B. Kahn 1962); a cycle remains. */
bool region_has_cycle(region *all, unsigned record) {
  auto_vec<basic_block> free;
  unsigned left = all->blocks.length();
  edge way;
  edge_iterator i;
  for (unsigned n = 0; n < all->blocks.length(); n++)
    if (all->entries[all->blocks[n]->index] == 0)
      free.safe_push(all->blocks[n]);
  while (free.length()) {
    basic_block block = free.pop();
    left--;
    if (has_exit(block, record))
      continue;
    FOR_EACH_EDGE(way, i, block->succs)
    if (--all->entries[way->dest->index] == 0)
      free.safe_push(way->dest);
  }
  return left > 0;
}

bool is_vector(gimple *statement) {
  tree left = gimple_get_lhs(statement);
  return left && VECTOR_TYPE_P(TREE_TYPE(left));
}

bool is_vector_access(gimple *statement) {
  return is_vector(statement) && (gimple_vdef(statement) || gimple_vuse(statement));
}

/* Does it hold for a statement of the loop, inner loops excluded? */
bool has_statement(class loop *loop, bool (*is_wanted)(gimple *)) {
  bool found = false;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && !found; gsi_next(&at))
      found = blocks[i]->loop_father == loop && is_wanted(gsi_stmt(at));
  free(blocks);
  return found;
}

/* A loop around a vectorised one has the code before and after its vectors.  So it is vectorised only if it reads or
 * writes vectors itself. */
bool is_vectorised(class loop *loop) {
  return has_statement(loop, loop->inner ? is_vector_access : is_vector);
}

/* Compares the number.  GCC's copy of a loop has another number but the same place. */
bool is_of(const loop_record *record, class loop *loop, const struct prof_candidate_loop *place) {
  return record->number == loop->num || (place->line && record->facts.line == place->line && record->facts.file &&
                                         place->file && !strcmp(record->facts.file, place->file));
}

void vectors_note(function *fun) {
  unsigned first = prof_loop_records_begin(fun);
  if (!loops_for_fn(fun) || first == prof_loop_records.length())
    return;
  for (unsigned n = 1; n < number_of_loops(fun); n++) {
    class loop *loop = get_loop(fun, n);
    struct prof_candidate_loop place = {};
    if (!loop || !loop->header || !loop->latch || !is_vectorised(loop))
      continue;
    if (prof_loop_record_find(loop) < 0)
      prof_loop_place(loop, &place);
    for (unsigned i = first; i < prof_loop_records.length(); i++)
      if (!prof_loop_records[i].had_vectors && is_of(&prof_loop_records[i], loop, &place))
        prof_loop_records[i].facts.flags |= PROF_LOOP_VECTORISED;
  }
}

const pass_data vectorised_pass_data = {
    GIMPLE_PASS, "*prof_vectorised", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

/* Runs after `vect`, because a vectorised loop of few iterations may be unrolled completely later. */
struct vectorised_pass : gimple_opt_pass {
  vectorised_pass() : gimple_opt_pass(vectorised_pass_data, g) {}
  opt_pass *clone() override { return new vectorised_pass; }
  unsigned execute(function *fun) override {
    vectors_note(fun);
    return 0;
  }
};

} // namespace

bool prof_loop_has_vectors(class loop *loop) {
  return has_statement(loop, is_vector);
}

void prof_loop_fate_note(function *fun, unsigned record, const vec<basic_block> *entry_blocks) {
  region all;
  region_find(fun, entry_blocks, record, &all);
  if (!region_has_cycle(&all, record))
    prof_loop_records[record].facts.flags |= PROF_LOOP_GONE;
}

opt_pass *prof_loops_vectorised_pass_new(void) {
  return new vectorised_pass;
}
