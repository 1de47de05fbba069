/*
 * values.cc - arguments and returned values of the functions that the plugin's argument `values` names.
 *
 * In: final GIMPLE, after the function's exits were found.  Out: asm statements whose operand is the value as 64 bits.
 * A pass at the begin makes the optimisers treat these functions as if callers didn't know their code.  Else they
 * remove parameters, and texts that a caller has made but the function doesn't read.
 */
#include "values.h"

namespace {

/* Not by char_type_node: with -flto types have been read from a file. */
bool is_plain_char(tree type) {
  tree name = TREE_CODE(type) == INTEGER_TYPE ? TYPE_IDENTIFIER(TYPE_MAIN_VARIANT(type)) : NULL_TREE;
  return name && !strcmp(IDENTIFIER_POINTER(name), "char");
}

/* Types that have a value in one register. */
enum prof_value_type type_of(tree type) {
  switch (TREE_CODE(type)) {
  case BOOLEAN_TYPE:
    return PROF_VALUE_BOOL;
  case INTEGER_TYPE:
    if (is_plain_char(type))
      return PROF_VALUE_CHARACTER;
    /* fall through */
  case ENUMERAL_TYPE:
    return TYPE_PRECISION(type) > 64 ? PROF_VALUE_OTHER : TYPE_UNSIGNED(type) ? PROF_VALUE_UNSIGNED : PROF_VALUE_SIGNED;
  case REAL_TYPE:
    return DECIMAL_FLOAT_TYPE_P(type)   ? PROF_VALUE_OTHER
           : TYPE_PRECISION(type) == 32 ? PROF_VALUE_FLOAT
           : TYPE_PRECISION(type) == 64 ? PROF_VALUE_DOUBLE
                                        : PROF_VALUE_OTHER;
  case POINTER_TYPE:
    return is_plain_char(TREE_TYPE(type)) && TYPE_READONLY(TREE_TYPE(type)) ? PROF_VALUE_TEXT : PROF_VALUE_ADDRESS;
  case REFERENCE_TYPE:
    return PROF_VALUE_ADDRESS;
  default:
    return PROF_VALUE_OTHER;
  }
}

/* The value as 64 bits; its statements are added to *before. */
tree bits_of(gimple_seq *before, tree value) {
  tree type = TREE_TYPE(value), bits = long_unsigned_type_node;
  if (TREE_CODE(type) == REAL_TYPE)
    return gimple_build(before, VIEW_CONVERT_EXPR, bits, gimple_build(before, NOP_EXPR, double_type_node, value));
  if (!POINTER_TYPE_P(type) && !TYPE_UNSIGNED(type))
    value = gimple_build(before, NOP_EXPR, long_integer_type_node, value);
  return gimple_build(before, NOP_EXPR, bits, value);
}

/* Adds a value's statement, and what it needs, to *to. */
void value_add(gimple_seq *to, const struct prof_valued *valued, const struct prof_candidate_value *value, tree source,
               uint32_t line) {
  struct prof_text text = {}, escaped = {};
  vec<tree, va_gc> *inputs = NULL, *clobbers = NULL;
  tree bits = bits_of(to, source);
  vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, build_string(2, "r")), bits));
  prof_probe_add_value(&text, valued->facts, valued->key, value, line);
  prof_text_add_template(&escaped, prof_text_string(&text));
  prof_text_add(&escaped, PROF_TARGET_REGISTER);
  if (text.failed || escaped.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  if ((value->flags & ~PROF_ROW_RETURNED) == prof_value_flags(PROF_VALUE_TEXT)) { /* its bytes are in memory by then */
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(6, "memory")));
    mark_virtual_operands_for_renaming(cfun);
  }
  gasm *probe = gimple_build_asm_vec(ggc_strdup(prof_text_string(&escaped)), inputs, NULL, clobbers, NULL);
  gimple_asm_set_volatile(probe, true);
  gimple_seq_add_stmt(to, probe);
  prof_text_fini(&text);
  prof_text_fini(&escaped);
}

/* What the parameter holds at the entry. */
tree parameter_read(gimple_seq *to, function *fun, tree parameter) {
  if (is_gimple_reg(parameter))
    return get_or_create_ssa_default_def(fun, parameter);
  tree value = make_ssa_name(TYPE_MAIN_VARIANT(TREE_TYPE(parameter)));
  gimple_seq_add_stmt(to, gimple_build_assign(value, parameter));
  mark_virtual_operands_for_renaming(fun);
  return value;
}

/* What the return behind `way` returns there; NULL_TREE: nothing that has a value. */
tree returned_on_edge(edge way) {
  gimple_stmt_iterator last = gsi_last_nondebug_bb(way->dest);
  greturn *end = gsi_end_p(last) ? NULL : dyn_cast<greturn *>(gsi_stmt(last));
  tree value = end ? gimple_return_retval(end) : NULL_TREE;
  if (!value || TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value))
    return value;
  gimple *from = SSA_NAME_DEF_STMT(value);
  if (gimple_bb(from) != way->dest)
    return value;
  return gimple_code(from) == GIMPLE_PHI ? PHI_ARG_DEF_FROM_EDGE(as_a<gphi *>(from), way) : NULL_TREE;
}

bool is_chosen(const struct prof_candidate *facts) {
  return prof_select_values(&prof_backend_unit.arguments, facts);
}

void function_keep(function *fun) {
  prof_description description;
  prof_description_init(&description, fun);
  static const char *const attributes[] = {"noipa", "noinline", "noclone", "no_icf"};
  if (is_chosen(&description.facts) && !lookup_attribute("always_inline", DECL_ATTRIBUTES(fun->decl))) {
    DECL_UNINLINABLE(fun->decl) = 1;
    for (const char *attribute : attributes)
      if (!lookup_attribute(attribute, DECL_ATTRIBUTES(fun->decl)))
        DECL_ATTRIBUTES(fun->decl) = tree_cons(get_identifier(attribute), NULL_TREE, DECL_ATTRIBUTES(fun->decl));
  }
  prof_description_fini(&description);
}

const pass_data values_pass_data = {GIMPLE_PASS, "prof_values", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct values_pass : gimple_opt_pass {
  values_pass() : gimple_opt_pass(values_pass_data, g) {}
  opt_pass *clone() override { return new values_pass; }
  bool gate(function *) override { return prof_backend_unit.arguments.values.count && !in_lto_p; }
  unsigned execute(function *fun) override {
    function_keep(fun);
    return 0;
  }
};

} // namespace

/* Made by an optimiser: "ISRA.2". */
static bool is_part(tree parameter) {
  return strchr(IDENTIFIER_POINTER(DECL_NAME(parameter)), '.') != NULL;
}

gimple_seq prof_values_entered(const struct prof_valued *valued, function *fun) {
  gimple_seq all = NULL;
  if (!is_chosen(valued->facts))
    return all;
  for (tree parameter = DECL_ARGUMENTS(fun->decl); parameter; parameter = DECL_CHAIN(parameter)) {
    enum prof_value_type type = type_of(TREE_TYPE(parameter));
    if (type == PROF_VALUE_OTHER || !DECL_NAME(parameter) || DECL_BY_REFERENCE(parameter) || is_part(parameter))
      continue;
    const struct prof_candidate_value value = {IDENTIFIER_POINTER(DECL_NAME(parameter)), prof_value_flags(type)};
    value_add(&all, valued, &value, parameter_read(&all, fun, parameter), valued->facts->line);
  }
  return all;
}

/* The declaration's type, not the value's: `return 'x'` of a function that returns bool. */
static gimple_seq returned(const struct prof_valued *valued, function *fun, tree value, uint32_t line) {
  gimple_seq all = NULL;
  enum prof_value_type type = type_of(TREE_TYPE(TREE_TYPE(fun->decl)));
  const struct prof_candidate_value returned = {prof_value_returned, PROF_ROW_RETURNED | prof_value_flags(type)};
  if (value && type != PROF_VALUE_OTHER && is_gimple_val(value) && type_of(TREE_TYPE(value)) != PROF_VALUE_OTHER)
    value_add(&all, valued, &returned, value, line);
  return all;
}

gimple_seq prof_values_returned(const struct prof_valued *valued, function *fun, gimple *before) {
  greturn *end = dyn_cast<greturn *>(before);
  if (!end || !is_chosen(valued->facts))
    return NULL;
  return returned(valued, fun, gimple_return_retval(end), LOCATION_LINE(gimple_location(end)));
}

gimple_seq prof_values_returned_on_edge(const struct prof_valued *valued, function *fun, edge way) {
  if (!is_chosen(valued->facts))
    return NULL;
  return returned(valued, fun, returned_on_edge(way), LOCATION_LINE(way->goto_locus));
}

void prof_values_register(const char *plugin) {
  register_pass_info values = {};
  values.pass = new values_pass;
  values.reference_pass_name = "*build_cgraph_edges";
  values.ref_pass_instance_number = 1;
  values.pos_op = PASS_POS_INSERT_BEFORE;
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &values);
}
