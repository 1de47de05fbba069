/* compat/llvm-20.h - LLVM and Clang 20 are as 19 in all that prof uses. */
#ifndef PROF_CLANG_COMPAT_LLVM_20_H
#define PROF_CLANG_COMPAT_LLVM_20_H

#include "compat/llvm-19.h"

#endif
