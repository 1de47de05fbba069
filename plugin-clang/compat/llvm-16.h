/* compat/llvm-16.h - what LLVM and Clang 16 call differently. */
#ifndef PROF_CLANG_COMPAT_LLVM_16_H
#define PROF_CLANG_COMPAT_LLVM_16_H

#include "compat/since-16.h"

#define PROF_DEBUG_KINDS clang::codegenoptions

#endif
