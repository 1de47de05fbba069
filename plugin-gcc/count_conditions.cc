/*
 * count_conditions.cc - lines=count: keeps the source's conditions when GCC optimises.
 *
 * In: functions of C and C++ while the front end folds their expressions.  Out: `a && b` and `a || b` unchanged.  When
 * GCC optimises, its front end joins two tests (`x < 1 || x > 9`, two bits of a word) before any plugin sees the
 * function; the second, on a line of its own, would have no count, or the count of both.  So expressions are folded as
 * at -O0: C's while a function is parsed, C++'s when it is complete.  Later passes run at the requested level, and join
 * tests without a counter between them.
 *
 * Side effect: __builtin_constant_p of an expression that isn't constant in the source is 0.
 */
#include "compat.h"

#include "backend.h"

namespace {

unsigned parsed_count; /* nested functions being parsed */
void (*target_set_function)(tree);

int asked_level() {
  return TREE_OPTIMIZATION(optimization_current_node)->x_optimize;
}

/* The function's own attributes, which start from the requested options, come later, and then the level is set. */
void on_parse(void *, void *) {
  parsed_count++;
}

void on_set_function(tree function) {
  target_set_function(function);
  if (parsed_count > 0)
    optimize = function ? 0 : asked_level();
}

void on_parsed(void *, void *) {
  if (parsed_count > 0 && --parsed_count == 0)
    optimize = asked_level();
}

} // namespace

void prof_count_conditions_register(const char *plugin) {
  if (prof_backend_unit.arguments.lines != PROF_LINES_COUNT || in_lto_p || !(lang_GNU_C() || lang_GNU_CXX()))
    return;
  register_callback(plugin, PLUGIN_START_PARSE_FUNCTION, on_parse, NULL);
  register_callback(plugin, PLUGIN_FINISH_PARSE_FUNCTION, on_parsed, NULL);
  target_set_function = targetm.set_current_function;
  targetm.set_current_function = on_set_function;
}
