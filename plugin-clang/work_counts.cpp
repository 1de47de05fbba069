/*
 * work_counts.cpp - flops=count: counts how often each piece of a function's final code runs (wire/work.h).
 *
 * At the end of the passes, so that LLVM optimises as without counters.  A piece is a part of a block with the same
 * loop and without a call that may not return.  Its counter stands before its first instruction that computes or goes
 * to memory.  The code generator may copy blocks; an asm statement stays with them.
 */
#include PROF_COMPAT

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"

#include "counters.h"
#include "counts.h"
#include "final_work.h"
#include "work.h"

using namespace llvm;

namespace {

/* Addresses of loads: the code generator joins two of the same address in a block. */
struct addresses {
  DominatorTree tree;
  LoopInfo loops;
  TargetLibraryInfoImpl library;
  TargetLibraryInfo calls;
  AssumptionCache assumptions;
  ScalarEvolution evolution;
  DenseSet<std::pair<const SCEV *, Type *>> seen; /* in this block */

  addresses(Function &function)
      : tree(function), loops(tree), library(Triple(function.getParent()->getTargetTriple())),
        calls(library, &function), assumptions(function), evolution(function, calls, assumptions, tree, loops) {}

  bool is_again(const Instruction &instruction) {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    return load &&
           !seen.insert({evolution.getSCEV(const_cast<Value *>(load->getPointerOperand())), load->getType()}).second;
  }
};

struct working {
  struct prof_work_function function;
  std::vector<Instruction *> firsts; /* by piece: its first instruction with work */
};

/* May control not come to the instruction behind it? */
bool ends_piece(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
}

void piece_end(working *state, uint64_t loop, struct prof_work *work, Instruction **first) {
  if (*first) {
    prof_work_piece_add(&state->function, loop, work);
    state->firsts.push_back(*first);
  }
  *work = {};
  *first = nullptr;
}

void block_take(working *state, prof_work_loops *loops, addresses *places, BasicBlock &block) {
  struct prof_work work = {};
  Instruction *first = nullptr;
  loops->block_begin(block);
  places->seen.clear();
  uint64_t loop = loops->key();
  for (Instruction &instruction : block) {
    struct prof_work more = {};
    prof_work_of_instruction(instruction, &more);
    if (places->is_again(instruction)) {
      more.more_loaded += more.loaded;
      more.loaded = 0;
    }
    if (prof_work_is_any(&more) && !first)
      first = &instruction;
    prof_work_add(&work, &more);
    loops->pass(instruction);
    if (ends_piece(instruction) || loops->key() != loop)
      piece_end(state, loop, &work, &first);
    loop = loops->key();
  }
  piece_end(state, loop, &work, &first);
}

} // namespace

void prof_work_count(struct prof_probing *state) {
  working all = {};
  size_t word_count;
  {
    prof_work_loops loops(state);
    addresses places(*state->function);
    for (BasicBlock &block : *state->function)
      block_take(&all, &loops, &places, block);
  }
  if (!all.firsts.empty()) {
    all.function.key = state->key;
    all.function.flags = state->backend->linked_as_ir ? PROF_WORK_CHANGES : 0;
    uint64_t *words = prof_work_object(&all.function, &word_count);
    if (!words)
      report_fatal_error("prof: out of memory");
    GlobalVariable *object = prof_counters_new(*state->function->getParent(), words, word_count);
    for (size_t i = 0; i < all.firsts.size(); i++)
      prof_counter_step(all.firsts[i], object, PROF_WORK_FIRST_COUNTER + i);
    free(words);
  }
  prof_work_fini(&all.function);
}
