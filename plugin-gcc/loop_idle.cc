/*
 * loop_idle.cc - removes counts that a loop carries from iteration to iteration without change.
 *
 * If GCC splits a loop in two, one without the counted inner loop, both keep the count.  GCC's passes leave `count =
 * PHI <count, before>` in it, and then the vectoriser fails: it can't compute a value that is used behind the loop.
 * In: a function with instrumented loops, before `ifcvt`.  Out: uses of the value before the loop.
 */
#include "loops.h"

namespace {

/* The only value of a PHI of a count; NULL_TREE: it has several, or is no count. */
tree idle_value(gphi *phi) {
  tree result = gimple_phi_result(phi), value = NULL_TREE;
  if (virtual_operand_p(result) || SSA_NAME_VAR(result) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(result) ||
      TYPE_MAIN_VARIANT(TREE_TYPE(result)) != long_long_unsigned_type_node)
    return NULL_TREE;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
    tree other = gimple_phi_arg_def(phi, i);
    if (other == result)
      continue;
    if (value && !operand_equal_p(value, other, 0))
      return NULL_TREE;
    value = other;
  }
  return value && TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value) ? NULL_TREE : value;
}

bool idle_remove(class loop *loop) {
  bool any = false;
  for (gphi_iterator at = gsi_start_phis(loop->header); !gsi_end_p(at);) {
    tree value = idle_value(at.phi());
    if (!value) {
      gsi_next(&at);
      continue;
    }
    replace_uses_by(gimple_phi_result(at.phi()), value);
    remove_phi_node(&at, true);
    any = true;
  }
  return any;
}

const pass_data idle_pass_data = {GIMPLE_PASS, "*prof_idle", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct idle_pass : gimple_opt_pass {
  idle_pass() : gimple_opt_pass(idle_pass_data, g) {}
  opt_pass *clone() override { return new idle_pass; }
  bool gate(function *fun) override {
    return loops_for_fn(fun) && prof_loop_records_begin(fun) < prof_loop_records.length();
  }
  unsigned execute(function *fun) override {
    bool any = false;
    for (unsigned i = 1; i < number_of_loops(fun); i++) {
      class loop *loop = get_loop(fun, i);
      any |= loop && loop->header && idle_remove(loop);
    }
    if (any && scev_initialized_p())
      scev_reset(); /* a freed name may be used again */
    return 0;
  }
};

} // namespace

opt_pass *prof_loops_idle_pass_new(void) {
  return new idle_pass;
}
