/*
 * loop_work.cc - finds the source loop of each piece of a function's final code.
 *
 * A piece in a loop of GCC's belongs to that loop's record: found by number, or for a copy (vectors, what is left
 * behind them) by place.  Code between an instrumented loop's entry and exits belongs to it, loop or not: GCC unrolls
 * loops, and puts code before and behind those that it makes vectors of.  The deeper of both is the one.
 */
#include "final_work.h"

#include "loops.h"

namespace {

/* Lies a place of the loop's own code in the lines of the record? */
bool is_around(const loop_record *record, class loop *loop) {
  bool found = false;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at) && !found; gsi_next(&at)) {
      expanded_location where = expand_location(gimple_location(gsi_stmt(at)));
      found = blocks[i]->loop_father == loop && where.file && !strcmp(where.file, record->facts.file) &&
              (uint32_t)where.line >= record->facts.line && (uint32_t)where.line <= record->facts.last_line;
    }
  free(blocks);
  return found;
}

/* The deepest record in whose lines the loop lies. */
int record_by_lines(function *fun, class loop *loop) {
  int found = -1;
  for (unsigned i = prof_loop_records_begin(fun); i < prof_loop_records.length(); i++)
    if (prof_loop_records[i].facts.line && is_around(&prof_loop_records[i], loop) &&
        (found < 0 || prof_loop_records[i].facts.depth > prof_loop_records[found].facts.depth))
      found = i;
  return found;
}

int record_by_place(function *fun, class loop *loop) {
  struct prof_candidate_loop place = {};
  prof_loop_place(loop, &place);
  for (unsigned i = prof_loop_records_begin(fun); place.line && i < prof_loop_records.length(); i++)
    if (prof_loop_records[i].facts.line == place.line && !strcmp(prof_loop_records[i].facts.file, place.file) &&
        !strcmp(prof_loop_records[i].facts.source_function, place.source_function))
      return i;
  return -1;
}

int deeper(int a, int b) {
  if (a < 0 || b < 0)
    return MAX(a, b);
  return prof_loop_records[a].facts.depth >= prof_loop_records[b].facts.depth ? a : b;
}

} // namespace

prof_work_loops::prof_work_loops(function *of) : fun(of), owns_loops(!loops_for_fn(of)), around(-1) {
  if (owns_loops)
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  else if (loops_state_satisfies_p(LOOPS_NEED_FIXUP)) {
    calculate_dominance_info(CDI_DOMINATORS);
    fix_loop_structure(NULL);
  }
  for (unsigned i = 0; i < number_of_loops(fun); i++)
    records.safe_push(-2);
  auto_vec<unsigned> none;
  prof_loops_open_in(fun, single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)), true, &none);
}

prof_work_loops::~prof_work_loops() {
  if (owns_loops)
    loop_optimizer_finalize();
}

int prof_work_loops::mapped(class loop *loop) {
  if (!loop || !loop_outer(loop))
    return -1;
  int *record = &records[loop->num];
  if (*record != -2)
    return *record;
  int found = prof_loop_record_find(loop);
  if (found < 0 || prof_loop_records[found].function != fun->funcdef_no)
    found = record_by_place(fun, loop);
  if (found < 0)
    found = record_by_lines(fun, loop);
  records[loop->num] = found = found < 0 ? mapped(loop_outer(loop)) : found;
  return found;
}

void prof_work_loops::block_begin(basic_block block) {
  open.truncate(0);
  prof_loops_open_in(fun, block, false, &open);
  around = mapped(block->loop_father);
}

void prof_work_loops::pass(gimple *statement) {
  unsigned record;
  uint32_t kind;
  if (!prof_loop_mark_read(statement, &record, &kind))
    return;
  for (unsigned i = open.length(); i > 0; i--)
    if (open[i - 1] == record)
      open.unordered_remove(i - 1);
  if ((kind & PROF_ROW_KIND_MASK) == PROF_PROBE_LOOP_ENTRY)
    open.safe_push(record);
}

uint64_t prof_work_loops::key() const {
  int found = around;
  for (unsigned i = 0; i < open.length(); i++)
    found = deeper(found, open[i]);
  return found < 0 ? 0 : prof_loop_records[found].facts.key;
}
