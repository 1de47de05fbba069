/*
 * compat.h - GCC's headers in the order that they need, and what differs between majors and targets.
 *
 * The only file that includes them.  Conditions stand here and nowhere else.
 */
#ifndef PROF_GCC_COMPAT_H
#define PROF_GCC_COMPAT_H

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "tree-pass.h"
#include "stringpool.h"
#include "attribs.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "cgraph.h"
#include "context.h"
#include "diagnostic.h"
#include "cfganal.h"
#include "file-prefix-map.h"
#include "flags.h"
#include "fold-const.h"
#include "function.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-fold.h"
#include "internal-fn.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-expr.h"
#include "stor-layout.h"
#include "varasm.h"
#include "langhooks.h"
#include "tree-iterator.h"
#include "options.h"
#include "opts.h"
#include "output.h"
#include "predict.h"
#include "sbitmap.h"
#include "ssa.h"
#include "target.h"
#include "toplev.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-iterator.h"
#include "tree-chrec.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssanames.h"
// clang-format on

/* From libiberty's demangle.h, which no plugin package installs; every compiler proper exports it. */
extern "C" char *cplus_demangle_v3(const char *mangled, int options);

/* From c-pragma.h; only the compilers of the C family have it. */
extern "C++" void c_register_pragma(const char *space, const char *name, void (*handler)(struct cpp_reader *))
    __attribute__((weak));

/* An induction variable 0, 1, 2 ... of `loop`, its step at the head of the header. */
static inline void prof_compat_counter(class loop *loop, tree type, tree *before, tree *after) {
  gimple_stmt_iterator at = gsi_after_labels(loop->header);
#if GCCPLUGIN_VERSION_MAJOR >= 13
  create_iv(build_zero_cst(type), PLUS_EXPR, build_one_cst(type), NULL_TREE, loop, &at, false, before, after);
#else
  create_iv(build_zero_cst(type), build_one_cst(type), NULL_TREE, loop, &at, false, before, after);
#endif
}

static inline bool prof_compat_is_expensive(tree expression) {
#if GCCPLUGIN_VERSION_MAJOR >= 14
  bool may_overflow;
  return expression_expensive_p(expression, &may_overflow);
#else
  return expression_expensive_p(expression);
#endif
}

/* How many blocks a path of backward jump threading may have; only for majors that thread through loops early. */
static inline int *prof_compat_thread_length(void) {
#if GCCPLUGIN_VERSION_MAJOR < 12
  return &param_max_fsm_thread_length;
#else
  static int unused;
  return &unused;
#endif
}

/* The wire headers are C. */
#define _Static_assert static_assert

/* GCC compiles for one target, and a plugin is built for the compilers of its machine: CMake names the target's file,
 * target_<processor>.h. */
#include PROF_TARGET_HEADER

#endif
