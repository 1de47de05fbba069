/*
 * loop_work.cpp - finds the source loop of each piece of a function's final code.
 *
 * A piece in a loop of LLVM's belongs to the note with that loop's place, which copies keep (vectors, what is left
 * behind them); without place, to the deepest one in whose lines it lies.  Code between an instrumented loop's entry
 * and exits belongs to it, loop or not: LLVM unrolls loops, and puts code before and behind those that it makes vectors
 * of. The deeper of both is the one.
 */
#include PROF_COMPAT

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"

#include "final_work.h"

using namespace llvm;

/* A control flow set is of positions in `notes`. */
struct prof_work_loops::inside {
  prof_probing *state;
  std::vector<const prof_loop_note *> notes; /* of the function */
  size_t first = 0;                          /* index of the first, in marks */
  DominatorTree tree;
  LoopInfo loops;
  DenseMap<const Loop *, const prof_loop_note *> note_of;
  DenseMap<const BasicBlock *, BitVector> open_in, open_out, left_later_in;
  BitVector open;                         /* here */
  const prof_loop_note *around = nullptr; /* of the block's loop */

  inside(prof_probing *of) : state(of), tree(*of->function), loops(tree) {}

  bool read(const Instruction &instruction, size_t *at, uint32_t *kind) {
    size_t index;
    if (!prof_loop_mark_read(instruction, &index, kind) || index < first || index - first >= notes.size())
      return false;
    *at = index - first;
    *kind &= PROF_ROW_KIND_MASK;
    return true;
  }

  void apply(const Instruction &instruction, BitVector &set, uint32_t sets, uint32_t clears) {
    size_t at;
    uint32_t kind;
    if (!read(instruction, &at, &kind))
      return;
    if (kind == sets)
      set.set(at);
    else if (kind == clears)
      set.reset(at);
  }

  bool forward(BasicBlock &block) {
    BitVector set(notes.size());
    for (BasicBlock *before : predecessors(&block))
      set |= open_out[before];
    open_in[&block] = set;
    for (Instruction &instruction : block)
      apply(instruction, set, PROF_PROBE_LOOP_ENTRY, PROF_PROBE_LOOP_EXIT);
    bool changed = set != open_out[&block];
    open_out[&block] = set;
    return changed;
  }

  bool backward(BasicBlock &block) {
    BitVector set(notes.size());
    for (BasicBlock *behind : successors(&block))
      set |= left_later_in[behind];
    for (auto at = block.rbegin(); at != block.rend(); ++at)
      apply(*at, set, PROF_PROBE_LOOP_EXIT, PROF_PROBE_LOOP_ENTRY);
    bool changed = set != left_later_in[&block];
    left_later_in[&block] = set;
    return changed;
  }

  void flow() {
    for (BasicBlock &block : *state->function)
      open_in[&block] = open_out[&block] = left_later_in[&block] = BitVector(notes.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : *state->function)
        changed |= forward(block);
      for (BasicBlock &block : reverse(*state->function))
        changed |= backward(block);
    }
  }

  const prof_loop_note *by_place(const Loop *loop) {
    const MDNode *id = loop->getLoopID();
    for (const prof_loop_note *note : notes)
      for (unsigned i = 0; id && note->begin && i < id->getNumOperands(); i++)
        if (id->getOperand(i).get() == note->begin)
          return note;
    return nullptr;
  }

  const prof_loop_note *by_lines(const Loop *loop) {
    const prof_loop_note *found = nullptr;
    for (const BasicBlock *block : loop->blocks())
      for (const Instruction &instruction : *block) {
        const DILocation *where = instruction.getDebugLoc();
        if (!where || loops.getLoopFor(block) != loop)
          continue;
        std::string path = prof_path_of(where->getFile(), nullptr, *state->function->getParent());
        for (const prof_loop_note *note : notes)
          if (note->loop.line && where->getLine() >= note->loop.line && where->getLine() <= note->loop.last_line &&
              path == note->file && (!found || note->loop.depth > found->loop.depth))
            found = note;
      }
    return found;
  }

  const prof_loop_note *note_for(const Loop *loop) {
    if (!loop)
      return nullptr;
    auto known = note_of.find(loop);
    if (known != note_of.end())
      return known->second;
    const prof_loop_note *found = by_place(loop);
    if (!found)
      found = by_lines(loop);
    if (!found)
      found = note_for(loop->getParentLoop());
    note_of[loop] = found;
    return found;
  }
};

prof_work_loops::prof_work_loops(prof_probing *state) : in(new inside(state)) {
  prof_loops *all = &state->backend->loops;
  auto range = all->notes_of.find(state->function);
  if (range != all->notes_of.end()) {
    in->first = range->second.first;
    for (size_t i = range->second.first; i < range->second.second; i++)
      in->notes.push_back(all->notes[i].get());
  }
  in->open.resize(in->notes.size());
  in->flow();
}

prof_work_loops::~prof_work_loops() = default;

void prof_work_loops::block_begin(BasicBlock &block) {
  in->open = in->open_in[&block];
  in->open &= in->left_later_in[&block];
  in->around = in->note_for(in->loops.getLoopFor(&block));
}

void prof_work_loops::pass(const Instruction &instruction) {
  in->apply(instruction, in->open, PROF_PROBE_LOOP_ENTRY, PROF_PROBE_LOOP_EXIT);
}

uint64_t prof_work_loops::key() const {
  const prof_loop_note *found = in->around;
  for (unsigned at : in->open.set_bits())
    if (!found || in->notes[at]->loop.depth > found->loop.depth)
      found = in->notes[at];
  return found && found->is_told ? found->loop.key : 0;
}
