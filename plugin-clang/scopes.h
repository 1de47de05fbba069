/*
 * scopes.h - finds code that Clang adds at ends of scopes, if the code will be optimised.
 *
 * In: LLVM IR at the start of the pipeline.  Out: code of no source line, even if it has a line.
 */
#ifndef PROF_CLANG_SCOPES_H
#define PROF_CLANG_SCOPES_H

#include "llvm/IR/Instructions.h"

/* Makes no code: begin or end of a variable's life, debug information; before LLVM 15 with a cast before them. */
bool prof_scopes_is_marker(const llvm::Instruction &instruction);

/* Clang's variable for the next way from ends of scopes: only constants are stored to it, and code without a line reads
 * it.  NULL: none. */
const llvm::AllocaInst *prof_scopes_slot(const llvm::Function &function);

#endif
