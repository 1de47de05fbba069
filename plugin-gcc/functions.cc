/*
 * functions.cc - finds the entries, exits and landings of one function, and puts probes there.
 *
 * A pass after `optimized`: GIMPLE is final, inlining is done, tail calls are marked but not expanded.  It runs at
 * every level and in the LTO back end.
 *
 * Exits: before a return; before a tail call (GCC would drop a probe behind it, and without the tail call a deep
 * recursion would overflow the stack); before the unwinder resumes, and before __builtin_return.  If tail calls and
 * other edges lead to a return block, its probe stands on the other edges.  Landed: at landing pads, receivers of
 * nonlocal gotos, and behind calls that return twice.  Calls that don't return need no probe.
 */
#include "compat.h"

#include "final_work.h"
#include "loops.h"
#include "twice.h"
#include "values.h"

namespace {

/* State while one function gets its probes. */
struct probing {
  function *fun;
  bool has_times; /* has LINEs */
  struct prof_candidate facts;
  auto_vec<struct prof_candidate_loop> loops;
  uint64_t key;
  auto_vec<gcall *> tail_calls;
  auto_vec<gcall *> broken_tail_calls; /* marked as such, but a probe would be lost */
  auto_vec<basic_block> tail_blocks;   /* empty blocks between a tail call and the function's end */
  auto_vec<gimple *> before_exit;      /* statements that get an EXIT before them */
  auto_vec<gimple *> after_twice;      /* calls that return twice, and receivers of __builtin_longjmp */
  auto_vec<basic_block> landings;      /* blocks that begin with a landing */
};

/*
 * The statement of one probe.  `location` is for the facts only; the statement has no line: it would move a debugger's
 * breakpoints, and GCC would write the file's name unquoted into the assembler text.
 */
gasm *probe_new(probing *state, uint32_t kind, location_t location) {
  struct prof_unit *unit = &prof_backend_unit;
  struct prof_text text = {}, escaped = {};
  uint32_t line = LOCATION_LINE(location);
  if (kind == PROF_PROBE_EXIT && state->has_times)
    kind |= PROF_ROW_ENDS_LINE;
  if (!line)
    line = (kind & PROF_ROW_KIND_MASK) == PROF_PROBE_EXIT ? LOCATION_LINE(state->fun->function_end_locus)
                                                          : state->facts.line;
  prof_probe_add(&text, &state->facts, state->key, kind, line);
  if ((kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY)
    prof_probe_add_facts(&text, unit, &state->facts, state->key, state->loops.address(), state->loops.length());
  prof_text_add_template(&escaped, prof_text_string(&text));
  if (text.failed || escaped.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  gasm *probe = gimple_build_asm_vec(ggc_strdup(prof_text_string(&escaped)), NULL, NULL, NULL, NULL);
  gimple_asm_set_volatile(probe, true);
  prof_text_fini(&text);
  prof_text_fini(&escaped);
  return probe;
}

prof_valued valued(const probing *state) {
  return {&state->facts, state->key};
}

/* A statement that makes no code of its own. */
bool is_silent(gimple *statement) {
  return is_gimple_debug(statement) || gimple_clobber_p(statement) || gimple_code(statement) == GIMPLE_LABEL ||
         gimple_code(statement) == GIMPLE_NOP || gimple_code(statement) == GIMPLE_PREDICT;
}

/* Is it a copy or conversion of a register?  These may stand between a tail call and the return of its value. */
bool is_register_copy(gimple *statement) {
  return (gimple_assign_single_p(statement) || gimple_assign_cast_p(statement)) &&
         is_gimple_reg(gimple_assign_lhs(statement)) && !gimple_vuse(statement);
}

/*
 * Does only the function's return follow `call`?  The pass that set the mark has checked the returned value.  This
 * check is for probes: GCC drops everything behind the call.  *way: the blocks behind the call's own.
 */
bool is_followed_by_return(gcall *call, auto_vec<basic_block> *way) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  basic_block block = gimple_bb(call);
  gsi_next(&at);
  for (;;) {
    for (; !gsi_end_p(at); gsi_next(&at)) {
      if (gimple_code(gsi_stmt(at)) == GIMPLE_RETURN)
        return true;
      if (!is_silent(gsi_stmt(at)) && !is_register_copy(gsi_stmt(at)))
        return false;
    }
    if (!single_succ_p(block) || (single_succ_edge(block)->flags & (EDGE_ABNORMAL | EDGE_EH)))
      return false;
    block = single_succ(block);
    if (block == EXIT_BLOCK_PTR_FOR_FN(cfun))
      return true;
    if (way->contains(block))
      return false;
    way->safe_push(block);
    at = gsi_start_bb(block);
  }
}

bool has_abnormal_entry(basic_block block) {
  edge entry;
  edge_iterator i;
  FOR_EACH_EDGE(entry, i, block->preds)
  if (entry->flags & (EDGE_ABNORMAL | EDGE_EH))
    return true;
  return false;
}

/* Notes `call` if it is a tail call.  If a probe could be lost, it becomes an ordinary call. */
bool tail_call_take(probing *state, gcall *call) {
  auto_vec<basic_block> way;
  if (!gimple_call_tail_p(call))
    return false;
  bool good = is_followed_by_return(call, &way);
  for (unsigned i = 0; good && i < way.length(); i++)
    good = !has_abnormal_entry(way[i]);
  if (!good) {
    state->broken_tail_calls.safe_push(call);
    return false;
  }
  for (unsigned i = 0; i < way.length(); i++)
    if (!state->tail_blocks.contains(way[i]))
      state->tail_blocks.safe_push(way[i]);
  state->tail_calls.safe_push(call);
  state->before_exit.safe_push(call);
  return true;
}

bool is_landing(basic_block block) {
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    glabel *label = dyn_cast<glabel *>(gsi_stmt(at));
    if (!label)
      return false;
    if (EH_LANDING_PAD_NR(gimple_label_label(label)) || DECL_NONLOCAL(gimple_label_label(label)))
      return true;
  }
  return false;
}

/* Is it a call that leaves the function without a return? */
bool leaves_function(gcall *call) {
  static const built_in_function rows[] = {BUILT_IN_UNWIND_RESUME, BUILT_IN_CXA_END_CLEANUP, BUILT_IN_RETURN,
                                           BUILT_IN_EH_RETURN};
  for (built_in_function row : rows)
    if (gimple_call_builtin_p(call, row))
      return true;
  return false;
}

/* GCC recognises setjmp and the like by their declarations' names; this function also by the symbol's name. */
bool returns_twice(gcall *call) {
  tree called = gimple_call_fndecl(call);
  if (gimple_call_flags(call) & ECF_RETURNS_TWICE || gimple_call_builtin_p(call, BUILT_IN_SETJMP_RECEIVER))
    return true;
  return called && DECL_EXTERNAL(called) && !gimple_call_tail_p(call) && DECL_ASSEMBLER_NAME_SET_P(called) &&
         prof_name_returns_twice(targetm.strip_name_encoding(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(called))));
}

/* Notes the probes that a statement needs.  Returns 1 for a statement that counts, else 0. */
unsigned statement_scan(probing *state, gimple *statement) {
  if (is_silent(statement) || prof_times_is_mark(statement))
    return 0;
  gcall *call = dyn_cast<gcall *>(statement);
  if (!call)
    return 1;
  if (!gimple_inexpensive_call_p(call))
    state->facts.flags &= ~PROF_FUNCTION_LEAF;
  if (leaves_function(call))
    state->before_exit.safe_push(call);
  else if (returns_twice(call))
    state->after_twice.safe_push(call);
  else if (!gimple_call_noreturn_p(call) && tail_call_take(state, call))
    state->facts.flags |= PROF_FUNCTION_TAIL_CALLS;
  return 1;
}

void function_scan(probing *state) {
  basic_block block;
  state->facts.flags |= PROF_FUNCTION_LEAF;
  FOR_EACH_BB_FN(block, state->fun) {
    if (is_landing(block))
      state->landings.safe_push(block);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      state->facts.statements += statement_scan(state, gsi_stmt(at));
  }
  if (state->landings.length() || state->after_twice.length())
    state->facts.flags |= PROF_FUNCTION_LANDS;
}

/* A return right behind a tail call in the same block is never reached. */
bool block_has_tail_call(probing *state, basic_block block) {
  for (unsigned i = 0; i < state->tail_calls.length(); i++)
    if (gimple_bb(state->tail_calls[i]) == block)
      return true;
  return false;
}

void exits_collect(probing *state) {
  edge way;
  edge_iterator i;
  FOR_EACH_EDGE(way, i, EXIT_BLOCK_PTR_FOR_FN(state->fun)->preds) {
    gimple_stmt_iterator last = gsi_last_nondebug_bb(way->src);
    if (gsi_end_p(last) || gimple_code(gsi_stmt(last)) != GIMPLE_RETURN)
      continue;
    if (!state->tail_blocks.contains(way->src) && !block_has_tail_call(state, way->src))
      state->before_exit.safe_push(gsi_stmt(last));
  }
}

/* Puts EXITs on edges into the blocks of tail calls, unless the edge comes from a tail call. */
void exits_put_on_edges(probing *state) {
  for (unsigned n = 0; n < state->tail_blocks.length(); n++) {
    edge way;
    edge_iterator i;
    FOR_EACH_EDGE(way, i, state->tail_blocks[n]->preds)
    if (!state->tail_blocks.contains(way->src) && !block_has_tail_call(state, way->src)) {
      prof_valued of = valued(state);
      if (gimple_seq values = prof_values_returned_on_edge(&of, state->fun, way))
        gsi_insert_seq_on_edge(way, values);
      gsi_insert_on_edge(way, probe_new(state, PROF_PROBE_EXIT, way->goto_locus));
    }
  }
}

void exits_put(probing *state) {
  for (unsigned i = 0; i < state->broken_tail_calls.length(); i++)
    gimple_call_set_tail(state->broken_tail_calls[i], false);
  exits_collect(state);
  for (unsigned i = 0; i < state->before_exit.length(); i++) {
    gimple_stmt_iterator at = gsi_for_stmt(state->before_exit[i]);
    prof_valued of = valued(state);
    if (gimple_seq values = prof_values_returned(&of, state->fun, state->before_exit[i]))
      gsi_insert_seq_before(&at, values, GSI_SAME_STMT);
    gsi_insert_before(&at, probe_new(state, PROF_PROBE_EXIT, gimple_location(state->before_exit[i])), GSI_SAME_STMT);
  }
  exits_put_on_edges(state);
}

/* Puts a LANDED and the exits of loops that control may have left, on `next` or before `at`. */
void landing_put(probing *state, basic_block block, bool at_end, location_t location, edge next,
                 gimple_stmt_iterator at) {
  auto_vec<gasm *> probes;
  probes.safe_push(probe_new(state, PROF_PROBE_LANDED, location));
  prof_loops_landing(state->fun, block, at_end, &probes);
  for (unsigned i = 0; i < probes.length(); i++)
    if (next)
      gsi_insert_on_edge(next, probes[i]);
    else
      gsi_insert_before(&at, probes[i], GSI_SAME_STMT);
}

void landings_put(probing *state) {
  for (unsigned i = 0; i < state->landings.length(); i++)
    landing_put(state, state->landings[i], false, UNKNOWN_LOCATION, NULL, gsi_after_labels(state->landings[i]));
  for (unsigned i = 0; i < state->after_twice.length(); i++) {
    gimple *call = state->after_twice[i];
    gimple_stmt_iterator at = gsi_for_stmt(call);
    edge next = stmt_ends_bb_p(call) ? find_fallthru_edge(gimple_bb(call)->succs) : NULL;
    if (stmt_ends_bb_p(call) && !next)
      continue;
    gsi_next(&at);
    landing_put(state, gimple_bb(call), true, gimple_location(call), next, at);
  }
}

void entry_put(probing *state) {
  uint32_t kind = PROF_PROBE_ENTRY;
  if (state->facts.flags & PROF_FUNCTION_LANDS)
    kind |= PROF_ROW_WANTS_FRAME;
  edge way = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(state->fun));
  gsi_insert_on_edge(way, probe_new(state, kind, UNKNOWN_LOCATION));
  prof_valued of = valued(state);
  if (gimple_seq values = prof_values_entered(&of, state->fun))
    gsi_insert_seq_on_edge(way, values);
}

/*
 * The symbol that rows and facts are linked to.  Without -ffunction-sections the functions of one kind share a text
 * section (see default_function_section in GCC's varasm.c), so the first one is the symbol of all.
 */
const char *anchor_of(function *fun, const char *name) {
  static char *anchors[4 * 8]; /* never freed: one compiler process is one unit */
  tree declaration = fun->decl;
  const cgraph_node *node = cgraph_node::get(declaration);
  basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun));
  if (probably_never_executed_bb_p(fun, first)) /* its symbol may lie in the cold section */
    return name;
  if (flag_function_sections || !node || DECL_SECTION_NAME(declaration) || DECL_COMDAT_GROUP(declaration))
    return name;
  unsigned kind = node->frequency & 3;
  kind = kind * 2 + node->only_called_at_startup;
  kind = kind * 2 + node->only_called_at_exit;
  kind = kind * 2 + (opt_for_fn(declaration, flag_reorder_functions) != 0);
  if (!anchors[kind])
    anchors[kind] = xstrdup(name);
  return anchors[kind];
}

void macros_write_once() {
  struct prof_unit *unit = &prof_backend_unit;
  if (unit->probed_functions++)
    return;
  struct prof_text text = {};
  prof_probe_macros(&text, unit->arch);
  if (text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  fputs(prof_text_string(&text), asm_out_file);
  prof_text_fini(&text);
}

void function_probe(function *fun) {
  struct prof_unit *unit = &prof_backend_unit;
  struct prof_description description;
  probing state;
  prof_description_init(&description, fun);
  state.facts = description.facts;
  state.fun = fun;
  state.has_times = false;
  function_scan(&state);
  if (prof_unit_decide(unit, &state.facts) == PROF_REASON_PROBED) {
    state.facts.anchor = anchor_of(fun, state.facts.assembler_name);
    macros_write_once();
    unit->has_counts = prof_counts_are_there() || unit->arguments.flops == PROF_FLOPS_COUNT;
    state.key = prof_facts_key(unit->seed, &state.facts);
    state.has_times = prof_times_are_own(fun, &state.facts);
    prof_loops_early(fun);
    exits_put(&state);
    landings_put(&state);
    gsi_commit_edge_inserts();
    if (unit->arguments.flops == PROF_FLOPS_COUNT)
      prof_work_count(fun, state.key);
    prof_loops_late(fun, &state.facts, state.key, &state.loops);
    entry_put(&state);
    gsi_commit_edge_inserts();
    if (need_ssa_update_p(fun))
      update_ssa(TODO_update_ssa_only_virtuals);
    if (state.has_times)
      prof_times_put(fun, &state.facts, state.key);
  } else {
    prof_loops_remove(fun);
  }
  if (!state.has_times)
    prof_times_remove(fun);
  prof_description_fini(&description);
}

const pass_data functions_pass_data = {GIMPLE_PASS, "prof", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct functions_pass : gimple_opt_pass {
  functions_pass() : gimple_opt_pass(functions_pass_data, g) {}
  opt_pass *clone() override { return new functions_pass; }
  bool gate(function *) override { return prof_backend_unit.arch && asm_out_file; }
  unsigned execute(function *fun) override {
    function_probe(fun);
    return 0;
  }
};

} // namespace

opt_pass *prof_functions_pass_new(void) {
  return new functions_pass;
}
