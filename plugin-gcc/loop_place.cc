/*
 * loop_place.cc - finds a loop's place in the source: file, lines, inlined function, and whether it is a loop
 * statement.
 *
 * The places of a loop's GIMPLE give its function and lines.  The statement around the loop's exits
 * (loop_statements.cc) gives its begin: the keyword of `while (1)` has no place in GIMPLE.  Each of several nested
 * loops has its own statement; a loop without one was made by goto or by the compiler.
 */
#include "loops.h"

namespace {

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

/* Summary of the places of a loop's statements. */
struct places {
  tree scope;
  const char *file;
  int first, last;
};

/* GCC's prediction of a `continue`, and the computed goto that it merges all into, have places elsewhere. */
bool has_place(gimple *statement) {
  return statement && gimple_code(statement) != GIMPLE_GOTO && gimple_code(statement) != GIMPLE_PREDICT &&
         LOCATION_LOCUS(gimple_location(statement)) != UNKNOWN_LOCATION;
}

/* A statement's place in `scope`: its own, or that of the call that it was inlined for; UNKNOWN_LOCATION: it isn't
 * there. */
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

/* A statement of the loop itself, a test that leaves it or the first with a place; else one of an inner loop. */
gimple *representative_of(class loop *loop, basic_block *blocks) {
  for (unsigned pass = 0; pass < 3; pass++)
    for (unsigned i = 0; i < loop->num_nodes; i++) {
      edge stays;
      if (pass < 2 && blocks[i]->loop_father != loop)
        continue;
      if (pass == 0) {
        gimple *test = prof_loop_test_of(loop, blocks[i], &stays);
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
 * The inlined function that a loop stands in: the scope around all of its own statements.  One statement is not enough:
 * the test that ends `while (!at_end(f))` may be at_end's.
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

/* Line of the source variable that a test compares, in the file of `around`; 0: not known. */
int variable_line(tree operand, expanded_location around) {
  tree variable = TREE_CODE(operand) == SSA_NAME ? SSA_NAME_VAR(operand) : operand;
  if (!variable || !VAR_P(variable) || DECL_ARTIFICIAL(variable))
    return 0;
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(variable));
  return where.file && around.file && !strcmp(where.file, around.file) ? where.line : 0;
}

/*
 * The line of an OpenMP worksharing loop, whose own statements have no places.  The function made of the directive has
 * the directive's line.  The loop stands behind it, at its variable, if it has its own.  The loop that fetches more
 * chunks has no variable, and stands at the directive.  GCC 11 may know no line of it.
 */
int shared_line(class loop *loop, const char *file, int first, bool has_own) {
  expanded_location directive = expand_location(DECL_SOURCE_LOCATION(cfun->decl));
  bool is_known = directive.file && directive.line > 0;
  if (prof_loop_is_shared_out(cfun->decl) && !is_known)
    directive = {file, 0, 0, NULL, false};
  if (!prof_loop_is_shared_out(cfun->decl) || directive.line >= first || !has_own)
    return prof_loop_is_shared_out(cfun->decl) && !has_own && is_known ? MIN(directive.line, first) : first;
  int line = is_known ? directive.line + 1 : 0;
  auto exits = get_loop_exit_edges(loop);
  for (unsigned i = 0; i < exits.length(); i++) {
    edge stays;
    gcond *test = prof_loop_test_of(loop, exits[i]->src, &stays);
    for (unsigned n = 0; test && n < 2; n++) {
      int other = variable_line(gimple_op(test, n), directive);
      line = other <= first ? MAX(line, other) : line;
    }
  }
  exits.release();
  return line ? line : first;
}

const char *assembler_name_of(tree declaration) {
  if (HAS_DECL_ASSEMBLER_NAME_P(declaration) && DECL_ASSEMBLER_NAME_SET_P(declaration)) {
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
    return *name == '*' ? name + 1 : name;
  }
  return DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : "";
}

} // namespace

tree prof_loop_scope_of(gimple *statement) {
  return scope_of(statement);
}

bool prof_loop_is_shared_out(tree declaration) {
  return DECL_NAME(declaration) && strstr(IDENTIFIER_POINTER(DECL_NAME(declaration)), "._omp_fn.");
}

namespace {

/* A loop, and the scope in which it is viewed. */
struct loop_view {
  class loop *loop;
  basic_block *blocks;
  gimple *representative; /* NULL: no statement has a place */
  tree scope;
  expanded_location where; /* of the representative, in the scope */

  explicit loop_view(class loop *loop) : loop(loop), blocks(get_loop_body(loop)), scope(NULL_TREE), where() {
    representative = representative_of(loop, blocks);
    if (!representative)
      return;
    tree whole = scope_of_loop(loop, blocks, representative);
    move(LOCATION_LOCUS(place_in(representative, whole)) == UNKNOWN_LOCATION ? scope_of(representative) : whole);
  }
  ~loop_view() { free(blocks); }
  /* Changes to a scope around the representative. */
  void move(tree to) {
    scope = to;
    where = expand_location(place_in(representative, scope));
    where.file = where.file ? where.file : "";
  }
};

/* The function that a scope was inlined from. */
tree origin_of(tree scope) {
  tree origin = scope ? block_ultimate_origin(scope) : NULL_TREE;
  return origin && TREE_CODE(origin) == FUNCTION_DECL ? origin : NULL_TREE;
}

bool place_push(const loop_view *view, gimple *statement, vec<prof_source_place> *places) {
  if (!has_place(statement) || is_gimple_debug(statement))
    return false;
  expanded_location where = expand_location(place_in(statement, view->scope));
  if (!where.file || where.line <= 0 || strcmp(where.file, view->where.file))
    return false;
  places->safe_push({(unsigned)where.line, (unsigned)where.column});
  return true;
}

/* Adds the places of the loop's exits, without exceptions, which GCC may place at the end of the function. */
void exits_push(const loop_view *view, vec<prof_source_place> *places) {
  auto exits = get_loop_exit_edges(view->loop);
  for (unsigned i = 0; i < exits.length(); i++) {
    gimple_stmt_iterator last = gsi_last_nondebug_bb(exits[i]->src);
    if (!gsi_end_p(last) && !(exits[i]->flags & (EDGE_EH | EDGE_ABNORMAL)))
      place_push(view, gsi_stmt(last), places);
  }
  exits.release();
}

/* Adds the place where its first block begins. */
void header_push(const loop_view *view, vec<prof_source_place> *places) {
  for (gimple_stmt_iterator at = gsi_start_bb(view->loop->header); !gsi_end_p(at); gsi_next(&at))
    if (place_push(view, gsi_stmt(at), places))
      return;
}

/*
 * The statement around all of the loop's exits, or around its representative if there are none.  A statement that is
 * one loop with a goto back to it is found by its beginning.  -1: none.
 */
int statement_find(const loop_view *view, const vec<int> *taken) {
  auto_vec<prof_source_place> places;
  exits_push(view, &places);
  if (!places.length())
    place_push(view, view->representative, &places);
  int found = places.length() ? prof_loop_statement_find(view->where.file, &places, taken) : -1;
  if (found >= 0 || view->loop->inner)
    return found;
  places.truncate(0);
  header_push(view, &places);
  return places.length() ? prof_loop_statement_find(view->where.file, &places, taken) : -1;
}

/* The statement of a loop around the wanted one. */
struct taken_statement {
  tree scope;
  int statement;
};

/*
 * Looks in the loop's scope, or in one around it if the loop has inlined code only: all of `while (accept(c)) {}` is
 * code of accept, which has no loop.  Then moves the view to that scope.
 */
int statement_in_scopes(loop_view *view, const vec<taken_statement> *around) {
  for (tree scope = view->scope;; scope = scope_from(BLOCK_SUPERCONTEXT(scope))) {
    loop_view outside(view->loop);
    if (outside.representative)
      outside.move(scope);
    auto_vec<int> taken;
    for (unsigned i = 0; i < around->length(); i++)
      if ((*around)[i].scope == scope)
        taken.safe_push((*around)[i].statement);
    int found = outside.representative ? statement_find(&outside, &taken) : -1;
    if (found >= 0)
      view->move(scope);
    if (found >= 0 || !scope)
      return found;
  }
}

/* Finds the statements of the loops around it first. */
int statement_of(loop_view *view) {
  auto_vec<taken_statement> around;
  for (unsigned depth = 1; depth < loop_depth(view->loop); depth++) {
    loop_view outer(superloop_at_depth(view->loop, depth));
    int statement = outer.representative ? statement_in_scopes(&outer, &around) : -1;
    around.safe_push({outer.scope, statement});
  }
  return statement_in_scopes(view, &around);
}

void lines_set(const loop_view *view, struct prof_candidate_loop *facts) {
  places all = {view->scope, view->where.file, view->where.line, view->where.line};
  for (unsigned i = 0; i < view->loop->num_nodes; i++)
    for (gimple_stmt_iterator at = gsi_start_bb(view->blocks[i]); !gsi_end_p(at); gsi_next(&at))
      place_add(&all, gsi_stmt(at));
  basic_block block = gimple_bb(view->representative);
  edge stays;
  bool is_test = prof_loop_test_of(view->loop, block, &stays) == view->representative;
  facts->line =
      is_test ? all.first : shared_line(view->loop, view->where.file, all.first, block->loop_father == view->loop);
  facts->last_line = all.last;
}

/* Excludes code for exceptions in the loop, which may stand at the end of the function. */
void lines_narrow(struct prof_candidate_loop *facts, int statement) {
  uint32_t first, last;
  prof_loop_statement_lines(statement, &first, &last);
  facts->line = MIN(facts->line, first);
  facts->last_line = MAX(facts->line, MIN(facts->last_line, last));
}

} // namespace

bool prof_loop_lacks_statement(class loop *loop, class loop *outer) {
  loop_view view(loop), around(outer);
  tree scope = view.scope, origin = origin_of(scope);
  return view.representative && around.representative && scope == around.scope &&
         !prof_loop_is_shared_out(cfun->decl) &&
         prof_loop_statements_are_known(origin ? origin : DECL_ORIGIN(cfun->decl)) && statement_of(&view) < 0;
}

/* Do all places of a block stand in a statement's condition? */
static bool is_of_condition(const loop_view *view, basic_block block, prof_source_place first, prof_source_place last) {
  auto_vec<prof_source_place> places;
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    place_push(view, gsi_stmt(at), &places);
  for (unsigned i = 0; i < places.length(); i++)
    if (places[i] < first || last < places[i])
      return false;
  return true;
}

bool prof_loop_condition_read(class loop *loop, auto_vec<basic_block, 4> *tests, basic_block *body) {
  loop_view view(prof_loop_part_outermost(loop));
  tree origin = origin_of(view.scope);
  edge way;
  edge_iterator i;
  prof_source_place last = {};
  if (!view.representative || prof_loop_is_shared_out(cfun->decl) ||
      !prof_loop_statements_are_known(origin ? origin : DECL_ORIGIN(cfun->decl)))
    return false;
  int statement = statement_of(&view);
  prof_source_place first = statement < 0 ? last : prof_loop_statement_condition(statement, &last);
  *body = NULL;
  if (!last.line || !is_of_condition(&view, loop->header, first, last))
    return false;
  tests->safe_push(loop->header);
  for (unsigned n = 0; n < tests->length(); n++)
    FOR_EACH_EDGE(way, i, (*tests)[n]->succs) {
      if (!flow_bb_inside_loop_p(loop, way->dest) || tests->contains(way->dest) || way->dest == *body)
        continue;
      if (is_of_condition(&view, way->dest, first, last))
        tests->safe_push(way->dest);
      else if (*body)
        return false;
      else
        *body = way->dest;
    }
  return *body || prof_loop_statement_is_only_condition(statement);
}

tree prof_loop_place(class loop *loop, struct prof_candidate_loop *facts) {
  loop_view view(loop);
  facts->file = facts->recorded_file = facts->source_function = "";
  facts->made_by_goto = prof_loop_has_goto_label(loop);
  if (!view.representative)
    return NULL_TREE;
  tree origin = origin_of(view.scope);
  int statement = -1;
  if (!prof_loop_is_shared_out(cfun->decl) &&
      prof_loop_statements_are_known(origin ? origin : DECL_ORIGIN(cfun->decl))) {
    statement = statement_of(&view);
    facts->made_by_goto = statement < 0;
    origin = origin_of(view.scope);
  }
  facts->file = view.where.file;
  facts->recorded_file = remap_debug_filename(view.where.file);
  facts->source_function = origin ? assembler_name_of(origin) : "";
  lines_set(&view, facts);
  if (statement >= 0)
    lines_narrow(facts, statement);
  return origin;
}
