/*
 * iterations.cc - probes at the begin and end of the bodies of loops that the argument `iterations` names.
 *
 * In: functions of C and C++ before their statements become jumps.  Out: the body of such a loop is
 *
 *     probe;  try { body } finally { probe; }
 *
 * so that GCC itself finds every way out of it.  The probes are complete asm statements: the optimisers copy them with
 * the code around them, and -flto keeps them.  The function is not inlined, and has probes whatever else was asked for.
 */
#include "compat.h"

#include "backend.h"
#include "iteration.h"

namespace {

/* Stands for the number that GCC gives each copy of a statement. */
#define UNIQUE "\1"

struct chosen {
  struct prof_candidate *facts; /* of the function */
  tree function;
  bool all; /* the function's outermost loops; else those of FILE:LINE */
  bool any; /* one was found */
};

/* The jumps and labels of a piece of code. */
struct jumps {
  auto_vec<tree> labels, targets; /* of a goto */
  unsigned computed, taken;       /* gotos; addresses of labels */
};

tree jump_take(tree *at, int *walk_subtrees, void *data) {
  jumps *all = (jumps *)data;
  tree code = *at;
  if (TYPE_P(code))
    *walk_subtrees = 0;
  else if (TREE_CODE(code) == LABEL_EXPR)
    all->labels.safe_push(LABEL_EXPR_LABEL(code));
  else if (TREE_CODE(code) == GOTO_EXPR && TREE_CODE(GOTO_DESTINATION(code)) == LABEL_DECL)
    all->targets.safe_push(GOTO_DESTINATION(code));
  else if (TREE_CODE(code) == GOTO_EXPR)
    all->computed++;
  else if (TREE_CODE(code) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(code, 0)) == LABEL_DECL)
    all->taken++;
  return NULL_TREE;
}

void jumps_read(jumps *all, tree *code) {
  all->computed = all->taken = 0;
  walk_tree_without_duplicates(code, jump_take, all);
}

unsigned count_of(const auto_vec<tree> *all, tree one) {
  unsigned count = 0;
  for (unsigned i = 0; i < all->length(); i++)
    count += (*all)[i] == one;
  return count;
}

/* A case of a switch around the code. */
tree case_find(tree *at, int *walk_subtrees, void *) {
  if (TYPE_P(*at) || TREE_CODE(*at) == SWITCH_STMT)
    *walk_subtrees = 0;
  return TREE_CODE(*at) == CASE_LABEL_EXPR ? *at : NULL_TREE;
}

/* Can control come into the body without its begin, or leave it by a jump that GCC doesn't follow? */
bool is_entered_elsewhere(tree *body, tree function) {
  jumps inside, all;
  jumps_read(&inside, body);
  if (walk_tree_without_duplicates(body, case_find, NULL))
    return true;
  if (inside.labels.is_empty() && !inside.computed)
    return false;
  jumps_read(&all, &DECL_SAVED_TREE(function));
  for (unsigned i = 0; i < inside.labels.length(); i++)
    if (count_of(&inside.targets, inside.labels[i]) != count_of(&all.targets, inside.labels[i]))
      return true;
  return all.computed && (inside.computed != all.computed || inside.labels.length() != all.labels.length());
}

tree probe_new(const struct prof_iteration *loop, bool begins) {
  struct prof_text text = {}, escaped = {};
  prof_iteration_probe(&text, prof_backend_unit.arch, ".Lprof_iteration" UNIQUE, loop, begins);
  for (const char *at = prof_text_string(&text); *at;) {
    char part[256];
    size_t plain = strcspn(at, UNIQUE), bytes = plain < sizeof part ? plain : sizeof part - 1;
    memcpy(part, at, bytes);
    part[bytes] = 0;
    prof_text_add_template(&escaped, part);
    at += bytes;
    if (*at == *UNIQUE) {
      prof_text_add(&escaped, "%=");
      at++;
    }
  }
  if (text.failed || escaped.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  tree string = build_string(escaped.length, prof_text_string(&escaped));
  tree probe = build5(ASM_EXPR, void_type_node, string, NULL_TREE, NULL_TREE, NULL_TREE, NULL_TREE);
  ASM_VOLATILE_P(probe) = 1;
  ASM_INLINE_P(probe) = 1;
  prof_text_fini(&text);
  prof_text_fini(&escaped);
  return probe;
}

void body_wrap(const chosen *state, tree *body, expanded_location where) {
  struct prof_iteration loop = {lang_hooks.decl_printable_name(state->function, 0), remap_debug_filename(where.file),
                                (uint32_t)where.line, state->facts->language};
  tree all = NULL_TREE, inner = *body ? *body : build_empty_stmt(UNKNOWN_LOCATION);
  append_to_statement_list(probe_new(&loop, true), &all);
  append_to_statement_list(build2(TRY_FINALLY_EXPR, void_type_node, inner, probe_new(&loop, false)), &all);
  TREE_SIDE_EFFECTS(all) = 1;
  *body = all;
}

/* The body of a loop, and where its statement begins; NULL: it is no loop.  Operands by c-family/c-common.def. */
tree *body_of(tree statement, location_t *place) {
  tree first;
  *place = EXPR_LOCATION(statement);
  switch (TREE_CODE(statement)) {
  case FOR_STMT:
    return &TREE_OPERAND(statement, 3);
  case DO_STMT:
    if (TREE_OPERAND(statement, 0) && integer_zerop(TREE_OPERAND(statement, 0)))
      return NULL; /* do ... while (0) */
    return &TREE_OPERAND(statement, 1);
  case WHILE_STMT:
    return &TREE_OPERAND(statement, 1);
  case OMP_FOR:
  case OMP_SIMD:
  case OMP_DISTRIBUTE:
  case OMP_TASKLOOP:
    first = OMP_FOR_INIT(statement) ? TREE_VEC_ELT(OMP_FOR_INIT(statement), 0) : NULL_TREE;
    if (first && EXPR_P(first))
      *place = EXPR_LOCATION(first);
    return OMP_FOR_BODY(statement) ? &OMP_FOR_BODY(statement) : NULL;
  default:
    return NULL;
  }
}

tree loop_take(tree *at, int *walk_subtrees, void *data) {
  chosen *state = (chosen *)data;
  location_t place;
  if (TYPE_P(*at)) {
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  tree *body = body_of(*at, &place);
  expanded_location where = expand_location(place);
  if (!body || !where.file || where.line <= 0)
    return NULL_TREE;
  if (!state->all && !prof_select_iterations_at(&prof_backend_unit.arguments, where.file, where.line))
    return NULL_TREE;
  *walk_subtrees = 0; /* loops inside have no iterations of their own */
  if (is_entered_elsewhere(body, state->function))
    return NULL_TREE;
  body_wrap(state, body, where);
  state->any = true;
  return NULL_TREE;
}

void attribute_add(tree function, const char *name) {
  if (!lookup_attribute(name, DECL_ATTRIBUTES(function)))
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(function));
}

void on_function(void *declaration, void *) {
  tree function = (tree)declaration;
  const struct prof_arguments *arguments = &prof_backend_unit.arguments;
  bool asked = arguments->iterations.functions.count || arguments->iterations.places.count;
  if (!asked || !prof_backend_unit.arch || TREE_CODE(function) != FUNCTION_DECL || !DECL_SAVED_TREE(function) ||
      !DECL_STRUCT_FUNCTION(function))
    return;
  prof_description description;
  prof_description_init(&description, DECL_STRUCT_FUNCTION(function));
  description.facts.annotated = true;
  chosen state = {&description.facts, function, prof_select_iterations(arguments, &description.facts), false};
  if (prof_select(arguments, &description.facts) == PROF_REASON_PROBED)
    walk_tree_without_duplicates(&DECL_SAVED_TREE(function), loop_take, &state);
  if (state.any)
    attribute_add(function, "prof_probe"); /* on_function of plugin.cc then keeps it from being inlined */
  prof_description_fini(&description);
}

} // namespace

void prof_iterations_register(const char *plugin) {
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, on_function, NULL);
}
