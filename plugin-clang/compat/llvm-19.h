/* compat/llvm-19.h - what LLVM and Clang 19 call differently. */
#ifndef PROF_CLANG_COMPAT_LLVM_19_H
#define PROF_CLANG_COMPAT_LLVM_19_H

#include "compat/since-16.h"

#define PROF_DEBUG_KINDS llvm::codegenoptions

#endif
