/*
 * loops_put.cpp - turns the marks of loops_placed.cpp into probes, and records what the compiler made of the loops.
 *
 * A loop is found again by its statement's place, which it keeps (llvm.loop) while it is a loop.
 */
#include PROF_COMPAT

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"

#include "function.h"
#include "listing.h"
#include "probe_text.h"

using namespace llvm;

namespace {

bool is_mark(const CallInst *call, size_t *index, uint32_t *kind, uint32_t *line) {
  const auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && sscanf(text->getAsmString().c_str(), PROF_LOOP_MARK "%zu %u %u", index, kind, line) == 3;
}

void probe_put(struct prof_probing *state, CallInst *mark, const prof_loop_note *note, uint32_t kind, uint32_t line) {
  struct prof_backend *backend = state->backend;
  struct prof_text text = {};
  if (backend->linked_as_ir) {
    state->facts.anchor = prof_sled_label;
    prof_probe_registers(&text, backend->unit.arch);
  }
  prof_probe_add_loop_plain(&text, backend->unit.arch, prof_sled_label, &state->facts, state->key, note->loop.key, kind,
                            line, mark->arg_size() ? backend->unit.arch->llvm_register : nullptr);
  prof_statement_change(mark, &text);
}

/* ---- what became of the loops ---- */

bool has_begin(const MDNode *id, const DILocation *begin) {
  return id && any_of(id->operands(), [begin](const MDOperand &operand) { return operand.get() == begin; });
}

void note_update(prof_loop_note *note, const LoopInfo &loops) {
  bool is_there = false;
  if (!note->begin)
    return;
  for (const Loop *loop : const_cast<LoopInfo &>(loops).getLoopsInPreorder())
    is_there |= has_begin(loop->getLoopID(), note->begin);
  if (!is_there)
    note->loop.flags |= PROF_LOOP_GONE;
}

} // namespace

bool prof_loop_mark_read(const Instruction &instruction, size_t *index, uint32_t *kind) {
  uint32_t line;
  return is_mark(dyn_cast<CallInst>(&instruction), index, kind, &line);
}

/* Facts of one key must agree: the flags of copies are joined. */
static void facts_collect(struct prof_probing *state, size_t first, size_t last) {
  struct prof_loops *all = &state->backend->loops;
  DominatorTree tree(*state->function);
  LoopInfo loops(tree);
  std::unordered_map<uint64_t, size_t> position;
  for (size_t i = first; i < last; i++) {
    prof_loop_note *note = all->notes[i].get();
    if (!note->is_told)
      continue;
    note_update(note, loops);
    auto found = position.emplace(note->loop.key, state->loops.size());
    if (found.second)
      state->loops.push_back(note->loop);
    else
      state->loops[found.first->second].flags |= note->loop.flags;
  }
}

void prof_loops_finish(struct prof_probing *state, bool is_probed) {
  struct prof_loops *all = &state->backend->loops;
  auto range = all->notes_of.find(state->function);
  SmallVector<CallInst *, 16> marks;
  size_t index;
  uint32_t kind, line;
  for (BasicBlock &block : *state->function)
    for (Instruction &instruction : block)
      if (is_mark(dyn_cast<CallInst>(&instruction), &index, &kind, &line))
        marks.push_back(cast<CallInst>(&instruction));
  if (is_probed && range != all->notes_of.end()) {
    for (size_t i = range->second.first; i < range->second.second; i++)
      prof_listing_add_loop(&state->backend->unit.listing, &state->facts, &all->notes[i]->loop, all->notes[i]->reason);
    facts_collect(state, range->second.first, range->second.second);
  }
  for (CallInst *mark : marks) {
    is_mark(mark, &index, &kind, &line);
    if (is_probed && index < all->notes.size())
      probe_put(state, mark, all->notes[index].get(), kind, line); /* other probes may be put before it */
    else
      prof_mark_remove(state, mark);
  }
  state->has_loop_probes = is_probed && !marks.empty();
}

/* Runs at the end of the pipeline, if no earlier pass did. */
void prof_loops_place_late(struct prof_backend *backend, Function &function) {
  DominatorTree tree(function);
  LoopInfo loops(tree);
  if (function.hasOptNone()) {
    prof_loops_place(backend, function, loops, tree, nullptr, nullptr);
    return;
  }
  TargetLibraryInfoImpl library(Triple(function.getParent()->getTargetTriple()));
  TargetLibraryInfo calls(library, &function);
  TargetTransformInfo costs(function.getParent()->getDataLayout());
  AssumptionCache assumptions(function);
  ScalarEvolution evolution(function, calls, assumptions, tree, loops);
  prof_loops_place(backend, function, loops, tree, &evolution, &costs);
}
