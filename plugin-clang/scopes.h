/*
 * scopes.h - what Clang adds where scopes end, in code that will be optimised.
 *
 * In: LLVM IR at the start of the pipeline.  Out: what belongs to no line of the source, though it may stand on one.
 */
#ifndef PROF_CLANG_SCOPES_H
#define PROF_CLANG_SCOPES_H

#include "llvm/IR/Instructions.h"

/* Makes no code: where a variable's life begins or ends, debug information; before LLVM 15 with a cast before them. */
bool prof_scopes_is_marker(const llvm::Instruction &instruction);

/* Where Clang keeps the number of the way on from ends of scopes: only constants are stored, and what reads it stands
 * on no line.  NULL: there is none. */
const llvm::AllocaInst *prof_scopes_slot(const llvm::Function &function);

#endif
