/*
 * loop_values.cc - counts a loop's iterations as values at the edges into it and out of it, and puts the probes there.
 *
 * If known before an entry: an expression on the edge into the loop.  Else: an induction variable, read at the exits.
 * Loops in an instrumented one have no events, but counts at its exits.  The count is a product if it is invariant in
 * the outer loop and the inner loop is entered once per iteration.  Else it is an accumulator, outside of inner loops
 * with known counts, so that they can be vectorised.
 *
 * An exception leaves a loop on an edge that can't hold code, to a place with other predecessors, so no SSA name has
 * the count there.  Loops that can be left so count in variables, which have a value everywhere; so do loops that a
 * computed goto leaves, and loops without optimisation, whose inner ones begin with their tests.
 */
#include "loops.h"

namespace {

/* Limits of the cost of loops in an instrumented one; loops beyond them are not counted. */
enum { ACCUMULATORS_MAX = 4, VARIABLES_MAX = 12, COUNT_SLEDS_MAX = 24, GUARDS_MAX = 4 };

tree count_type() {
  return long_long_unsigned_type_node;
}

/* Iterations of an entry, of type count_type; NULL_TREE: not known before it. */
tree iterations_of(class loop *loop) {
  edge exit = prof_loop_is_part(loop) ? NULL : single_exit(loop);
  tree latches = exit ? number_of_latch_executions(loop) : NULL_TREE;
  if (!latches || chrec_contains_undetermined(latches) || tree_contains_chrecs(latches, NULL) ||
      !INTEGRAL_TYPE_P(TREE_TYPE(latches)) || TYPE_PRECISION(TREE_TYPE(latches)) > 64)
    return NULL_TREE;
  tree count = fold_convert(count_type(), unshare_expr(latches));
  if (!prof_loop_leaves_before_body(loop, exit))
    count = fold_build2(PLUS_EXPR, count_type(), count, build_one_cst(count_type()));
  return count;
}

bool is_plain(edge way) {
  return !(way->flags & (EDGE_ABNORMAL | EDGE_EH));
}

/* One of the loops in an instrumented one. */
struct inner_count {
  class loop *loop;
  int parent;                        /* index of the loop around it; -1: the instrumented one */
  struct prof_candidate_loop *facts; /* valid while no record is added */
  unsigned record;
  bool known;      /* else its count is not recorded */
  bool once;       /* entered once in each iteration of its parent, if `guard` holds */
  tree guard;      /* 1 or 0, invariant in the outer loop; NULL_TREE: it holds */
  tree factor;     /* iterations per entry, invariant in the outer loop; NULL_TREE: none */
  tree entries;    /* accumulator; NULL_TREE: its parent's iterations */
  tree iterations; /* accumulator; NULL_TREE: entries x factor */
};

struct nest {
  class loop *outer;
  unsigned record;
  auto_vec<edge> exits;
  tree at_entry;      /* iterations of `outer`, or NULL_TREE: */
  tree before, after; /* its induction variable */
  bool in_variables;
  tree counter;                   /* in_variables: of `outer` */
  auto_vec<basic_block> landings; /* outside of `outer`, of exceptions from within it */
  auto_vec<inner_count> inner;
  unsigned accumulators;
};

/* Does each iteration of `parent` run `block` once? */
bool is_met_by_each_iteration(class loop *parent, basic_block block) {
  bool met = !prof_loop_is_part(parent) && block->loop_father == parent &&
             dominated_by_p(CDI_DOMINATORS, parent->latch, block);
  auto exits = get_loop_exit_edges(parent);
  for (unsigned i = 0; met && i < exits.length(); i++)
    met = prof_loop_leaves_before_body(parent, exits[i]) || dominated_by_p(CDI_DOMINATORS, exits[i]->src, block);
  exits.release();
  return met;
}

/* Can the operand of a test be computed before `loop` begins? */
bool is_guard_operand(class loop *loop, tree operand) {
  tree type = TREE_TYPE(operand);
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && expr_invariant_in_loop_p(loop, operand);
}

/*
 * The condition on which an iteration of the loop around `loop` enters it, if it is invariant in `outer`, such as that
 * there is an iteration.  Then `outer` needs no counter, and the compiler can move the test out of it.  NULL_TREE: it
 * changes.
 */
tree guard_of(class loop *outer, class loop *loop) {
  tree guard = NULL_TREE;
  basic_block block = loop_preheader_edge(loop)->src;
  for (unsigned i = 0; i < GUARDS_MAX; i++) {
    if (is_met_by_each_iteration(loop_outer(loop), block))
      return guard;
    if (!single_pred_p(block) || block->loop_father != loop_outer(loop))
      return NULL_TREE;
    edge way = single_pred_edge(block);
    block = way->src;
    if (single_succ_p(block))
      continue;
    gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
    gcond *test = gsi_end_p(last) ? NULL : dyn_cast<gcond *>(gsi_stmt(last));
    if (!test || !is_guard_operand(outer, gimple_cond_lhs(test)) || !is_guard_operand(outer, gimple_cond_rhs(test)))
      return NULL_TREE;
    tree_code code = gimple_cond_code(test);
    code = way->flags & EDGE_FALSE_VALUE ? invert_tree_comparison(code, false) : code;
    tree holds = fold_build2(code, boolean_type_node, gimple_cond_lhs(test), gimple_cond_rhs(test));
    guard = guard ? fold_build2(TRUTH_AND_EXPR, boolean_type_node, holds, guard) : holds;
  }
  return NULL_TREE;
}

auto_vec<edge> *plain_exits(class loop *loop) {
  auto_vec<edge> *plain = new auto_vec<edge>;
  auto exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++)
    if (is_plain(exits[i]))
      plain->safe_push(exits[i]);
  exits.release();
  return plain;
}

/*
 * A variable that is 0 when the outer loop begins and grows by `amount` at each exit of an inner loop (NULL_TREE: by
 * that loop's induction variable).  It is read on the edge into the inner loop, because update_ssa misses that a name
 * must reach a block which also defines it.  Returns its name.
 */
tree accumulator_new(nest *state, class loop *inner, tree amount) {
  tree type = count_type(), zero = make_ssa_name(type), begin = make_ssa_name(type), before, after;
  gsi_insert_on_edge(loop_preheader_edge(state->outer), gimple_build_assign(zero, build_zero_cst(type)));
  gsi_insert_on_edge(loop_preheader_edge(inner), gimple_build_assign(begin, zero));
  state->accumulators++;
  if (!amount)
    prof_compat_counter(inner, type, &before, &after);
  auto_vec<edge> *exits = plain_exits(inner);
  for (unsigned i = 0; i < exits->length(); i++) {
    tree unused = make_ssa_name(type);
    tree more = amount ? amount : prof_loop_leaves_before_body(inner, (*exits)[i]) ? before : after;
    gassign *statement = gimple_build_assign(unused, PLUS_EXPR, begin, more);
    tree sum = create_new_def_for(zero, statement, NULL);
    gimple_assign_set_lhs(statement, sum);
    release_ssa_name(unused);
    gsi_insert_on_edge((*exits)[i], statement);
  }
  delete exits;
  return zero;
}

/* Is it the edge of a `goto *`?  Like an exception's it can't hold code. */
bool is_computed_goto(edge way) {
  gimple_stmt_iterator last = gsi_last_bb(way->src);
  return (way->flags & EDGE_ABNORMAL) && !gsi_end_p(last) && gimple_code(gsi_stmt(last)) == GIMPLE_GOTO;
}

bool is_landing_edge(edge way) {
  return is_computed_goto(way) || ((way->flags & EDGE_EH) && !(way->flags & EDGE_ABNORMAL));
}

/* Can an exception or a computed goto leave the loop, or one in it, for another place of the function? */
bool may_land(class loop *loop) {
  bool may = false;
  auto exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++)
    may |= is_landing_edge(exits[i]);
  exits.release();
  for (class loop *inner = loop->inner; inner && !may; inner = inner->next)
    may = may_land(inner);
  return may;
}

void on_edge(edge way, tree variable, tree_code code, tree one, tree other) {
  gsi_insert_on_edge(way, gimple_build_assign(variable, code, one, other));
}

tree zero() {
  return build_zero_cst(count_type());
}

/* A variable that is 0 until control has been in `loop`. */
tree variable_new(class loop *loop) {
  tree variable = create_tmp_reg(count_type(), "prof_loop");
  gsi_insert_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), gimple_build_assign(variable, zero()));
  gsi_insert_on_edge(loop_preheader_edge(loop), gimple_build_assign(variable, zero()));
  return variable;
}

/* iterations++; and if `own` is 0, entries++ and own++.  `own`: NULL_TREE if entries aren't counted. */
gimple_seq iteration_count(tree iterations, tree entries, tree own) {
  tree one = build_one_cst(count_type());
  gimple_seq statements = NULL;
  if (own) {
    tree is_first = make_ssa_name(boolean_type_node), first = make_ssa_name(count_type());
    gimple_seq_add_stmt(&statements, gimple_build_assign(is_first, EQ_EXPR, own, zero()));
    gimple_seq_add_stmt(&statements, gimple_build_assign(first, NOP_EXPR, is_first));
    gimple_seq_add_stmt(&statements, gimple_build_assign(entries, PLUS_EXPR, entries, first));
    gimple_seq_add_stmt(&statements, gimple_build_assign(own, PLUS_EXPR, own, one));
  }
  gimple_seq_add_stmt(&statements, gimple_build_assign(iterations, PLUS_EXPR, iterations, one));
  return statements;
}

/* Adds to `iterations` at each begin of an iteration, and to `entries` (may be NULL_TREE) at an entry's first. */
void iterations_follow(class loop *loop, tree iterations, tree entries) {
  tree own = entries ? variable_new(loop) : NULL_TREE;
  auto_vec<edge> begins;
  loop = prof_loop_part_innermost(loop); /* all of its iterations begin there */
  prof_loop_body_edges(loop, &begins);
  for (unsigned i = 0; i < begins.length(); i++)
    if (is_plain(begins[i]))
      gsi_insert_seq_on_edge(begins[i], iteration_count(iterations, entries, own));
  if (!begins.length()) {
    gimple_stmt_iterator at = gsi_after_labels(loop->header);
    gsi_insert_seq_before(&at, iteration_count(iterations, entries, own), GSI_SAME_STMT);
  }
}

/* Counts one inner loop in variables: before it begins if only its end ends it, else in each iteration. */
void inner_follow(nest *state, inner_count *count) {
  class loop *loop = count->loop;
  edge entry = loop_preheader_edge(loop), exit = single_exit(loop);
  tree iterations = iterations_of(loop);
  count->entries = variable_new(state->outer);
  count->iterations = variable_new(state->outer);
  count->factor = NULL_TREE;
  state->accumulators += 2;
  bool known = iterations && !prof_compat_is_expensive(iterations) && expr_invariant_in_loop_p(loop, iterations) &&
               !prof_loop_leaves_before_body(loop, exit);
  if (!known) {
    iterations_follow(loop, count->iterations, count->entries);
    return;
  }
  gimple_seq statements = NULL;
  iterations = force_gimple_operand(unshare_expr(iterations), &statements, true, NULL_TREE);
  if (statements)
    gsi_insert_seq_on_edge(entry, statements);
  on_edge(entry, count->entries, PLUS_EXPR, count->entries, build_one_cst(count_type()));
  on_edge(entry, count->iterations, PLUS_EXPR, count->iterations, iterations);
}

/* Decides how one inner loop is counted; no code yet. */
bool inner_plan(nest *state, inner_count *count) {
  if (prof_loop_is_part(count->loop))
    return state->accumulators + 2 <= (state->in_variables ? VARIABLES_MAX : ACCUMULATORS_MAX);
  if (state->in_variables) {
    edge entry = loop_preheader_edge(count->loop);
    count->once = (count->facts->flags & PROF_LOOP_CONSTANT) &&
                  (count->parent < 0 || state->inner[count->parent].known) &&
                  is_met_by_each_iteration(loop_outer(count->loop), entry->src);
    return count->once || state->accumulators + 2 <= VARIABLES_MAX;
  }
  class loop *loop = count->loop;
  tree iterations = iterations_of(loop);
  bool parent_known = count->parent < 0 || state->inner[count->parent].known;
  count->once = parent_known && is_met_by_each_iteration(loop_outer(loop), loop_preheader_edge(loop)->src);
  if (iterations && !prof_compat_is_expensive(iterations) && expr_invariant_in_loop_p(state->outer, iterations))
    count->factor = iterations;
  if (!count->once && parent_known && count->factor && !(count->facts->flags & PROF_LOOP_CONSTANT)) {
    count->guard = guard_of(state->outer, loop);
    count->once = count->guard != NULL_TREE;
  }
  unsigned wanted = !count->once + !count->factor;
  return state->accumulators + wanted <= ACCUMULATORS_MAX;
}

void inner_begin(nest *state, inner_count *count) {
  class loop *loop = count->loop;
  edge entry = loop_preheader_edge(count->factor ? state->outer : loop);
  tree iterations = count->factor ? count->factor : iterations_of(loop);
  gimple_seq statements = NULL;
  if (count->guard) {
    gimple_seq tests = NULL;
    count->guard = force_gimple_operand(fold_convert(count_type(), count->guard), &tests, true, NULL_TREE);
    if (tests)
      gsi_insert_seq_on_edge(entry, tests);
  }
  if (!count->once)
    count->entries = accumulator_new(state, loop, build_one_cst(count_type()));
  if (iterations && (prof_compat_is_expensive(iterations) || !expr_invariant_in_loop_p(loop, iterations)))
    iterations = NULL_TREE;
  if (iterations)
    iterations = force_gimple_operand(unshare_expr(iterations), &statements, true, NULL_TREE);
  if (statements)
    gsi_insert_seq_on_edge(entry, statements);
  if (count->factor)
    count->factor = iterations;
  else
    count->iterations = accumulator_new(state, loop, iterations);
}

/* Collects the loops whose nearest instrumented loop is `outer`, outer ones first. */
void inner_collect(nest *state, class loop *loop, int parent) {
  for (class loop *inner = loop->inner; inner; inner = inner->next) {
    if (inner == prof_loop_part_in(loop)) {
      inner_collect(state, inner, parent);
      continue;
    }
    int record = prof_loop_record_find(inner);
    if (record < 0 || prof_loop_records[record].reason == PROF_LOOP_REASON_PROBED ||
        !prof_loop_records[record].facts.in_probed || prof_loop_records[record].facts.has_no_edge)
      continue;
    inner_count count = {};
    count.loop = inner;
    count.parent = parent;
    count.record = record;
    count.facts = &prof_loop_records[record].facts;
    state->inner.safe_push(count);
    inner_collect(state, inner, state->inner.length() - 1);
  }
}

void inner_prepare(nest *state) {
  inner_collect(state, state->outer, -1);
  unsigned sleds = 0;
  for (unsigned i = 0; i < state->inner.length(); i++) {
    inner_count *count = &state->inner[i];
    bool planned = inner_plan(state, count);
    bool free = count->once && (count->facts->flags & PROF_LOOP_CONSTANT);
    unsigned exits = state->exits.length() + state->landings.length();
    unsigned needed = free ? 0 : 2 * exits;
    bool is_cheap = count->once && (free || count->factor);
    bool is_wanted = is_cheap || prof_loop_is_counted(&prof_backend_unit.arguments,
                                                      prof_loop_records[count->record].reason, count->facts);
    count->known = planned && is_wanted && exits && sleds + needed <= COUNT_SLEDS_MAX;
    if (!count->known)
      continue;
    sleds += needed;
    count->facts->flags |= PROF_LOOP_COUNTED;
    if ((state->in_variables && !free) || prof_loop_is_part(count->loop))
      inner_follow(state, count);
    else if (!state->in_variables && !(free && count->parent < 0)) /* readers take its entries from its parent */
      inner_begin(state, count);
  }
}

tree iterations_at(nest *state, int inner, edge exit, gimple_seq *statements);

tree entries_at(nest *state, inner_count *count, edge exit, gimple_seq *statements) {
  if (count->entries)
    return count->entries;
  tree entries = iterations_at(state, count->parent, exit, statements);
  return count->guard ? gimple_build(statements, MULT_EXPR, count_type(), entries, count->guard) : entries;
}

/* Iterations of the inner loop `inner` (-1: of the outer loop) when control takes `exit`. */
tree iterations_at(nest *state, int inner, edge exit, gimple_seq *statements) {
  if (inner < 0 && state->counter)
    return state->counter;
  if (inner < 0 && state->at_entry)
    return state->at_entry;
  if (inner < 0)
    return prof_loop_leaves_before_body(state->outer, exit) ? state->before : state->after;
  inner_count *count = &state->inner[inner];
  if (count->iterations)
    return count->iterations;
  tree entries = entries_at(state, count, exit, statements);
  return gimple_build(statements, MULT_EXPR, count_type(), entries, count->factor);
}

void inner_put(nest *state, edge exit) {
  for (unsigned i = 0; i < state->inner.length(); i++) {
    inner_count *count = &state->inner[i];
    if (!count->known || (count->once && (count->facts->flags & PROF_LOOP_CONSTANT)))
      continue;
    gimple_seq statements = NULL;
    tree entries = entries_at(state, count, exit, &statements);
    tree iterations = iterations_at(state, i, exit, &statements);
    const uint32_t kind = PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE;
    if (statements)
      gsi_insert_seq_on_edge(exit, statements);
    gsi_insert_on_edge(exit, prof_loop_mark_new(count->record, kind | PROF_ROW_COUNTS_ENTRIES, entries));
    gsi_insert_on_edge(exit, prof_loop_mark_new(count->record, kind, iterations));
    if (state->landings.length()) { /* control may land later without entering the loop */
      gsi_insert_on_edge(exit, gimple_build_assign(count->entries, zero()));
      gsi_insert_on_edge(exit, gimple_build_assign(count->iterations, zero()));
    }
  }
}

void landings_collect(nest *state) {
  auto exits = get_loop_exit_edges(state->outer);
  for (unsigned i = 0; i < exits.length(); i++)
    if (is_landing_edge(exits[i]) && !state->landings.contains(exits[i]->dest))
      state->landings.safe_push(exits[i]->dest);
  exits.release();
}

/* Puts the probes of an exit where an exception lands, behind those of inner loops, which were put first. */
void landing_put(nest *state, basic_block block) {
  gimple_stmt_iterator at = gsi_after_labels(block);
  for (gimple_stmt_iterator next = at; !gsi_end_p(next); gsi_next(&next)) {
    unsigned record;
    uint32_t kind;
    if (prof_loop_mark_read(gsi_stmt(next), &record, &kind)) {
      at = next;
      gsi_next(&at);
    }
  }
  gimple_seq statements = NULL;
  const uint32_t count_kind = PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE;
  for (unsigned i = 0; i < state->inner.length(); i++) {
    inner_count *count = &state->inner[i];
    if (!count->known || !count->iterations)
      continue;
    gimple_seq_add_stmt(&statements,
                        prof_loop_mark_new(count->record, count_kind | PROF_ROW_COUNTS_ENTRIES, count->entries));
    gimple_seq_add_stmt(&statements, prof_loop_mark_new(count->record, count_kind, count->iterations));
    gimple_seq_add_stmt(&statements, gimple_build_assign(count->entries, zero()));
    gimple_seq_add_stmt(&statements, gimple_build_assign(count->iterations, zero()));
  }
  const uint32_t kind = PROF_PROBE_LOOP_EXIT | PROF_ROW_MAYBE | PROF_ROW_HAS_VALUE;
  gimple_seq_add_stmt(&statements, prof_loop_mark_new(state->record, kind, state->counter));
  gsi_insert_seq_before(&at, statements, GSI_SAME_STMT);
}

/* Decides how the outer loop's own iterations are counted.  Returns whether an exit writes them. */
bool outer_prepare(nest *state) {
  if (state->landings.length() || prof_loop_is_part(state->outer)) {
    state->counter = variable_new(state->outer);
    iterations_follow(state->outer, state->counter, NULL_TREE);
    gsi_insert_on_edge(loop_preheader_edge(state->outer),
                       prof_loop_mark_new(state->record, PROF_PROBE_LOOP_ENTRY, NULL_TREE));
    return true;
  }
  struct prof_candidate_loop *facts = &prof_loop_records[state->record].facts;
  edge entry = loop_preheader_edge(state->outer);
  tree iterations = iterations_of(state->outer);
  gimple_seq statements = NULL;
  if (iterations && !prof_compat_is_expensive(iterations) && expr_invariant_in_loop_p(state->outer, iterations)) {
    state->at_entry = force_gimple_operand(unshare_expr(iterations), &statements, true, NULL_TREE);
    if (statements)
      gsi_insert_seq_on_edge(entry, statements);
    uint32_t value = facts->flags & PROF_LOOP_CONSTANT ? 0 : PROF_ROW_HAS_VALUE;
    gsi_insert_on_edge(
        entry, prof_loop_mark_new(state->record, PROF_PROBE_LOOP_ENTRY | value, value ? state->at_entry : NULL_TREE));
    return false;
  }
  prof_compat_counter(state->outer, count_type(), &state->before, &state->after);
  gsi_insert_on_edge(entry, prof_loop_mark_new(state->record, PROF_PROBE_LOOP_ENTRY, NULL_TREE));
  return true;
}

} // namespace

void prof_loop_count_known(class loop *loop, struct prof_candidate_loop *facts) {
  tree iterations = iterations_of(loop);
  if (!iterations || !expr_invariant_in_loop_p(loop, iterations))
    return;
  facts->flags |= PROF_LOOP_COUNTABLE;
  if (tree_fits_uhwi_p(iterations)) {
    facts->flags |= PROF_LOOP_CONSTANT;
    facts->iterations = tree_to_uhwi(iterations);
  }
}

void prof_loop_probes_put(class loop *loop, unsigned record) {
  nest state = {};
  state.outer = loop;
  state.record = record;
  auto_vec<edge> *exits = plain_exits(loop);
  for (unsigned i = 0; i < exits->length(); i++)
    state.exits.safe_push((*exits)[i]);
  delete exits;
  landings_collect(&state);
  state.in_variables = !optimize || may_land(loop);
  bool exits_tell = outer_prepare(&state);
  inner_prepare(&state);
  for (unsigned i = 0; i < state.exits.length(); i++) {
    edge exit = state.exits[i];
    tree value = exits_tell ? iterations_at(&state, -1, exit, NULL) : NULL_TREE;
    inner_put(&state, exit);
    gsi_insert_on_edge(exit,
                       prof_loop_mark_new(record, PROF_PROBE_LOOP_EXIT | (value ? PROF_ROW_HAS_VALUE : 0), value));
  }
  for (unsigned i = 0; i < state.landings.length(); i++)
    landing_put(&state, state.landings[i]);
}
