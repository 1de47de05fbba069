/* compat/llvm-18.h - LLVM and Clang 18 are as 19 in all that prof uses. */
#include "compat/llvm-19.h"
