/*
 * work_counts.cc - flops=count: counts how often each piece of a function's final code runs (wire/work.h).
 *
 * At the end of the passes, so that GCC optimises as without counters.  A piece is a part of a block with the same loop
 * and without a call that may not return.  Its counter stands before its first statement that computes or goes to
 * memory.  GCC changes blocks later (it copies them, and those without a counter may become straight code), but an
 * asm statement stays with the block.
 */
#include "final_work.h"

#include "backend.h"
#include "counts.h"

namespace {

struct prof_text unit_text; /* objects of the unit */
unsigned object_count;

struct working {
  struct prof_work_function function;
  auto_vec<gimple *> firsts; /* by piece: its first statement with work */
};

/* May control not come to the statement behind it? */
bool ends_piece(gimple *statement) {
  gcall *call = dyn_cast<gcall *>(statement);
  return call && !gimple_call_internal_p(call) && !gimple_inexpensive_call_p(call);
}

void piece_end(working *state, uint64_t loop, struct prof_work *work, gimple **first) {
  if (*first) {
    prof_work_piece_add(&state->function, loop, work);
    state->firsts.safe_push(*first);
  }
  *work = {};
  *first = NULL;
}

void block_take(working *state, prof_work_loops *loops, basic_block block) {
  struct prof_work work = {};
  gimple *first = NULL;
  loops->block_begin(block);
  uint64_t loop = loops->key();
  for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at); gsi_next_nondebug(&at)) {
    gimple *statement = gsi_stmt(at);
    struct prof_work more = {};
    prof_work_of_statement(statement, &more);
    if (prof_work_is_any(&more) && !first)
      first = statement;
    prof_work_add(&work, &more);
    loops->pass(statement);
    if (ends_piece(statement) || loops->key() != loop)
      piece_end(state, loop, &work, &first);
    loop = loops->key();
  }
  piece_end(state, loop, &work, &first);
}

gasm *step_new(unsigned counter) {
  const struct prof_arch *arch = prof_backend_unit.arch;
  char label[32];
  struct prof_text text = {};
  snprintf(label, sizeof label, PROF_WORK_LABEL "%u", object_count);
  prof_text_format(&text, prof_target_is_other_dialect() ? arch->work_step_other : arch->work_step, label,
                   8 * (PROF_WORK_FIRST_COUNTER + counter), PROF_COUNTS_SWITCH);
  vec<tree, va_gc> *outputs = NULL;
  tree address = make_ssa_name(long_unsigned_type_node);
  vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=r")), address));
  if (text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  gasm *step = gimple_build_asm_vec(ggc_strdup(prof_text_string(&text)), NULL, outputs, NULL, NULL);
  gimple_asm_set_volatile(step, true);
  prof_text_fini(&text);
  return step;
}

} // namespace

void prof_work_count(function *fun, uint64_t key) {
  working state = {};
  state.function.key = key;
  basic_block block;
  {
    prof_work_loops loops(fun);
    FOR_EACH_BB_FN(block, fun)
    block_take(&state, &loops, block);
  }
  for (unsigned i = 0; i < state.firsts.length(); i++) {
    gimple_stmt_iterator at = gsi_for_stmt(state.firsts[i]);
    gsi_insert_before(&at, step_new(i), GSI_SAME_STMT);
  }
  if (state.firsts.length())
    prof_work_add_object(&unit_text, &state.function, object_count++);
  if (state.function.failed || unit_text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  prof_work_fini(&state.function);
}

const char *prof_work_text(void) {
  if (prof_backend_unit.arguments.flops == PROF_FLOPS_COUNT && !prof_counts_are_there())
    prof_work_add_switch(&unit_text);
  return prof_text_string(&unit_text);
}
