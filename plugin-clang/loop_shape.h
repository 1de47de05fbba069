/*
 * loop_shape.h - one loop of IR while its probes are placed: its source loop and its exits.
 */
#ifndef PROF_CLANG_LOOP_SHAPE_H
#define PROF_CLANG_LOOP_SHAPE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include "function.h"

namespace llvm {
class SCEV;
}

struct prof_loop_exit {
  llvm::BasicBlock *block; /* gets control from the loop */
  int shift;               /* iterations = visits of the loop's first block + shift */
  bool is_maybe;           /* or from elsewhere too */
  uint32_t line;           /* 0 unknown */
};

struct prof_loop_plan {
  llvm::Loop *loop = nullptr;
  llvm::BasicBlock *header = nullptr; /* its first block, or that of its innermost part */
  prof_loop_note *note = nullptr;
  size_t index = 0;                               /* of the note */
  const prof_loop_statement *statement = nullptr; /* NULL: made by goto, or not known */
  const llvm::DILocation *frame = nullptr;        /* a place in its function in the source */
  prof_loop_plan *outer = nullptr;                /* the loop around it */
  prof_loop_plan *teller = nullptr;               /* the instrumented loop around it that writes its sums; NULL: none */
  bool nest_is_told = false;
  bool has_maybe = false;     /* control may come to an exit from elsewhere */
  bool has_one_shift = false; /* of all exits: `shift` */
  int shift = 0;
  const llvm::SCEV *taken = nullptr; /* back edges taken per entry; NULL: constant, or not known before */
  llvm::BasicBlock *preheader = nullptr;
  llvm::SmallVector<prof_loop_exit, 4> exits;
  llvm::AllocaInst *entries = nullptr, *iterations = nullptr; /* sums */
  llvm::AllocaInst *visits = nullptr;  /* of its first block, if iterations are not known before */
  llvm::AllocaInst *is_open = nullptr; /* if a jump may return to it after an exit */
};

/* The place that Clang gave the loop's first token; NULL: lost, or made by goto. */
const llvm::DILocation *prof_loop_begin(const llvm::Loop *loop);

/* Fills the note and the plan's statement and shifts.  `first`: index of the function's first note. */
void prof_loop_describe(prof_loop_plan *plan, struct prof_probing *function, struct prof_loops *loops, size_t first);

/* Gives every exit a block of its own if possible; fills plan->exits. */
void prof_exits_make(prof_loop_plan *plan, llvm::DominatorTree *tree, llvm::LoopInfo *loops);

/* May a call that doesn't return leave it?  Then its iterations are not known before its end. */
bool prof_may_leave_unseen(const llvm::Loop *loop);

#endif
