/* compat/llvm-14.h - what LLVM and Clang 14 call differently. */
#ifndef PROF_CLANG_COMPAT_LLVM_14_H
#define PROF_CLANG_COMPAT_LLVM_14_H

#include "compat/common.h"

namespace compat {

/* A call that touches no memory of the program, although it does something. */
inline void touches_no_program_memory(llvm::CallInst *call) {
  call->addFnAttr(llvm::Attribute::InaccessibleMemOnly);
}

inline void needs_unwind_table(llvm::Function *function) {
  function->addFnAttr(llvm::Attribute::UWTable);
}

inline bool is_safe_to_expand(llvm::SCEVExpander &, const llvm::SCEV *count, const llvm::Instruction *at,
                              llvm::ScalarEvolution &evolution) {
  return llvm::isSafeToExpandAt(count, at, evolution);
}

} // namespace compat

#define PROF_DEBUG_KINDS clang::codegenoptions
#define PROF_COMPOUND_FEATURES /* a block has no options for floating point */

#endif
