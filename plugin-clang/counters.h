/*
 * counters.h - counters in a module's code, and the switch by which they move (wire/counts.h).  In counts.cpp.
 */
#ifndef PROF_CLANG_COUNTERS_H
#define PROF_CLANG_COUNTERS_H

#include <cstddef>
#include <cstdint>

namespace llvm {
class GlobalVariable;
class Instruction;
class Module;
} // namespace llvm

/* Makes the switch, unless the module has it. */
llvm::GlobalVariable *prof_counters_switch(llvm::Module &module);
llvm::GlobalVariable *prof_counters_new(llvm::Module &module, const uint64_t *words, size_t word_count);
/* Adds 1 to a word of the object before the instruction. */
void prof_counter_step(llvm::Instruction *before, llvm::GlobalVariable *object, size_t word);

#endif
