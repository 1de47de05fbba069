/* compat/llvm-19.h - what LLVM and Clang 19 call differently. */
#include "compat/since-16.h"

#define PROF_DEBUG_KINDS llvm::codegenoptions
