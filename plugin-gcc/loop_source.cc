/*
 * loop_source.cc - how the source selects loops: the attribute prof_loops, and `#pragma prof loop`.
 *
 * The pragma stores its line in an attribute of its function, so that copies of the function and its intermediate code
 * (-flto) have it.
 */
#include "loops.h"

namespace {

tree attribute_take(tree *node, tree, tree, int, bool *no_add) {
  *no_add = TREE_CODE(*node) != FUNCTION_DECL;
  prof_loops_annotated |= !*no_add;
  return NULL_TREE;
}

struct attribute_spec loops_attribute = {"prof_loops", 0, 0, true, false, false, false, attribute_take, NULL};
struct attribute_spec line_attribute = {PROF_LOOP_LINE_ATTRIBUTE, 1, 1, true, false, false, false, NULL, NULL};

void pragma_take(struct cpp_reader *) {
  location_t location = input_location;
  if (!current_function_decl) {
    warning_at(location, OPT_Wpragmas, "%<#pragma prof loop%> stands before a loop in a function");
    return;
  }
  tree line = build_int_cst(unsigned_type_node, LOCATION_LINE(location));
  tree *attributes = &DECL_ATTRIBUTES(current_function_decl);
  *attributes = tree_cons(get_identifier(PROF_LOOP_LINE_ATTRIBUTE), build_tree_list(NULL_TREE, line), *attributes);
  prof_loops_annotated = true;
}

void on_pragmas(void *, void *) {
  if (c_register_pragma)
    c_register_pragma("prof", "loop", pragma_take);
}

void on_loop_attributes(void *, void *) {
  register_attribute(&loops_attribute);
  register_attribute(&line_attribute);
}

void pass_register(const char *plugin, opt_pass *pass, const char *reference, int instance,
                   pass_positioning_ops place) {
  register_pass_info info = {pass, reference, instance, place};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

} // namespace

void prof_loops_register(const char *plugin) {
  prof_loop_statements_register(plugin);
  register_callback(plugin, PLUGIN_PRAGMAS, on_pragmas, NULL);
  register_callback(plugin, PLUGIN_ATTRIBUTES, on_loop_attributes, NULL);
  pass_register(plugin, prof_loop_shape_pass_new(PROF_LOOP_SHAPE_READ), "cunrolli", 0, PASS_POS_INSERT_BEFORE);
  pass_register(plugin, prof_loop_shape_pass_new(PROF_LOOP_SHAPE_FENCE), "ifcombine", 0, PASS_POS_INSERT_BEFORE);
  pass_register(plugin, prof_loop_shape_pass_new(PROF_LOOP_SHAPE_PARTS), "ch", 0, PASS_POS_INSERT_BEFORE);
  /* Up to GCC 11, jump threading may rotate a loop so that it begins behind a test in its body. */
  if (GCCPLUGIN_VERSION_MAJOR < 12) {
    pass_register(plugin, prof_loop_threads_pass_new(true), "ethread", 0, PASS_POS_INSERT_BEFORE);
    pass_register(plugin, prof_loop_threads_pass_new(false), "ethread", 0, PASS_POS_INSERT_AFTER);
    pass_register(plugin, prof_loop_threads_pass_new(true), "thread", 1, PASS_POS_INSERT_BEFORE);
    pass_register(plugin, prof_loop_threads_pass_new(false), "loop", 1, PASS_POS_INSERT_BEFORE);
    pass_register(plugin, prof_loop_shape_pass_new(PROF_LOOP_SHAPE_OPEN), "loop", 1, PASS_POS_INSERT_BEFORE);
  } else
    pass_register(plugin, prof_loop_shape_pass_new(PROF_LOOP_SHAPE_OPEN), "ch", 0, PASS_POS_INSERT_AFTER);
  pass_register(plugin, prof_loops_pass_new(), "loop", 1, PASS_POS_INSERT_BEFORE);
  pass_register(plugin, prof_loops_idle_pass_new(), "ifcvt", 1, PASS_POS_INSERT_BEFORE);
  pass_register(plugin, prof_loops_vectorised_pass_new(), "vect", 1, PASS_POS_INSERT_AFTER);
}
