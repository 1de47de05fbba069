/* compat/llvm-17.h - LLVM and Clang 17 are as 19 in all that prof uses. */
#include "compat/llvm-19.h"
