/* compat/llvm-17.h - LLVM and Clang 17 are as 19 in all that prof uses. */
#ifndef PROF_CLANG_COMPAT_LLVM_17_H
#define PROF_CLANG_COMPAT_LLVM_17_H

#include "compat/llvm-19.h"

#endif
