/*
 * loop_shape.cc - finds where the body of a loop begins.
 *
 * `while (c) body` tests first: control that leaves by the test has begun no iteration.  `for (;;) { a; if (c) break; b
 * }` has the same blocks, but its iteration begins at a.  The front ends of C and C++ lay out a body before its first
 * test, and passes keep that order.  In other languages lines decide: code computed for a test stands on the test's
 * line.  GCC's pass `ch` turns the first form into `if (c) do body while (c)`.  It would also copy the body's first
 * statements if a test follows them, so that an iteration would begin outside of the loop.  `ifcombine` would join the
 * two tests, so that the one that ended the loop would be unknown.  A barrier prevents both, from just before
 * `ifcombine` to just behind `ch`: a statement that is too large to copy and can't be skipped.
 */
#include "blocks.h"
#include "loops.h"

gcond *prof_loop_test_of(class loop *loop, basic_block block, edge *stays) {
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

namespace {

/* The tests before a loop's body, as they were before `ch`. */
struct shape_note {
  int loop;
  /* Only for comparison: passes renumber and remove blocks. */
  auto_vec<basic_block, 4> tests; /* in the order in which control takes them */
  basic_block body;               /* behind the tests; NULL: it is empty, and all blocks are tests */
  basic_block first;              /* first block of an empty loop */
  bool by_goto;
  auto_vec<basic_block> others; /* all blocks of the loop but the tests */
};

int noted_function = -1;
vec<shape_note *> notes;

const char barrier_text[] = "prof barrier\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

/*
 * Does the body begin in `block`, before `test` at its end?  It does if a statement there is on another line, or if the
 * test has no place, as in loops that OpenMP collapsed.
 */
bool begins_body(basic_block block, gcond *test) {
  expanded_location where = expand_location(gimple_location(test));
  tree scope = prof_loop_scope_of(test);
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple *statement = gsi_stmt(at);
    location_t location = gimple_location(statement);
    if (is_gimple_debug(statement) || gimple_code(statement) == GIMPLE_LABEL ||
        prof_loop_scope_of(statement) != scope || LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
      continue;
    expanded_location other = expand_location(location);
    if (other.file && (!where.file || (other.line != where.line && !strcmp(other.file, where.file))))
      return true;
  }
  return false;
}

/* Is it an empty block on a back edge? */
bool is_way_back(class loop *loop, basic_block block) {
  return prof_block_is_empty(block) && single_succ(block) == loop->header;
}

/* Does `stays`, the edge on which control stays in the loop, lead directly to the next iteration? */
bool tests_last(class loop *loop, edge stays) {
  return stays->dest == loop->header || (flow_bb_inside_loop_p(loop, stays->dest) && is_way_back(loop, stays->dest));
}

/* Decides by lines: fills tests; returns the block where the body begins. */
basic_block lines_read(class loop *loop, auto_vec<basic_block, 4> *tests) {
  basic_block block = loop->header;
  int line = 0;
  for (;;) {
    edge stays;
    gcond *test = prof_loop_test_of(loop, block, &stays);
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

/* Does it begin with a user's label?  Loop statements have labels of the compiler. */
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

/* Are its blocks in the order of the front ends of C and C++? */
bool is_ordered(tree declaration) {
  const_tree unit = get_ultimate_context(declaration);
  const char *language = unit && TREE_CODE(unit) == TRANSLATION_UNIT_DECL ? TRANSLATION_UNIT_LANGUAGE(unit) : NULL;
  language = language ? language : lang_hooks.name;
  return !strncmp(language, "GNU C", 5) && !prof_loop_is_shared_out(declaration);
}

/* Collects blocks of the loop that control reaches from its header without coming to `body` (NULL: none) or leaving
 * `among` (NULL: all). */
void reached_collect(class loop *loop, basic_block body, const_sbitmap among, auto_vec<basic_block, 4> *reached) {
  edge way;
  edge_iterator i;
  reached->safe_push(loop->header);
  for (unsigned n = 0; n < reached->length(); n++)
    FOR_EACH_EDGE(way, i, (*reached)[n]->succs)
  if (way->dest != body && flow_bb_inside_loop_p(loop, way->dest) &&
      (!among || bitmap_bit_p(among, way->dest->index)) && !reached->contains(way->dest))
    reached->safe_push(way->dest);
}

/* Decides by the order of blocks: the first test is laid out behind the body, so the body's first block is the
 * first. */
basic_block order_read(class loop *loop, auto_vec<basic_block, 4> *tests) {
  basic_block block, first = NULL;
  bool is_behind = false;
  auto_sbitmap behind(last_basic_block_for_fn(cfun));
  bitmap_clear(behind);
  FOR_EACH_BB_FN(block, cfun) {
    bool is_inside = flow_bb_inside_loop_p(loop, block) && !is_way_back(loop, block);
    is_behind |= block == loop->header;
    first = first || !is_inside ? first : block;
    if (is_behind && is_inside)
      bitmap_set_bit(behind, block->index);
  }
  if (first && first != loop->header) {
    reached_collect(loop, NULL, behind, tests);
    return first;
  }
  if (prof_loop_condition_read(loop, tests, &first))
    return first;
  tests->truncate(0);
  return loop->header;
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
  note->first = loop->header;
  note->by_goto = has_user_label(loop);
  others_fill(loop, note);
}

void notes_clear(int function) {
  while (notes.length())
    delete notes.pop();
  noted_function = function;
}

/* When GCC joins several back edges, the old header becomes the back edge, and the header is new. */
void note_follow(class loop *loop, shape_note *note) {
  if (!loop->latch || !prof_block_is_empty(loop->latch))
    return;
  note->body = note->body == loop->latch ? loop->header : note->body;
  note->first = note->first == loop->latch ? loop->header : note->first;
  for (unsigned i = 0; i < note->tests.length(); i++)
    note->tests[i] = note->tests[i] == loop->latch ? loop->header : note->tests[i];
}

shape_note *note_find(class loop *loop) {
  if (noted_function == cfun->funcdef_no)
    for (unsigned i = 0; i < notes.length(); i++)
      if (notes[i]->loop == loop->num) {
        note_follow(loop, notes[i]);
        return notes[i];
      }
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
  prof_loop_parts_note(fun);
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header) /* some have several back edges, which will be joined */
      loop_note(loop, true);
}

/* Does the body have a branch?  Up to GCC 11 jump threading rotates such loops too (loop_source.cc). */
bool has_branch(class loop *loop, const shape_note *note) {
  for (unsigned i = 0; i < note->others.length(); i++)
    if (note->others[i]->loop_father == loop && EDGE_COUNT(note->others[i]->succs) > 1)
      return true;
  return false;
}

/* An inner part that was made after loops were noted has the body of its whole loop. */
shape_note *part_note(class loop *loop) {
  class loop *outer = prof_loop_part_outermost(loop);
  shape_note *whole = outer != loop ? note_find(outer) : NULL;
  if (!whole || (whole->tests.length() && whole->body && !flow_bb_inside_loop_p(loop, whole->body)))
    return NULL;
  shape_note *note = new shape_note;
  note->loop = loop->num;
  note->by_goto = whole->by_goto;
  note->first = loop->header;
  note->body = whole->tests.length() ? whole->body : loop->header;
  if (note->body != loop->header)
    reached_collect(loop, note->body, NULL, &note->tests);
  notes.safe_push(note);
  return note;
}

/* Fences the rest of a noted loop; later copies have lost the order of their blocks. */
void loop_fence(class loop *loop) {
  edge way, stays;
  edge_iterator i;
  shape_note *note = note_find(loop);
  note = note ? note : part_note(loop);
  note = note ? note : loop_note(loop, false);
  others_fill(loop, note);
  if (!note->body)
    return;
  if (!note->others.contains(note->body)) {
    note->body = loop->header;
    for (unsigned n = 0; n < note->tests.length(); n++)
      if (note->tests[n]->loop_father == loop)
        FOR_EACH_EDGE(way, i, note->tests[n]->succs)
    if (note->others.contains(way->dest))
      note->body = way->dest;
  }
  bool is_test = prof_loop_test_of(loop, note->body, &stays) != NULL;
  if (is_test ? !tests_last(loop, stays) : GCCPLUGIN_VERSION_MAJOR < 12 && has_branch(loop, note))
    barrier_put(note->body);
}

void loops_fence(function *fun) {
  class loop *loop;
  if (noted_function != fun->funcdef_no) /* no loop was noted: barriers must be found again */
    notes_clear(fun->funcdef_no);
  prof_loop_parts_note(fun);
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header)
      loop_fence(loop);
}

/* Later passes may have merged the back edges of more loops. */
void parts_note(function *fun) {
  class loop *loop;
  prof_loop_parts_note(fun);
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header && loop->latch && prof_loop_is_part(loop) && !note_find(loop))
      part_note(loop);
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
    /* The present loops and blocks; finally with joined back edges, as `ch` would join them. */
    loop_optimizer_init(work == loops_fence || work == parts_note ? 0 : AVOID_CFG_MODIFICATIONS);
    work(fun);
    loop_optimizer_finalize();
    return 0;
  }
};

} // namespace

/* Is all of it still a condition, and nothing moved to its end? */
static bool tests_only(class loop *loop, const shape_note *note) {
  return !note->body && note->first == loop->header;
}

/* Is a block still before the body?  Not if it ends the iteration or has a part of the body in it. */
static bool is_before_body(class loop *loop, basic_block block, const shape_note *note) {
  edge stays;
  if (tests_only(loop, note))
    return true;
  gcond *test = prof_loop_test_of(loop, block, &stays);
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
  return note->tests.length() && !note->others.contains(loop->header) &&
         prof_loop_test_of(loop, loop->header, &stays) && stays->dest == note->body;
}

/*
 * The blocks before the body in the present loop.  `ch` moves tests to the loop's end, where they may be merged with a
 * part of the body; and a part of the body may be computed before the test.  New blocks, such as those of a loop in the
 * condition, lead to a test.  Returns tests_only.
 */
static bool tests_now(class loop *loop, auto_vec<basic_block> *blocks) {
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
  return tests_only(loop, note);
}

bool prof_loop_has_goto_label(class loop *loop) {
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
  bool only = tests_now(loop, &blocks);
  for (unsigned n = 0; n < blocks.length(); n++)
    FOR_EACH_EDGE(way, i, blocks[n]->succs)
  if (flow_bb_inside_loop_p(loop, way->dest) && (way->dest == loop->header || !blocks.contains(way->dest)))
    edges->safe_push(way);
  for (; only && loop != prof_loop_part_outermost(loop); loop = loop_outer(loop))
    edges->safe_push(loop_latch_edge(loop_outer(loop)));
}

opt_pass *prof_loop_shape_pass_new(enum prof_loop_shape_step step) {
  static void (*const steps[])(function * fun) = {loops_note, loops_fence, parts_note, barriers_remove};
  return new shape_pass(steps[step]);
}
