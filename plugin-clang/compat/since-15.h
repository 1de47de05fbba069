/* compat/since-15.h - what LLVM and Clang call the same in 15 and later. */
#ifndef PROF_CLANG_COMPAT_SINCE_15_H
#define PROF_CLANG_COMPAT_SINCE_15_H

#include "compat/common.h"

namespace compat {

inline void needs_unwind_table(llvm::Function *function) {
  function->setUWTableKind(llvm::UWTableKind::Default);
}

inline bool is_safe_to_expand(llvm::SCEVExpander &expander, const llvm::SCEV *count, const llvm::Instruction *at,
                              llvm::ScalarEvolution &) {
  return expander.isSafeToExpandAt(count, at);
}

} // namespace compat

#define PROF_COMPOUND_FEATURES clang::FPOptionsOverride(),

#endif
