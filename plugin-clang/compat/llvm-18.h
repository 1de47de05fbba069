/* compat/llvm-18.h - LLVM and Clang 18 are as 19 in all that prof uses. */
#ifndef PROF_CLANG_COMPAT_LLVM_18_H
#define PROF_CLANG_COMPAT_LLVM_18_H

#include "compat/llvm-19.h"

#endif
