/*
 * loop_shape.cc - where the body of a loop begins, and where its source stands.
 *
 * `while (c) body` tests first: control that leaves by the test has begun no iteration.  `for (;;) { a; if (c) break; b
 * }` has the same blocks, but its iteration begins at a.  C's front end lays out a body before what is tested first,
 * and passes keep blocks in that order.  In other languages lines tell: what is computed for a test stands on the
 * test's line.  GCC's pass `ch` turns the first into `if (c) do body while (c)` and would also copy the body's first
 * statements if a test follows, so that an iteration begins outside of the loop, and `ifcombine` would make one of the
 * two tests, so that which of them ended the loop isn't known; a statement that is too large to copy and not to be
 * passed over keeps them from that, from just before `ifcombine` to just behind `ch`.
 */
#include "loops.h"

namespace {

/* The blocks that test first in a loop, as they were before `ch`. */
struct shape_note {
  int loop;
  /* Only compared with: passes renumber and remove blocks. */
  auto_vec<basic_block, 4> tests; /* in the order in which control takes them */
  basic_block body;               /* behind them */
  bool by_goto;
  auto_vec<basic_block> others; /* all blocks of the loop but the tests */
};

int noted_function = -1;
vec<shape_note *> notes;

const char barrier_text[] = "prof barrier\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

/* The innermost inlined function that a block lies in, as the block of its scope; NULL: the function itself. */
tree scope_from(tree block) {
  for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block))
      return block;
  return NULL_TREE;
}

tree scope_of(gimple *statement) {
  return scope_from(gimple_block(statement));
}

/* The innermost scope around both; NULL: the function itself. */
tree scope_around(tree one, tree other) {
  for (; one; one = scope_from(BLOCK_SUPERCONTEXT(one)))
    for (tree at = other; at; at = scope_from(BLOCK_SUPERCONTEXT(at)))
      if (at == one)
        return one;
  return NULL_TREE;
}

/* The condition that ends a block which may leave `loop`; NULL: it doesn't, or not so. */
gcond *test_of(class loop *loop, basic_block block, edge *stays) {
  gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
  if (gsi_end_p(last) || EDGE_COUNT(block->succs) != 2 || block->loop_father != loop)
    return NULL;
  bool first_stays = flow_bb_inside_loop_p(loop, EDGE_SUCC(block, 0)->dest);
  bool second_stays = flow_bb_inside_loop_p(loop, EDGE_SUCC(block, 1)->dest);
  if (first_stays == second_stays)
    return NULL;
  gcond *test = dyn_cast<gcond *>(gsi_stmt(last));
  if (test)
    *stays = EDGE_SUCC(block, first_stays ? 0 : 1);
  return test;
}

/* Does the body begin in `block`, before `test` at its end?  It does if something there stands on another line. */
bool begins_body(basic_block block, gcond *test) {
  expanded_location where = expand_location(gimple_location(test));
  tree scope = scope_of(test);
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple *statement = gsi_stmt(at);
    location_t location = gimple_location(statement);
    if (is_gimple_debug(statement) || gimple_code(statement) == GIMPLE_LABEL || scope_of(statement) != scope ||
        LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
      continue;
    expanded_location other = expand_location(location);
    if (other.line != where.line && other.file && where.file && !strcmp(other.file, where.file))
      return true;
  }
  return false;
}

bool is_empty(basic_block block) {
  return gsi_end_p(gsi_start_nondebug_after_labels_bb(block)) && single_succ_p(block);
}

/* Does `stays`, on which control stays in the loop, lead to the next iteration at once? */
bool tests_last(class loop *loop, edge stays) {
  return stays->dest == loop->header || (stays->dest == loop->latch && is_empty(loop->latch));
}

/* By lines: fills tests; returns the block where the body begins. */
basic_block lines_read(class loop *loop, auto_vec<basic_block, 4> *tests) {
  basic_block block = loop->header;
  int line = 0;
  for (;;) {
    edge stays;
    gcond *test = test_of(loop, block, &stays);
    if (!test || begins_body(block, test) || (line && LOCATION_LINE(gimple_location(test)) != line))
      return block;
    basic_block next = stays->dest;
    if (tests_last(loop, stays)) {
      tests->truncate(0);
      return loop->header;
    }
    tests->safe_push(block);
    line = LOCATION_LINE(gimple_location(test));
    if (!single_pred_p(next) || next->loop_father != loop)
      return next;
    block = next;
  }
}

/* A function that GCC made of a directive of OpenMP: its blocks were moved there in another order. */
bool is_shared(tree declaration) {
  return DECL_NAME(declaration) && strstr(IDENTIFIER_POINTER(DECL_NAME(declaration)), "._omp_fn.");
}

/* Does it begin with a label of the user's?  Those of loop statements are the compiler's. */
bool has_user_label(class loop *loop) {
  for (gimple_stmt_iterator at = gsi_start_bb(loop->header); !gsi_end_p(at); gsi_next(&at)) {
    glabel *label = dyn_cast<glabel *>(gsi_stmt(at));
    if (!label)
      return false;
    if (!DECL_ARTIFICIAL(gimple_label_label(label)))
      return true;
  }
  return false;
}

/* Do its blocks stand in the order in which C's front end laid them out? */
bool is_ordered(tree declaration) {
  const_tree unit = get_ultimate_context(declaration);
  const char *language = unit && TREE_CODE(unit) == TRANSLATION_UNIT_DECL ? TRANSLATION_UNIT_LANGUAGE(unit) : NULL;
  language = language ? language : lang_hooks.name;
  return !strncmp(language, "GNU C", 5) && language[5] != '+' && !is_shared(declaration);
}

/* Blocks of the loop that control takes from its header while it stays in `among`. */
void reached_collect(class loop *loop, const_sbitmap among, auto_vec<basic_block, 4> *reached) {
  edge way;
  edge_iterator i;
  reached->safe_push(loop->header);
  for (unsigned n = 0; n < reached->length(); n++)
    FOR_EACH_EDGE(way, i, (*reached)[n]->succs)
  if (bitmap_bit_p(among, way->dest->index) && !reached->contains(way->dest))
    reached->safe_push(way->dest);
}

/* By the order of blocks: what is tested first is laid out behind the body, so the body's first block is the first. */
basic_block order_read(class loop *loop, auto_vec<basic_block, 4> *tests) {
  basic_block block, first = NULL;
  bool is_behind = false;
  auto_sbitmap behind(last_basic_block_for_fn(cfun));
  bitmap_clear(behind);
  FOR_EACH_BB_FN(block, cfun) {
    bool is_inside = flow_bb_inside_loop_p(loop, block) && !(block == loop->latch && is_empty(block));
    is_behind |= block == loop->header;
    first = first || !is_inside ? first : block;
    if (is_behind && is_inside)
      bitmap_set_bit(behind, block->index);
  }
  if (!first || first == loop->header)
    return loop->header;
  reached_collect(loop, behind, tests);
  return first;
}

void others_fill(class loop *loop, shape_note *note) {
  basic_block *blocks = get_loop_body(loop);
  note->others.truncate(0);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (!note->tests.contains(blocks[i]))
      note->others.safe_push(blocks[i]);
  free(blocks);
}

void shape_read(class loop *loop, bool by_order, shape_note *note) {
  note->body = by_order && is_ordered(cfun->decl) ? order_read(loop, &note->tests) : lines_read(loop, &note->tests);
  note->by_goto = has_user_label(loop);
  others_fill(loop, note);
}

void notes_clear(int function) {
  while (notes.length())
    delete notes.pop();
  noted_function = function;
}

shape_note *note_find(class loop *loop) {
  if (noted_function == cfun->funcdef_no)
    for (unsigned i = 0; i < notes.length(); i++)
      if (notes[i]->loop == loop->num)
        return notes[i];
  return NULL;
}

/* A statement that `ch` finds too large to copy. */
void barrier_put(basic_block block) {
  gasm *barrier = gimple_build_asm_vec(barrier_text, NULL, NULL, NULL, NULL);
  gimple_asm_set_volatile(barrier, true);
  gimple_stmt_iterator at = gsi_after_labels(block);
  gsi_insert_before(&at, barrier, GSI_SAME_STMT);
}

shape_note *loop_note(class loop *loop, bool by_order) {
  shape_note *note = new shape_note;
  note->loop = loop->num;
  shape_read(loop, by_order, note);
  notes.safe_push(note);
  return note;
}

void loops_note(function *fun) {
  class loop *loop;
  notes_clear(fun->funcdef_no);
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header && loop->latch)
      loop_note(loop, true);
}

/* Does control part somewhere in the body?  Up to GCC 11 jump threading turns such loops too (loop_source.cc). */
bool has_branch(class loop *loop, const shape_note *note) {
  for (unsigned i = 0; i < note->others.length(); i++)
    if (note->others[i]->loop_father == loop && EDGE_COUNT(note->others[i]->succs) > 1)
      return true;
  return false;
}

/* What is left of a loop that was noted; copies made since then have lost the order of their blocks. */
void loop_fence(class loop *loop) {
  edge way, stays;
  edge_iterator i;
  shape_note *note = note_find(loop);
  note = note ? note : loop_note(loop, false);
  others_fill(loop, note);
  if (!note->others.contains(note->body)) {
    note->body = loop->header;
    for (unsigned n = 0; n < note->tests.length(); n++)
      if (note->tests[n]->loop_father == loop)
        FOR_EACH_EDGE(way, i, note->tests[n]->succs)
    if (note->others.contains(way->dest))
      note->body = way->dest;
  }
  bool is_test = test_of(loop, note->body, &stays) != NULL;
  if (is_test ? !tests_last(loop, stays) : GCCPLUGIN_VERSION_MAJOR < 12 && has_branch(loop, note))
    barrier_put(note->body);
}

void loops_fence(function *fun) {
  class loop *loop;
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header && loop->latch)
      loop_fence(loop);
}

void barriers_remove(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
    gasm *statement = dyn_cast<gasm *>(gsi_stmt(at));
    if (statement && !strcmp(gimple_asm_string(statement), barrier_text))
      gsi_remove(&at, true);
    else
      gsi_next(&at);
  }
}

const pass_data shape_pass_data = {GIMPLE_PASS, "*prof_shape", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct shape_pass : gimple_opt_pass {
  void (*work)(function *fun);
  explicit shape_pass(void (*work)(function *fun)) : gimple_opt_pass(shape_pass_data, g), work(work) {}
  opt_pass *clone() override { return new shape_pass(work); }
  bool gate(function *fun) override {
    if (work == barriers_remove) /* whatever became of the loops */
      return noted_function == fun->funcdef_no;
    return prof_backend_unit.arch && asm_out_file && fun->after_inlining && prof_loops_are_wanted(fun);
  }
  unsigned execute(function *fun) override {
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS); /* loops and their blocks as they are now */
    work(fun);
    loop_optimizer_finalize();
    return 0;
  }
};

/* What is seen of the places of a loop's statements. */
struct places {
  tree scope;
  const char *file;
  int first, last;
};

/* What GCC predicts of a `continue`, and the one computed goto that it makes of all, stand elsewhere. */
bool has_place(gimple *statement) {
  return statement && gimple_code(statement) != GIMPLE_GOTO && gimple_code(statement) != GIMPLE_PREDICT &&
         LOCATION_LOCUS(gimple_location(statement)) != UNKNOWN_LOCATION;
}

/* Where a statement stands in `scope`: itself, or the call that it was inlined for; UNKNOWN_LOCATION: it isn't in it.
 */
location_t place_in(gimple *statement, tree scope) {
  location_t location = gimple_location(statement);
  for (tree at = scope_of(statement); at != scope; at = scope_from(BLOCK_SUPERCONTEXT(at))) {
    if (!at)
      return UNKNOWN_LOCATION;
    location = BLOCK_SOURCE_LOCATION(at);
  }
  return location;
}

void place_add(places *all, gimple *statement) {
  if (!has_place(statement) || is_gimple_debug(statement))
    return;
  expanded_location where = expand_location(place_in(statement, all->scope));
  if (!where.file || where.line <= 0 || strcmp(where.file, all->file))
    return;
  all->first = MIN(all->first, where.line);
  all->last = MAX(all->last, where.line);
}

/* A statement of the loop itself, a test that leaves it or the first that has a place; else one of a loop in it. */
gimple *representative_of(class loop *loop, basic_block *blocks) {
  for (unsigned pass = 0; pass < 3; pass++)
    for (unsigned i = 0; i < loop->num_nodes; i++) {
      edge stays;
      if (pass < 2 && blocks[i]->loop_father != loop)
        continue;
      if (pass == 0) {
        gimple *test = test_of(loop, blocks[i], &stays);
        if (has_place(test))
          return test;
        continue;
      }
      for (gimple_stmt_iterator at = gsi_start_nondebug_bb(blocks[i]); !gsi_end_p(at); gsi_next_nondebug(&at))
        if (has_place(gsi_stmt(at)))
          return gsi_stmt(at);
    }
  return NULL;
}

/*
 * The inlined function that a loop stands in: what all of its own statements were inlined into.  That of one statement
 * would not do: the test that ends `while (!at_end(f))` may be at_end's.
 */
tree scope_of_loop(class loop *loop, basic_block *blocks, gimple *representative) {
  tree scope = scope_of(representative);
  bool has_own = gimple_bb(representative)->loop_father == loop;
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(blocks[i]); !gsi_end_p(at) && scope; gsi_next_nondebug(&at))
      if ((blocks[i]->loop_father == loop || !has_own) && has_place(gsi_stmt(at)))
        scope = scope_around(scope, scope_of(gsi_stmt(at)));
  return scope;
}

/* Line of the source's variable that a test compares, in the file of `around`; 0: not known. */
int variable_line(tree operand, expanded_location around) {
  tree variable = TREE_CODE(operand) == SSA_NAME ? SSA_NAME_VAR(operand) : operand;
  if (!variable || !VAR_P(variable) || DECL_ARTIFICIAL(variable))
    return 0;
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(variable));
  return where.file && around.file && !strcmp(where.file, around.file) ? where.line : 0;
}

/*
 * The line of a loop that OpenMP shares out: its own statements have no places.  The directive's line is that of the
 * function made of it; the loop stands behind it, where its variable is, if that is its own.  The loop that asks for
 * more shares has nothing of its own, and stands at the directive.
 */
int shared_line(class loop *loop, int first, bool has_own) {
  expanded_location directive = expand_location(DECL_SOURCE_LOCATION(cfun->decl));
  if (!is_shared(cfun->decl) || directive.line >= first || !has_own)
    return is_shared(cfun->decl) && !has_own ? MIN(directive.line, first) : first;
  int line = directive.line + 1;
  auto exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++) {
    edge stays;
    gcond *test = test_of(loop, exits[i]->src, &stays);
    for (unsigned n = 0; test && n < 2; n++) {
      int other = variable_line(gimple_op(test, n), directive);
      line = other <= first ? MAX(line, other) : line;
    }
  }
  exits.release();
  return line;
}

const char *assembler_name_of(tree declaration) {
  if (HAS_DECL_ASSEMBLER_NAME_P(declaration) && DECL_ASSEMBLER_NAME_SET_P(declaration)) {
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
    return *name == '*' ? name + 1 : name;
  }
  return DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : "";
}

} // namespace

/* Is a block that was before the body still so?  Not if it ends the iteration, or has a part of the body in it. */
static bool is_before_body(class loop *loop, basic_block block, const shape_note *note) {
  edge stays;
  gcond *test = test_of(loop, block, &stays);
  if (!test)
    return true;
  return !tests_last(loop, stays) &&
         (stays->dest == note->body || note->tests.contains(stays->dest) || !begins_body(block, test));
}

/* The header may be a copy of a test. */
static bool begins_with_test(class loop *loop, const shape_note *note) {
  edge stays;
  if (note->tests.contains(loop->header))
    return is_before_body(loop, loop->header, note);
  return note->tests.length() && !note->others.contains(loop->header) && test_of(loop, loop->header, &stays) &&
         stays->dest == note->body;
}

/*
 * The blocks before the body that control takes in the loop as it is now: `ch` moves tests to the loop's end, where
 * they may be merged with a part of the body; and a part of the body may be computed before the test.  Blocks that are
 * new, as between the tests of a loop that the condition runs, are on the way to a test.
 */
static void tests_now(class loop *loop, auto_vec<basic_block> *blocks) {
  shape_note fresh;
  const shape_note *note = note_find(loop);
  if (!note) {
    shape_read(loop, noted_function != cfun->funcdef_no, &fresh);
    note = &fresh;
  }
  if (begins_with_test(loop, note))
    blocks->safe_push(loop->header);
  for (unsigned n = 0; n < blocks->length(); n++) {
    edge way;
    edge_iterator i;
    FOR_EACH_EDGE(way, i, (*blocks)[n]->succs)
    if (flow_bb_inside_loop_p(loop, way->dest) && !note->others.contains(way->dest) && !blocks->contains(way->dest) &&
        is_before_body(loop, way->dest, note))
      blocks->safe_push(way->dest);
  }
}

bool prof_loop_is_by_goto(class loop *loop) {
  const shape_note *note = note_find(loop);
  return note ? note->by_goto : has_user_label(loop);
}

bool prof_loop_leaves_before_body(class loop *loop, edge exit) {
  auto_vec<basic_block> blocks;
  tests_now(loop, &blocks);
  return blocks.contains(exit->src);
}

void prof_loop_body_edges(class loop *loop, auto_vec<edge> *edges) {
  edge way;
  edge_iterator i;
  auto_vec<basic_block> blocks;
  tests_now(loop, &blocks);
  for (unsigned n = 0; n < blocks.length(); n++)
    FOR_EACH_EDGE(way, i, blocks[n]->succs)
  if (flow_bb_inside_loop_p(loop, way->dest) && !blocks.contains(way->dest))
    edges->safe_push(way);
}

tree prof_loop_place(class loop *loop, struct prof_loop *facts) {
  basic_block *blocks = get_loop_body(loop);
  gimple *representative = representative_of(loop, blocks);
  tree origin = NULL_TREE;
  facts->file = facts->recorded_file = facts->source_function = "";
  if (representative) {
    tree scope = scope_of_loop(loop, blocks, representative);
    if (LOCATION_LOCUS(place_in(representative, scope)) == UNKNOWN_LOCATION)
      scope = scope_of(representative);
    expanded_location where = expand_location(place_in(representative, scope));
    places all = {scope, where.file ? where.file : "", where.line, where.line};
    for (unsigned i = 0; i < loop->num_nodes; i++)
      for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at); gsi_next(&at))
        place_add(&all, gsi_stmt(at));
    facts->file = all.file;
    facts->recorded_file = remap_debug_filename(all.file);
    edge stays;
    bool is_test = test_of(loop, gimple_bb(representative), &stays) == representative;
    facts->line = is_test ? all.first : shared_line(loop, all.first, gimple_bb(representative)->loop_father == loop);
    facts->last_line = all.last;
    origin = all.scope ? block_ultimate_origin(all.scope) : NULL_TREE;
    if (origin && TREE_CODE(origin) == FUNCTION_DECL)
      facts->source_function = assembler_name_of(origin);
    else
      origin = NULL_TREE;
  }
  free(blocks);
  return origin;
}

opt_pass *prof_loop_shape_pass_new(enum prof_loop_shape_step step) {
  static void (*const steps[])(function * fun) = {loops_note, loops_fence, barriers_remove};
  return new shape_pass(steps[step]);
}
