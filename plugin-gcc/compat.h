/*
 * compat.h - GCC's headers in the order that they need, and what differs between majors.
 *
 * The only file that includes them.  GCC 11 and 12 need no condition so far.
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
#include "cgraph.h"
#include "context.h"
#include "diagnostic.h"
#include "file-prefix-map.h"
#include "flags.h"
#include "function.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "langhooks.h"
#include "options.h"
#include "opts.h"
#include "output.h"
#include "predict.h"
#include "ssa.h"
#include "target.h"
#include "toplev.h"
#include "tree-cfg.h"
#include "tree-eh.h"
// clang-format on

/* From libiberty's demangle.h, which no plugin package installs; every compiler proper exports it. */
extern "C" char *cplus_demangle_v3(const char *mangled, int options);

/* The wire headers are C. */
#define _Static_assert static_assert

#endif
