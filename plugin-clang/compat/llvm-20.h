/* compat/llvm-20.h - LLVM and Clang 20 are as 19 in all that prof uses. */
#include "compat/llvm-19.h"
