/* compat/llvm-16.h - what LLVM and Clang 16 call differently. */
#include "compat/since-16.h"

#define PROF_DEBUG_KINDS clang::codegenoptions
