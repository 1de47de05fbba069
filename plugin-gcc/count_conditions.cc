/*
 * count_conditions.cc - lines=count: the conditions of the source, also where GCC optimises.
 *
 * In: functions of C and C++ while the front end folds their expressions.  Out: `a && b` and `a || b` as they stand
 * there.  When GCC optimises, its front end makes one test of two (`x < 1 || x > 9`, two bits of a word) before any
 * plugin sees the function; the second, on a line of its own, would have no count, or the count of both.  So
 * expressions are folded as at -O0: C's while a function is parsed, C++'s when it is complete.  What comes later knows
 * the level that was asked for, and joins the tests where no counter stands between them.
 *
 * What else the front ends do by the level: __builtin_constant_p of what isn't constant in the source is 0 then.
 */
#include "compat.h"

#include "backend.h"

namespace {

unsigned parsed_count; /* functions that are parsed now, one in another */
void (*target_set_function)(tree);

int asked_level() {
  return TREE_OPTIMIZATION(optimization_current_node)->x_optimize;
}

/* The function's own attributes, which begin with the options that were asked for, come after this; then it is set. */
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
