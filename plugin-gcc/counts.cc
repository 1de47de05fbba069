/*
 * counts.cc - lines=count: adds counters of a function's arcs, and the object that describes them (wire/counts.h).
 *
 * A pass at the end of lowering: the function has blocks but isn't optimised.  So its blocks are the source's at every
 * level, and inlined copies use the same counters.  The compiler may optimise around counters as around any store of an
 * asm statement.
 *
 * Nodes end at calls that may not return (exit, longjmp, an exception): code behind them is counted separately.
 * Abnormal and exception edges can't hold counters; arcs from ENTRY and to EXIT replace them, as in GCC's own
 * profiling, so that the figures are equal.
 */
#include "compat.h"

#include "backend.h"
#include "blocks.h"
#include "flow.h"

namespace {

/* Place of an arc's counter: on an edge, behind a statement, or before the first one of a block. */
struct spot {
  edge way;
  gimple *after;
  basic_block at_start;
};

/* A jump on an edge with a line of its own. */
struct jump {
  edge way;
  uint32_t node;
};

struct counting {
  function *fun;
  struct prof_flow flow;
  auto_vec<spot> spots;      /* by arc */
  auto_vec<uint32_t> firsts; /* by block index: its first node */
  auto_vec<uint32_t> lasts;  /* by block index: its last node */
  auto_vec<jump> jumps;
  hash_set<int_hash<location_t, UNKNOWN_LOCATION>> seen;
};

void arc_add(counting *state, uint32_t from, uint32_t to, enum prof_arc_cost cost, spot where) {
  prof_flow_arc(&state->flow, from, to, cost);
  state->spots.safe_push(where);
}

bool goes_abnormally(basic_block block) {
  edge way;
  edge_iterator i;
  FOR_EACH_EDGE(way, i, block->succs)
  if (prof_edge_is_replaced(way))
    return true;
  return false;
}

/* The path as in debug information: absolute, after -ffile-prefix-map.  Kept for the unit. */
const char *path_of(const char *given) {
  static hash_map<nofree_string_hash, const char *> paths;
  const char *&path = paths.get_or_insert(given);
  if (!path) {
    const char *folder = get_src_pwd();
    path = remap_debug_filename(given);
    if (!IS_ABSOLUTE_PATH(path) && folder)
      path = concat(remap_debug_filename(folder), "/", path, NULL);
  }
  return path;
}

/* Adds a place to the newest node. */
void place_note(counting *state, location_t location) {
  expanded_location where = expand_location(location);
  if (where.file)
    prof_flow_place(&state->flow, path_of(where.file), where.line > 0 ? where.line : 1);
}

void place_add(counting *state, location_t location) {
  if (RESERVED_LOCATION_P(location))
    return;
  state->seen.add(location);
  place_note(state, location);
}

/* Makes the first node of a block.  A block whose edges can't take counters gets one inside. */
void block_begin(counting *state, basic_block block) {
  uint32_t node = prof_flow_node(&state->flow);
  state->firsts[block->index] = node;
  state->lasts[block->index] = node;
  if (!prof_block_comes_abnormally(block))
    return;
  arc_add(state, PROF_FLOW_ENTRY, node, PROF_ARC_IMPOSSIBLE, spot());
  gimple_stmt_iterator first = gsi_start_nondebug_after_labels_bb(block);
  if (gsi_end_p(first) || prof_statement_stays_first(gsi_stmt(first)))
    return;
  uint32_t inner = prof_flow_node(&state->flow);
  spot where = spot();
  where.at_start = block;
  arc_add(state, node, inner, PROF_ARC_SPLIT, where);
  state->lasts[block->index] = inner;
}

/* Adds the nodes and places of one block, and the arcs inside it. */
void block_take(counting *state, basic_block block) {
  gimple *last = last_stmt(block);
  block_begin(state, block);
  if (block == ENTRY_BLOCK_PTR_FOR_FN(state->fun)->next_bb)
    place_add(state, DECL_SOURCE_LOCATION(state->fun->decl));
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple *statement = gsi_stmt(at);
    if (is_gimple_debug(statement))
      continue;
    place_add(state, gimple_location(statement));
    if (!stmt_can_terminate_bb_p(statement))
      continue;
    uint32_t node = state->lasts[block->index];
    arc_add(state, node, PROF_FLOW_EXIT, PROF_ARC_IMPOSSIBLE, spot());
    if (statement == last && !(single_succ_p(block) && single_succ(block) == EXIT_BLOCK_PTR_FOR_FN(state->fun)))
      return; /* it ends the block, and has the arcs for abnormal edges */
    state->lasts[block->index] = prof_flow_node(&state->flow);
    spot where = spot();
    where.after = statement;
    arc_add(state, node, state->lasts[block->index], PROF_ARC_CHEAP, where);
  }
  if (goes_abnormally(block) || EDGE_COUNT(block->succs) == 0)
    arc_add(state, state->lasts[block->index], PROF_FLOW_EXIT, PROF_ARC_IMPOSSIBLE, spot());
}

/* A jump that became an edge: its line belongs to the block if that has no other exit. */
void jump_place_add(counting *state, basic_block block) {
  if (!single_succ_p(block))
    return;
  location_t jump = single_succ_edge(block)->goto_locus;
  if (!RESERVED_LOCATION_P(jump) && !state->seen.contains(jump))
    place_note(state, jump);
}

/* The last statement with a location. */
location_t last_location(basic_block block) {
  for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); !gsi_end_p(at); gsi_prev_nondebug(&at))
    if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(at))))
      return gimple_location(gsi_stmt(at));
  return UNKNOWN_LOCATION;
}

bool is_another_line(location_t a, location_t b) {
  return LOCATION_LINE(a) != LOCATION_LINE(b) || LOCATION_FILE(a) != LOCATION_FILE(b);
}

/* Does the edge have a jump with a line of its own, as a branch of a condition? */
bool has_own_line(edge way) {
  if (single_succ_p(way->src) || RESERVED_LOCATION_P(way->goto_locus))
    return false;
  location_t before = last_location(way->src);
  return before != UNKNOWN_LOCATION && is_another_line(way->goto_locus, before);
}

/* The block behind which GCC would put that jump's block. */
basic_block block_before(edge way) {
  edge beside = find_edge(way->dest->prev_bb, way->dest);
  return beside && !(beside->flags & EDGE_COMPLEX) ? way->src : way->dest->prev_bb;
}

/* Adds nodes for the jumps behind `block`. */
void jumps_take(counting *state, basic_block block) {
  for (unsigned i = 0; i < state->jumps.length(); i++) {
    jump *at = &state->jumps[i];
    if (block_before(at->way) != block)
      continue;
    at->node = prof_flow_node(&state->flow);
    if (!state->seen.contains(at->way->goto_locus))
      place_note(state, at->way->goto_locus);
  }
}

void edge_take(counting *state, edge way) {
  bool leaves = way->dest == EXIT_BLOCK_PTR_FOR_FN(state->fun);
  bool enters = way->src == ENTRY_BLOCK_PTR_FOR_FN(state->fun);
  uint32_t from = enters ? (uint32_t)PROF_FLOW_ENTRY : state->lasts[way->src->index];
  uint32_t to = leaves ? (uint32_t)PROF_FLOW_EXIT : state->firsts[way->dest->index];
  bool critical = !single_succ_p(way->src) && !single_pred_p(way->dest);
  enum prof_arc_cost cost = PROF_ARC_CHEAP;
  if (critical || leaves)
    cost = PROF_ARC_SPLIT;
  else if (way->flags & EDGE_DFS_BACK)
    cost = PROF_ARC_OFTEN;
  spot where = spot();
  where.way = way;
  for (unsigned i = 0; i < state->jumps.length(); i++)
    if (state->jumps[i].way == way) {
      arc_add(state, from, state->jumps[i].node, cost, where);
      from = state->jumps[i].node;
    }
  arc_add(state, from, to, cost, where);
}

void blocks_take(counting *state) {
  basic_block block;
  edge way;
  edge_iterator i;
  FOR_EACH_BB_FN(block, state->fun) {
    FOR_EACH_EDGE(way, i, block->succs)
    if (!prof_edge_is_replaced(way) && has_own_line(way))
      state->jumps.safe_push({way, 0});
  }
  FOR_EACH_BB_FN(block, state->fun) {
    block_take(state, block);
    jump_place_add(state, block);
    jumps_take(state, block);
  }
  state->flow.last_node = state->lasts[EXIT_BLOCK_PTR_FOR_FN(state->fun)->prev_bb->index];
}

void flow_make(counting *state) {
  basic_block block;
  edge way;
  edge_iterator i;
  mark_dfs_back_edges();
  state->firsts.safe_grow_cleared(last_basic_block_for_fn(state->fun));
  state->lasts.safe_grow_cleared(last_basic_block_for_fn(state->fun));
  blocks_take(state);
  edge_take(state, single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(state->fun)));
  FOR_EACH_BB_FN(block, state->fun) {
    FOR_EACH_EDGE(way, i, block->succs)
    if (!prof_edge_is_replaced(way))
      edge_take(state, way);
  }
}

/* ---- the module's data ---- */

tree variable_new(const char *name, tree type) {
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_ARTIFICIAL(variable) = 1;
  DECL_IGNORED_P(variable) = 1;
  TREE_STATIC(variable) = 1;
  TREE_USED(variable) = 1;
  DECL_PRESERVE_P(variable) = 1;
  return variable;
}

void hide(tree variable) {
  TREE_PUBLIC(variable) = 1;
  DECL_VISIBILITY(variable) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED(variable) = 1;
}

tree bound_of(const char *name) {
  tree bound = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), char_type_node);
  DECL_ARTIFICIAL(bound) = 1;
  DECL_EXTERNAL(bound) = 1;
  TREE_ADDRESSABLE(bound) = 1;
  hide(bound);
  return build_fold_addr_expr(bound);
}

/* struct prof_counts_switch, as an array of pointers. */
tree switch_variable() {
  static tree variable; /* one unit per process */
  if (variable)
    return variable;
  tree type = build_array_type_nelts(ptr_type_node, sizeof(struct prof_counts_switch) / 8);
  vec<constructor_elt, va_gc> *words = NULL;
  CONSTRUCTOR_APPEND_ELT(words, size_int(0), null_pointer_node);
  CONSTRUCTOR_APPEND_ELT(words, size_int(1), fold_convert(ptr_type_node, bound_of(PROF_COUNTS_START)));
  CONSTRUCTOR_APPEND_ELT(words, size_int(2), fold_convert(ptr_type_node, bound_of(PROF_COUNTS_STOP)));
  variable = variable_new(PROF_COUNTS_SWITCH, type);
  hide(variable);
  DECL_INITIAL(variable) = build_constructor(type, words);
  make_decl_one_only(variable, DECL_ASSEMBLER_NAME(variable));
  varpool_node::finalize_decl(variable);
  return variable;
}

tree object_variable(const uint64_t *words, size_t word_count) {
  static unsigned number;
  char name[32];
  ASM_GENERATE_INTERNAL_LABEL(name, "LPROFC", number++);
  tree type = build_array_type_nelts(long_unsigned_type_node, word_count);
  vec<constructor_elt, va_gc> *values = NULL;
  for (size_t i = 0; i < word_count; i++)
    if (words[i])
      CONSTRUCTOR_APPEND_ELT(values, size_int(i), build_int_cstu(long_unsigned_type_node, words[i]));
  tree variable = variable_new(name, type);
  SET_DECL_ALIGN(variable, 64);
  DECL_USER_ALIGN(variable) = 1;
  set_decl_section_name(variable, PROF_COUNTS_SECTION);
  DECL_INITIAL(variable) = build_constructor(type, values);
  varpool_node::finalize_decl(variable);
  return variable;
}

/* ---- the counters ---- */

/* address = &object[counter] + switch.shift; then one locked step. */
gimple_seq step_new(tree object, uint32_t counter) {
  gimple_seq steps = NULL;
  tree word =
      build4(ARRAY_REF, long_unsigned_type_node, object, size_int(PROF_FLOW_FIRST_COUNTER + counter), NULL, NULL);
  tree shift_word = build4(ARRAY_REF, ptr_type_node, switch_variable(), size_int(0), NULL, NULL);
  tree shift = create_tmp_reg(ptr_type_node, "prof_shift"), address = create_tmp_reg(ptr_type_node, "prof_counter");
  tree offset = create_tmp_reg(size_type_node, "prof_shift");
  gimple_seq_add_stmt(&steps, gimple_build_assign(shift, shift_word));
  gimple_seq_add_stmt(&steps, gimple_build_assign(offset, NOP_EXPR, shift));
  gimple_seq_add_stmt(&steps, gimple_build_assign(address, POINTER_PLUS_EXPR, build_fold_addr_expr(word), offset));
  struct prof_text text = {};
  const struct prof_arch *arch = prof_backend_unit.arch;
  prof_text_format(&text, prof_target_is_other_dialect() ? arch->count_step_other : arch->count_step, "%0");
  vec<tree, va_gc> *inputs = NULL;
  vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "r")), address));
  gasm *step = gimple_build_asm_vec(ggc_strdup(prof_text_string(&text)), inputs, NULL, NULL, NULL);
  gimple_asm_set_volatile(step, true);
  prof_text_fini(&text);
  gimple_seq_add_stmt(&steps, step);
  return steps;
}

void counters_put(counting *state, tree object) {
  for (uint32_t i = 0; i < state->flow.arc_count; i++) {
    if (state->flow.arcs[i].counter == PROF_FLOW_NO_COUNTER)
      continue;
    gimple_seq step = step_new(object, state->flow.arcs[i].counter);
    spot where = state->spots[i];
    if (where.way) {
      gsi_insert_seq_on_edge(where.way, step);
    } else if (where.after) {
      gimple_stmt_iterator at = gsi_for_stmt(where.after);
      gsi_insert_seq_after(&at, step, GSI_SAME_STMT);
    } else {
      gimple_stmt_iterator at = gsi_after_labels(where.at_start);
      gsi_insert_seq_before(&at, step, GSI_SAME_STMT);
    }
  }
  gsi_commit_edge_inserts();
}

void function_count(function *fun) {
  counting state;
  size_t word_count;
  state.fun = fun;
  prof_flow_init(&state.flow);
  flow_make(&state);
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fun->decl));
  prof_flow_solve(&state.flow);
  uint64_t *words = prof_flow_object(&state.flow, *name == '*' ? name + 1 : name,
                                     LOCATION_LINE(DECL_SOURCE_LOCATION(fun->decl)), &word_count);
  if (!words)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  counters_put(&state, object_variable(words, word_count));
  free(words);
  prof_flow_fini(&state.flow);
}

const pass_data counts_pass_data = {GIMPLE_PASS, "prof_counts", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct counts_pass : gimple_opt_pass {
  counts_pass() : gimple_opt_pass(counts_pass_data, g) {}
  opt_pass *clone() override { return new counts_pass; }
  bool gate(function *fun) override { return prof_counts_are_for(fun); }
  unsigned execute(function *fun) override {
    function_count(fun);
    return 0;
  }
};

} // namespace

opt_pass *prof_counts_pass_new(void) {
  return new counts_pass;
}

/* The functions that get probes, without conditions on optimised code (min-statements). */
bool prof_counts_are_for(function *fun) {
  if (!prof_backend_unit.arch || prof_backend_unit.arguments.lines != PROF_LINES_COUNT || in_lto_p)
    return false;
  prof_description description;
  prof_description_init(&description, fun);
  description.facts.statements = UINT32_MAX;
  bool selected = prof_select(&prof_backend_unit.arguments, &description.facts) == PROF_REASON_PROBED;
  prof_description_fini(&description);
  return selected;
}

bool prof_counts_are_there(void) {
  return symtab_node::get_for_asmname(get_identifier(PROF_COUNTS_SWITCH)) != NULL;
}
