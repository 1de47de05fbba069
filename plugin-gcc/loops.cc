/*
 * loops.cc - the loops of one function: records them, chooses those that get probes, and runs the pass that puts
 * probes.
 *
 * The pass runs before `loop`: loops are the user's (inlined, rotated), and GCC transforms them later inside their
 * probes.  If that pass doesn't run (-O0, -Og), the same is done at the end.
 */
#include "loops.h"

vec<loop_record> prof_loop_records;
bool prof_loops_annotated;

namespace {

unsigned first_record; /* of the current function */
int current_function = -1;

bool is_annotated(tree declaration, const char *attribute) {
  return declaration && lookup_attribute(attribute, DECL_ATTRIBUTES(declaration));
}

/* Is this loop, on `line`, the first and outermost of `origin` behind the line of a pragma? */
bool is_first_behind(uint32_t pragma, class loop *loop, tree origin, uint32_t line) {
  for (unsigned i = 1; i < number_of_loops(cfun); i++) {
    struct prof_candidate_loop place = {};
    class loop *other = get_loop(cfun, i);
    if (!other || other == loop || !other->header || prof_loop_place(other, &place) != origin)
      continue;
    if (place.line > pragma && (place.line < line || (place.line == line && flow_loop_nested_p(other, loop))))
      return false;
  }
  return true;
}

/* `#pragma prof loop` stored its line in the function's attribute; it selects the next loop within a few lines. */
bool has_pragma(tree declaration, class loop *loop, tree origin, uint32_t line) {
  enum { LINES = 4 };
  tree attribute = declaration ? lookup_attribute(PROF_LOOP_LINE_ATTRIBUTE, DECL_ATTRIBUTES(declaration)) : NULL_TREE;
  for (; attribute; attribute = lookup_attribute(PROF_LOOP_LINE_ATTRIBUTE, TREE_CHAIN(attribute))) {
    uint64_t pragma = tree_to_uhwi(TREE_VALUE(TREE_VALUE(attribute)));
    if (line > pragma && line <= pragma + LINES && is_first_behind(pragma, loop, origin, line))
      return true;
  }
  return false;
}

/* Calls and statements of the loop's body. */
void body_measure(class loop *loop, struct prof_candidate_loop *facts) {
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(blocks[i]); !gsi_end_p(at); gsi_next_nondebug(&at)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
      facts->has_calls |= call && !gimple_call_internal_p(call) && !gimple_inexpensive_call_p(call);
      facts->statements += gimple_code(gsi_stmt(at)) != GIMPLE_LABEL && !gimple_clobber_p(gsi_stmt(at));
    }
  free(blocks);
}

unsigned exits_count(class loop *loop) {
  auto exits = get_loop_exit_edges(loop);
  unsigned count = exits.length();
  exits.release();
  return count;
}

/* Can the edge into the loop hold a probe? */
bool has_entry_edge(class loop *loop) {
  if (!loop->latch || !loop->header)
    return false;
  edge way;
  edge_iterator i;
  unsigned entries = 0;
  FOR_EACH_EDGE(way, i, loop->header->preds) {
    if (way->flags & (EDGE_ABNORMAL | EDGE_EH))
      return false;
    entries += way->src != loop->latch;
  }
  return entries == 1 && EDGE_COUNT(loop->header->preds) == 2;
}

struct describing {
  function *fun;
  uint64_t key;
  uint32_t ordinal;
};

void loop_describe(describing *state, class loop *loop, const struct prof_candidate_loop *parent) {
  loop_record record = {};
  struct prof_candidate_loop *facts = &record.facts;
  tree origin = prof_loop_place(loop, facts);
  facts->key = prof_facts_loop_key(state->key, state->ordinal++);
  facts->parent = parent ? parent->key : 0;
  facts->depth = parent ? parent->depth + 1 : loop_depth(loop);
  facts->has_inner = prof_loop_part_innermost(loop)->inner != NULL || (loop->inner && loop->inner->next);
  facts->exits = exits_count(loop);
  facts->has_no_edge = !has_entry_edge(loop);
  body_measure(loop, facts);
  if (!facts->has_no_edge)
    prof_loop_count_known(loop, facts);
  facts->annotated = is_annotated(state->fun->decl, "prof_loops") || is_annotated(origin, "prof_loops") ||
                     has_pragma(origin ? origin : state->fun->decl, loop, origin, facts->line);
  facts->nest_is_asked_for = parent && (parent->annotated || parent->nest_is_asked_for);
  facts->nest_has_calls = parent && (parent->nest_has_calls || parent->has_calls);
  facts->in_probed = parent && (parent->in_probed || (parent->flags & PROF_LOOP_PROBED));
  record.reason = prof_loop_select(&prof_backend_unit.arguments, facts);
  if (record.reason == PROF_LOOP_REASON_PROBED)
    facts->flags |= PROF_LOOP_PROBED;
  record.function = state->fun->funcdef_no;
  record.number = loop->num;
  record.had_vectors = prof_loop_has_vectors(loop);
  prof_loop_records.safe_push(record);
  const struct prof_candidate_loop own = *facts;
  for (class loop *part = loop; part; part = prof_loop_part_in(part))
    for (class loop *inner = part->inner; inner; inner = inner->next)
      if (inner != prof_loop_part_in(part))
        loop_describe(state, inner, &own);
}

/* Inner loops first, so that on a common edge out of both the inner one ends first. */
bool probes_put(class loop *loop) {
  bool any = false;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    any |= probes_put(inner);
  int record = prof_loop_record_find(loop);
  if (record < 0 || prof_loop_records[record].reason != PROF_LOOP_REASON_PROBED)
    return any;
  prof_loop_probes_put(loop, record);
  return true;
}

void loops_describe(function *fun, uint64_t key) {
  describing state = {fun, key, 0};
  for (class loop *loop = loops_for_fn(fun)->tree_root->inner; loop; loop = loop->next)
    loop_describe(&state, loop, NULL);
}

void function_loops(function *fun) {
  struct prof_description description;
  prof_description_init(&description, fun);
  description.facts.statements = UINT_MAX; /* not known yet; prof_loops_remove may follow */
  if (prof_select(&prof_backend_unit.arguments, &description.facts) == PROF_REASON_PROBED) {
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    scev_initialize();
    calculate_dominance_info(CDI_DOMINATORS);
    prof_loop_parts_note_once(fun);
    loops_describe(fun, prof_facts_key(prof_backend_unit.seed, &description.facts));
    bool any = false;
    for (class loop *loop = loops_for_fn(fun)->tree_root->inner; loop; loop = loop->next)
      any |= probes_put(loop);
    scev_finalize();
    gsi_commit_edge_inserts();
    if (any)
      update_ssa(TODO_update_ssa);
    loop_optimizer_finalize();
  }
  prof_description_fini(&description);
}

const pass_data loops_pass_data = {GIMPLE_PASS, "prof_loops", OPTGROUP_LOOP, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct loops_pass : gimple_opt_pass {
  loops_pass() : gimple_opt_pass(loops_pass_data, g) {}
  opt_pass *clone() override { return new loops_pass; }
  bool gate(function *fun) override { return prof_backend_unit.arch && asm_out_file && prof_loops_are_wanted(fun); }
  unsigned execute(function *fun) override {
    prof_loops_early(fun);
    return 0;
  }
};

} // namespace

bool prof_loops_are_wanted(function *fun) {
  if (number_of_loops(fun) <= 1)
    return false;
  if (prof_backend_unit.arguments.loops != PROF_LOOPS_NONE)
    return true;
  if (in_lto_p) /* attributes of inlined functions have no effect */
    return is_annotated(fun->decl, "prof_loops") || is_annotated(fun->decl, PROF_LOOP_LINE_ATTRIBUTE);
  return prof_loops_annotated;
}

int prof_loop_record_find(class loop *loop) {
  for (unsigned i = first_record; i < prof_loop_records.length(); i++)
    if (prof_loop_records[i].number == loop->num)
      return i;
  return -1;
}

unsigned prof_loop_records_begin(function *fun) {
  return current_function == fun->funcdef_no ? first_record : prof_loop_records.length();
}

void prof_loops_early(function *fun) {
  if (current_function == fun->funcdef_no)
    return;
  current_function = fun->funcdef_no;
  first_record = prof_loop_records.length();
  if (prof_loops_are_wanted(fun))
    function_loops(fun);
}

opt_pass *prof_loops_pass_new(void) {
  return new loops_pass;
}
