/* statements.h - the interface of loop_statements.cpp for action.cpp. */
#ifndef PROF_CLANG_STATEMENTS_H
#define PROF_CLANG_STATEMENTS_H

#include "loops.h"

namespace clang {
class ASTContext;
}

/* Fills loops->statements from a translation unit that has been parsed. */
void prof_statements_note(struct prof_loops *loops, clang::ASTContext &context);

#endif
