/*
 * loop_threads.cc - delays GCC 11's jump threading past loop headers until loops are instrumented.
 *
 * In a state machine an iteration sets a variable to a constant that decides the next one.  Up to GCC 11, backward jump
 * threading makes such an iteration jump directly into the next one, past the loop's header: then it isn't counted.
 * From GCC 12 on that waits until the loop passes are done (tree-ssa-threadbackward.cc).  This file delays it in
 * functions with such a loop, by the allowed length of its paths.  In: loops before threading.  Out: that length,
 * restored before loops are instrumented.
 */
#include "loops.h"

namespace {

/* Longer chains of names are still threaded. */
enum { NAMES_MAX = 32 };

int kept_length = -1; /* of paths, while threading is delayed; else -1 */

/* Does a back edge to the header give `name`, or a name that it is copied from, a constant? */
bool is_carried_constant(class loop *loop, tree name) {
  auto_vec<gimple *> met;
  auto_vec<tree> names;
  names.safe_push(name);
  for (unsigned n = 0; n < names.length() && n < NAMES_MAX; n++) {
    gimple *made = SSA_NAME_DEF_STMT(names[n]);
    if (!gimple_bb(made) || !flow_bb_inside_loop_p(loop, gimple_bb(made)) || met.contains(made))
      continue;
    met.safe_push(made);
    gphi *phi = dyn_cast<gphi *>(made);
    if (!phi && gimple_assign_ssa_name_copy_p(made))
      names.safe_push(gimple_assign_rhs1(made));
    for (unsigned i = 0; phi && i < gimple_phi_num_args(phi); i++) {
      tree value = gimple_phi_arg_def(phi, i);
      if (TREE_CODE(value) == SSA_NAME)
        names.safe_push(value);
      else if (flow_bb_inside_loop_p(loop, gimple_phi_arg_edge(phi, i)->src))
        return true;
    }
  }
  return false;
}

/* The name that a test at the end of a block compares with a constant; NULL_TREE: none. */
tree tested_name(basic_block block) {
  gimple_stmt_iterator last = gsi_last_nondebug_bb(block);
  gimple *test = gsi_end_p(last) ? NULL : gsi_stmt(last);
  tree name = NULL_TREE;
  if (test && gimple_code(test) == GIMPLE_COND)
    name = gimple_cond_lhs(test);
  else if (test && gimple_code(test) == GIMPLE_SWITCH)
    name = gimple_switch_index(as_a<gswitch *>(test));
  return name && TREE_CODE(name) == SSA_NAME ? name : NULL_TREE;
}

bool has_state(class loop *loop) {
  bool has = false;
  basic_block *blocks = get_loop_body(loop);
  for (unsigned i = 0; i < loop->num_nodes && !has; i++) {
    tree name = tested_name(blocks[i]);
    has = name && is_carried_constant(loop, name);
  }
  free(blocks);
  return has;
}

void threads_hold(function *fun) {
  bool any = false;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  for (unsigned i = 1; i < number_of_loops(fun) && !any; i++) {
    class loop *loop = get_loop(fun, i);
    any = loop && loop->header && has_state(loop);
  }
  loop_optimizer_finalize();
  if (!any)
    return;
  kept_length = *prof_compat_thread_length();
  *prof_compat_thread_length() = 1; /* every path is longer */
}

const pass_data threads_pass_data = {GIMPLE_PASS, "*prof_threads", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct threads_pass : gimple_opt_pass {
  bool holds;
  explicit threads_pass(bool holds) : gimple_opt_pass(threads_pass_data, g), holds(holds) {}
  opt_pass *clone() override { return new threads_pass(holds); }
  bool gate(function *fun) override {
    return holds ? prof_backend_unit.arch && prof_loops_are_wanted(fun) : kept_length >= 0;
  }
  unsigned execute(function *fun) override {
    if (holds && kept_length < 0)
      threads_hold(fun);
    else if (!holds && kept_length >= 0) {
      *prof_compat_thread_length() = kept_length;
      kept_length = -1;
    }
    return 0;
  }
};

} // namespace

opt_pass *prof_loop_threads_pass_new(bool holds) {
  return new threads_pass(holds);
}
