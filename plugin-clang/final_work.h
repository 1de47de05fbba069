/*
 * final_work.h - floating-point operations and bytes of LLVM's final instructions, and their counters (flops=count).
 */
#ifndef PROF_CLANG_FINAL_WORK_H
#define PROF_CLANG_FINAL_WORK_H

#include "code_work.h"
#include "function.h"

/* instruction_work.cpp: adds what one execution of an instruction does. */
void prof_work_of_instruction(const llvm::Instruction &instruction, struct prof_work *work);

/* loop_work.cpp: finds the loop of each piece of a function's final code. */
class prof_work_loops {
public:
  prof_work_loops(struct prof_probing *state);
  ~prof_work_loops();
  void block_begin(llvm::BasicBlock &block);
  void pass(const llvm::Instruction &instruction); /* of the block: it may be the mark of a loop */
  uint64_t key() const;                            /* of the loop here; 0: none */

private:
  struct inside;
  std::unique_ptr<inside> in;
};

/* work_counts.cpp: puts counters into a function, while loops' probes are marks. */
void prof_work_count(struct prof_probing *state);

#endif
