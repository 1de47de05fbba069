/*
 * count_blocks.cc - lines=count: keeps the source's blocks when GCC optimises.
 *
 * In: the statements of counted functions while GCC lowers them.  Out: the blocks that they have at -O0.  When GCC
 * optimises, it merges even its first blocks: a label with the next one, a jump with its target.  Then the counters,
 * which come later (counts.cc), can't tell them apart.  At -O0 it keeps them, for debuggers.  So three passes run here
 * as at -O0; later passes run at the requested level, and merge blocks where counters allow it:
 *   - `if (...) break;` would become a conditional jump, and the `break` would be lost: a label keeps it;
 *   - all `return`s would become one jump target;
 *   - blocks without statements would be removed, whatever lines lead to them.
 * Exceptions are lowered between the last two, at the requested level.
 */
#include "compat.h"

#include "backend.h"

namespace {

int outer_level; /* the value of `optimize` outside of a pass; one function at a time */
bool is_lowered;

const pass_data before_pass_data = {GIMPLE_PASS, "prof_counts_before", OPTGROUP_NONE, TV_PLUGIN_RUN, 0, 0, 0, 0, 0};
const pass_data after_pass_data = {GIMPLE_PASS, "prof_counts_after", OPTGROUP_NONE, TV_PLUGIN_RUN, 0, 0, 0, 0, 0};

struct before_pass : gimple_opt_pass {
  before_pass() : gimple_opt_pass(before_pass_data, g) {}
  opt_pass *clone() override { return new before_pass; }
  bool gate(function *fun) override { return optimize > 0 && prof_counts_are_for(fun); }
  unsigned execute(function *) override {
    outer_level = optimize;
    is_lowered = true;
    optimize = 0;
    return 0;
  }
};

struct after_pass : gimple_opt_pass {
  after_pass() : gimple_opt_pass(after_pass_data, g) {}
  opt_pass *clone() override { return new after_pass; }
  bool gate(function *) override { return is_lowered; }
  unsigned execute(function *) override {
    is_lowered = false;
    optimize = outer_level;
    return 0;
  }
};

void passes_register(const char *plugin, const char *around) {
  register_pass_info before = {new before_pass, around, 1, PASS_POS_INSERT_BEFORE};
  register_pass_info after = {new after_pass, around, 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &before);
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &after);
}

/* ---- conditions with a jump ---- */

int (*language_gimplify)(tree *, gimple_seq *, gimple_seq *);

/* The jump that an arm of a condition begins with; NULL: none. */
tree *jump_of(tree *arm) {
  if (!*arm || TREE_CODE(*arm) == GOTO_EXPR)
    return arm;
  if (TREE_CODE(*arm) != STATEMENT_LIST)
    return NULL;
  tree_stmt_iterator at = tsi_start(*arm);
  while (!tsi_end_p(at) && TREE_CODE(tsi_stmt(at)) == DEBUG_BEGIN_STMT)
    tsi_next(&at);
  return tsi_end_p(at) ? NULL : jump_of(tsi_stmt_ptr(at));
}

/* Does the jump stand at another place than its condition? */
bool is_elsewhere(tree condition, const tree *jump) {
  return jump && *jump && EXPR_HAS_LOCATION(*jump) && EXPR_LOCATION(*jump) != EXPR_LOCATION(condition);
}

/* Puts a label before it, so that it isn't merged with the condition.  The label would change the text of GCC's warning
 * of fall-through, so that warning is off in this function. */
void jump_keep(tree *jump) {
  tree label = build1(LABEL_EXPR, void_type_node, create_artificial_label(UNKNOWN_LOCATION)), kept = NULL_TREE;
  append_to_statement_list_force(label, &kept);
  append_to_statement_list_force(*jump, &kept);
  *jump = kept;
  warn_implicit_fallthrough = 0;
}

/* Is the function counted?  Called for each condition while it is made GIMPLE. */
bool is_counted(function *fun) {
  static unsigned known;
  static bool counted;
  static int asked_warning = -1;
  if (known == DECL_UID(fun->decl))
    return counted;
  if (asked_warning < 0)
    asked_warning = warn_implicit_fallthrough;
  warn_implicit_fallthrough = asked_warning;
  known = DECL_UID(fun->decl);
  return counted = prof_counts_are_for(fun);
}

int statement_gimplify(tree *at, gimple_seq *before, gimple_seq *after) {
  if (TREE_CODE(*at) == COND_EXPR && VOID_TYPE_P(TREE_TYPE(*at)) && optimize > 0 && EXPR_HAS_LOCATION(*at) && cfun &&
      !(cfun->curr_properties & PROP_gimple_any) && is_counted(cfun))
    for (int arm = 1; arm <= 2; arm++) {
      tree *jump = jump_of(&TREE_OPERAND(*at, arm));
      if (is_elsewhere(*at, jump))
        jump_keep(jump);
    }
  return language_gimplify(at, before, after);
}

} // namespace

void prof_count_blocks_register(const char *plugin) {
  if (prof_backend_unit.arguments.lines != PROF_LINES_COUNT || in_lto_p)
    return;
  passes_register(plugin, "lower");
  passes_register(plugin, "cfg");
  language_gimplify = lang_hooks.gimplify_expr;
  lang_hooks.gimplify_expr = statement_gimplify;
}
