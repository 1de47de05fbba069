/* compat/since-16.h - what LLVM and Clang call the same in 16 and later. */
#ifndef PROF_CLANG_COMPAT_SINCE_16_H
#define PROF_CLANG_COMPAT_SINCE_16_H

#include "compat/since-15.h"

namespace compat {

/* A call that touches no memory of the program, although it does something. */
inline void touches_no_program_memory(llvm::CallInst *call) {
  call->setOnlyAccessesInaccessibleMemory();
}

} // namespace compat

#endif
