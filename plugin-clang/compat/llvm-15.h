/* compat/llvm-15.h - what LLVM and Clang 15 call differently. */
#ifndef PROF_CLANG_COMPAT_LLVM_15_H
#define PROF_CLANG_COMPAT_LLVM_15_H

#include "compat/since-15.h"

namespace compat {

/* A call that touches no memory of the program, although it does something. */
inline void touches_no_program_memory(llvm::CallInst *call) {
  call->addFnAttr(llvm::Attribute::InaccessibleMemOnly);
}

} // namespace compat

#define PROF_DEBUG_KINDS clang::codegenoptions

#endif
