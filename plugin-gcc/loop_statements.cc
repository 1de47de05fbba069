/*
 * loop_statements.cc - notes the places of loop statements from the parser.
 *
 * In: functions of C and C++ before their statements become jumps.  Out: the statement of a GIMPLE loop, found by the
 * places of the loop's exits.  For other functions (Fortran, intermediate code of -flto, the compiler's own) statements
 * are unknown, which differs from none.
 */
#include "loops.h"

namespace {

struct loop_statement {
  const char *file;
  prof_source_place begin, last; /* of its keyword, or just behind it; of its last expression */
  prof_source_place condition;   /* its last expression; {0, 0}: no test at the begin */
  bool is_only_condition;
};

vec<loop_statement> statements; /* of the unit, outer ones before those in them */
vec<unsigned> functions;        /* that were seen, by DECL_UID */

prof_source_place place_of(location_t location) {
  expanded_location where = expand_location(location);
  return {(unsigned)where.line, (unsigned)where.column};
}

tree place_widen(tree *at, int *walk_subtrees, void *data) {
  loop_statement *statement = (loop_statement *)data;
  if (TYPE_P(*at))
    *walk_subtrees = 0;
  if (!EXPR_P(*at) || LOCATION_LOCUS(EXPR_LOCATION(*at)) == UNKNOWN_LOCATION)
    return NULL_TREE;
  expanded_location where = expand_location(EXPR_LOCATION(*at));
  prof_source_place end = place_of(DECL_STRUCT_FUNCTION(current_function_decl)->function_end_locus);
  prof_source_place here = {(unsigned)where.line, (unsigned)where.column};
  /* A default argument has the place of its function's declaration. */
  if (where.file && !strcmp(where.file, statement->file) && statement->last < here && (!end.line || here < end))
    statement->last = here;
  return NULL_TREE;
}

bool does_nothing(tree body) {
  if (!body || !TREE_SIDE_EFFECTS(body) || TREE_CODE(body) == DEBUG_BEGIN_STMT || TREE_CODE(body) == CONTINUE_STMT)
    return true;
  if (TREE_CODE(body) == BIND_EXPR)
    return does_nothing(BIND_EXPR_BODY(body));
  if (TREE_CODE(body) != STATEMENT_LIST)
    return false;
  for (tree_stmt_iterator at = tsi_start(body); !tsi_end_p(at); tsi_next(&at))
    if (!does_nothing(tsi_stmt(at)))
      return false;
  return true;
}

/*
 * The test before each iteration, and whether the loop does nothing else; operands by c-family/c-common.def.
 * NULL_TREE: no test, as with `do`, `for (;;)` and `while (1)`.
 */
tree condition_of(tree statement, bool *is_all) {
  bool is_for = TREE_CODE(statement) == FOR_STMT;
  tree condition = TREE_CODE(statement) == DO_STMT ? NULL_TREE : TREE_OPERAND(statement, is_for ? 1 : 0);
  *is_all = condition && does_nothing(TREE_OPERAND(statement, is_for ? 3 : 1)) &&
            (!is_for || does_nothing(TREE_OPERAND(statement, 2)));
  return condition && TREE_CONSTANT(condition) ? NULL_TREE : condition;
}

/* Notes an OpenMP loop that stays in its function; loops for OpenMP's clauses have the directive's place. */
void simd_take(tree simd) {
  tree first = OMP_FOR_INIT(simd) ? TREE_VEC_ELT(OMP_FOR_INIT(simd), 0) : NULL_TREE;
  expanded_location where = expand_location(first ? EXPR_LOCATION(first) : UNKNOWN_LOCATION);
  if (!where.file || where.line <= 0)
    return;
  prof_source_place begin = {(unsigned)where.line, (unsigned)where.column};
  loop_statement statement = {where.file, begin, begin, {0, 0}, false};
  tree parts[] = {OMP_FOR_BODY(simd), OMP_FOR_COND(simd), OMP_FOR_INCR(simd)};
  for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
    walk_tree_without_duplicates(&parts[i], place_widen, &statement);
  statements.safe_push(statement);
}

tree statement_take(tree *at, int *walk_subtrees, void *) {
  tree_code code = TREE_CODE(*at);
  if (TYPE_P(*at))
    *walk_subtrees = 0;
  if (code == OMP_SIMD)
    simd_take(*at);
  if (code != FOR_STMT && code != WHILE_STMT && code != DO_STMT)
    return NULL_TREE;
  /* `do ... while (0)` is no loop; loops without places can't be found. */
  tree condition = TREE_OPERAND(*at, 0);
  expanded_location where = expand_location(EXPR_LOCATION(*at));
  if ((code == DO_STMT && condition && integer_zerop(condition)) || !where.file || where.line <= 0)
    return NULL_TREE;
  prof_source_place begin = {(unsigned)where.line, (unsigned)where.column};
  loop_statement statement = {where.file, begin, begin, {0, 0}, false};
  tree first = condition_of(*at, &statement.is_only_condition);
  if (first) {
    walk_tree_without_duplicates(&first, place_widen, &statement);
    statement.condition = statement.last;
  }
  walk_tree_without_duplicates(at, place_widen, &statement);
  statements.safe_push(statement);
  return NULL_TREE;
}

void on_parsed_function(void *declaration, void *) {
  tree function = (tree)declaration, before = current_function_decl;
  if (!DECL_SAVED_TREE(function) || !DECL_STRUCT_FUNCTION(function))
    return;
  functions.safe_push(DECL_UID(function));
  current_function_decl = function; /* place_widen reads its end */
  walk_tree_without_duplicates(&DECL_SAVED_TREE(function), statement_take, NULL);
  current_function_decl = before;
}

bool contains(const loop_statement *statement, const char *file, const prof_source_place *place) {
  return !(*place < statement->begin) && !(statement->last < *place) && !strcmp(statement->file, file);
}

} // namespace

void prof_loop_statements_register(const char *plugin) {
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, on_parsed_function, NULL);
}

bool prof_loop_statements_are_known(tree function) {
  for (unsigned i = 0; i < functions.length(); i++)
    if (functions[i] == DECL_UID(function))
      return true;
  return false;
}

int prof_loop_statement_find(const char *file, const vec<prof_source_place> *places, const vec<int> *taken) {
  int found = -1;
  for (unsigned i = 0; i < statements.length(); i++) {
    bool fits = !taken->contains(i) && (found < 0 || statements[found].begin < statements[i].begin);
    for (unsigned n = 0; fits && n < places->length(); n++)
      fits = contains(&statements[i], file, &(*places)[n]);
    found = fits ? i : found;
  }
  return found;
}

prof_source_place prof_loop_statement_condition(int statement, prof_source_place *last) {
  *last = statements[statement].condition;
  return statements[statement].begin;
}

bool prof_loop_statement_is_only_condition(int statement) {
  return statements[statement].is_only_condition;
}

void prof_loop_statement_lines(int statement, uint32_t *first, uint32_t *last) {
  *first = statements[statement].begin.line;
  *last = statements[statement].last.line;
}
