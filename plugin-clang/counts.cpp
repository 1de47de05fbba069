/*
 * counts.cpp - lines=count: adds counters of a function's arcs, and the object that describes them (wire/counts.h).
 *
 * Runs at the start of the pipeline, where blocks are still the source's; inlined copies use the same counters.  Nodes
 * end at calls that may not return (exit, longjmp, an exception).  Arcs from ENTRY and to EXIT replace edges that can't
 * hold a counter (into landing pads, of computed gotos).
 */
#include PROF_COMPAT

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "counters.h"
#include "flow.h"
#include "function.h"
#include "scopes.h"

using namespace llvm;

namespace {

/* Place of an arc's counter: before a statement, or on an edge. */
struct spot {
  Instruction *before;
  BasicBlock *from, *to;
};

/* Edges that lead to a block past ends of lifetimes. */
struct way_count {
  unsigned count;
  bool by_jump; /* the last one comes from a `return` or the like */
};

struct counting {
  struct prof_flow flow;
  Function *function;
  std::vector<spot> spots;                                                     /* by arc */
  std::unordered_map<const BasicBlock *, std::pair<uint32_t, uint32_t>> nodes; /* first and last of each block */
  std::unordered_map<const DIFile *, std::string> paths;
  const AllocaInst *way_slot;                                /* NULL: none */
  SmallPtrSet<const BasicBlock *, 8> passed;                 /* ends of lifetimes */
  std::unordered_map<const BasicBlock *, way_count> ways_to; /* behind ends of lifetimes */
};

uint32_t arc_add(counting *state, uint32_t from, uint32_t to, enum prof_arc_cost cost, spot where) {
  state->spots.push_back(where);
  return prof_flow_arc(&state->flow, from, to, cost);
}

/* An arc to a new node in the same basic block. */
uint32_t within_add(counting *state, uint32_t from, enum prof_arc_cost cost, Instruction *before) {
  uint32_t next = prof_flow_node(&state->flow);
  prof_flow_within(&state->flow, arc_add(state, from, next, cost, {before, nullptr, nullptr}));
  return next;
}

/* The absolute path, as in debug information. */
const std::string &path_of(counting *state, const DIFile *file) {
  std::string &path = state->paths[file];
  if (path.empty()) {
    SmallString<256> whole(file->getFilename());
    if (!sys::path::is_absolute(whole)) {
      whole = file->getDirectory();
      sys::path::append(whole, file->getFilename());
    }
    path = whole.str().str();
  }
  return path;
}

/* The store of the next way before a block jumps to an end of a scope; NULL: none. */
StoreInst *way_of(const counting *state, const BasicBlock &block) {
  auto *jump = dyn_cast<BranchInst>(block.getTerminator());
  if (!state->way_slot || !jump || !jump->isUnconditional())
    return nullptr;
  const Instruction *before = jump->getPrevNode();
  while (before && prof_scopes_is_marker(*before)) /* scopes that end before it */
    before = before->getPrevNode();
  auto *store = dyn_cast_or_null<StoreInst>(before);
  return store && store->getPointerOperand() == state->way_slot ? const_cast<StoreInst *>(store) : nullptr;
}

bool is_way_of_jump(const StoreInst *way) {
  return way && !cast<ConstantInt>(way->getValueOperand())->isZero();
}

/* Has the block only ends of lifetimes and the switch to the next way? */
bool is_end_of_lifetimes(const counting *state, const BasicBlock &block) {
  auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
  auto *read = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
  if (!read || read->getParent() != &block || read->getPointerOperand() != state->way_slot)
    return false;
  return all_of(block, [&](const Instruction &instruction) {
    return &instruction == choice || &instruction == read || prof_scopes_is_marker(instruction);
  });
}

/* Finds these blocks, which only code that will be optimised has.  The flow goes past them, from each block that sets
 * the way directly to its target. */
void passed_find(counting *state) {
  state->way_slot = prof_scopes_slot(*state->function);
  for (BasicBlock &block : *state->function)
    if (is_end_of_lifetimes(state, block))
      state->passed.insert(&block);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : *state->function)
      if (state->passed.count(&block) && !all_of(predecessors(&block), [&](const BasicBlock *from) {
            return state->passed.count(from) || way_of(state, *from);
          }))
        changed |= state->passed.erase(&block);
  }
}

/* The target of a block that jumps to a passed block; NULL: it doesn't. */
BasicBlock *way_on(const counting *state, const BasicBlock &block) {
  StoreInst *store = way_of(state, block);
  BasicBlock *to = store ? block.getTerminator()->getSuccessor(0) : nullptr;
  if (!to || !state->passed.count(to))
    return nullptr;
  auto *way = cast<ConstantInt>(store->getValueOperand());
  for (size_t steps = state->passed.size(); state->passed.count(to) && steps > 0; steps--)
    to = cast<SwitchInst>(to->getTerminator())->findCaseValue(way)->getCaseSuccessor();
  return to;
}

/* Does the block set way 0, to the scope around?  Without lifetimes there is no code at such a block's end. */
bool is_end_of_scope(const counting *state, const BasicBlock &block) {
  StoreInst *store = way_of(state, block);
  return store && cast<ConstantInt>(store->getValueOperand())->isZero() &&
         is_end_of_lifetimes(state, *block.getTerminator()->getSuccessor(0));
}

/* Has the block only ends of lifetimes before a return that one `return` leads to?  Without lifetimes the return would
 * be there. */
bool is_return_of_one(counting *state, const BasicBlock &block) {
  way_count ways = state->ways_to[&block];
  for (const BasicBlock *from : predecessors(&block)) {
    if (state->passed.count(from))
      continue;
    ways.count++;
    ways.by_jump = is_way_of_jump(way_of(state, *from));
  }
  if (ways.count != 1 || !ways.by_jump || !isa<ReturnInst>(block.getTerminator()))
    return false;
  return all_of(block, [](const Instruction &instruction) {
    return prof_scopes_is_marker(instruction) || isa<LoadInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
           isa<ReturnInst>(instruction);
  });
}

/* Does `while (1)` begin there, or `do` end?  Without lifetimes there is no such block: jumps to it go to its
 * target. */
bool is_forwarding(const counting *state, const BasicBlock &block) {
  auto *jump = dyn_cast<BranchInst>(block.getTerminator());
  if (!jump || !jump->isUnconditional() || !jump->getDebugLoc() || state->function->hasPersonalityFn() ||
      state->function->hasOptNone())
    return false;
  bool is_reached_as_placed = any_of(predecessors(&block), [&](const BasicBlock *from) {
    auto *before = dyn_cast<BranchInst>(from->getTerminator());
    return before && before->isUnconditional() && before->getDebugLoc() == jump->getDebugLoc();
  });
  return is_reached_as_placed && all_of(block, [&](const Instruction &instruction) {
           return &instruction == jump || prof_scopes_is_marker(instruction);
         });
}

/* The end of a block's own code; a `return` behind ends of lifetimes would stand at the function's end. */
const Instruction *end_of_return(const BasicBlock &block) {
  const Instruction *end = block.getTerminator(), *before = end->getPrevNode();
  if (!isa<ReturnInst>(end) || end->getNumOperands() == 0)
    return nullptr;
  for (; before && (isa<LoadInst>(before) || isa<GetElementPtrInst>(before)); before = before->getPrevNode())
    end = before;
  auto *call = dyn_cast_or_null<IntrinsicInst>(before);
  if (!call || call->getIntrinsicID() != Intrinsic::lifetime_end || !call->getDebugLoc() ||
      !block.getTerminator()->getDebugLoc() ||
      block.getTerminator()->getDebugLoc().getLine() != call->getDebugLoc().getLine())
    return nullptr;
  for (; before; before = before->getPrevNode())
    if (before->getDebugLoc() && !prof_scopes_is_marker(*before))
      return end;
  return nullptr;
}

void place_add(counting *state, const Instruction &instruction) {
  const DebugLoc &where = instruction.getDebugLoc();
  if (where && where.getLine() && !prof_scopes_is_marker(instruction))
    prof_flow_place(&state->flow, path_of(state, where->getFile()).c_str(), where.getLine());
}

/* Can control get there on edges that can't hold a counter? */
bool is_landed_in(const BasicBlock &block) {
  for (const BasicBlock *from : predecessors(&block))
    if (isa<IndirectBrInst>(from->getTerminator()) || isa<CallBrInst>(from->getTerminator()))
      return true;
  return block.isEHPad();
}

bool may_not_return(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || call->isInlineAsm() || call->isMustTailCall())
    return false;
  return !call->hasFnAttr(Attribute::WillReturn) || !call->doesNotThrow() || prof_call_returns_twice(call);
}

bool returns_twice(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && prof_call_returns_twice(call);
}

/* Makes the node behind a call that returns twice: control comes from the call and from ENTRY. */
uint32_t again_take(counting *state, uint32_t node, Instruction *behind) {
  uint32_t landed = prof_flow_node(&state->flow);
  arc_add(state, node, landed, PROF_ARC_IMPOSSIBLE, {});
  arc_add(state, PROF_FLOW_ENTRY, landed, PROF_ARC_IMPOSSIBLE, {});
  uint32_t next = prof_flow_node(&state->flow);
  arc_add(state, landed, next, PROF_ARC_SPLIT, {behind, nullptr, nullptr});
  return next;
}

void block_take(counting *state, BasicBlock &block) {
  uint32_t node = prof_flow_node(&state->flow);
  state->nodes[&block].first = node;
  if (is_landed_in(block)) {
    arc_add(state, PROF_FLOW_ENTRY, node, PROF_ARC_IMPOSSIBLE, {});
    node = within_add(state, node, PROF_ARC_SPLIT, &*block.getFirstInsertionPt());
  }
  if (&block == &state->function->getEntryBlock()) {
    const DISubprogram *subprogram = state->function->getSubprogram();
    if (subprogram && subprogram->getLine())
      prof_flow_place(&state->flow, path_of(state, subprogram->getFile()).c_str(), subprogram->getLine());
  }
  const Instruction *end = is_end_of_scope(state, block) ? way_of(state, block) : end_of_return(block);
  if (is_return_of_one(state, block) || is_forwarding(state, block))
    end = &block.front();
  for (Instruction &instruction : block) {
    if (&instruction == end)
      break;
    place_add(state, instruction);
    if (!may_not_return(instruction))
      continue;
    if (returns_twice(instruction)) {
      node = again_take(state, node, instruction.getNextNode());
      continue;
    }
    arc_add(state, node, PROF_FLOW_EXIT, PROF_ARC_IMPOSSIBLE, {});
    if (isa<UnreachableInst>(instruction.getNextNode()))
      break;
    node = within_add(state, node, PROF_ARC_CHEAP, instruction.getNextNode());
  }
  state->nodes[&block].second = node;
}

/* One edge in, one out and no line: it belongs to the block before it. */
bool is_on_way(const BasicBlock &block) {
  return block.getUniquePredecessor() && block.getUniqueSuccessor() && isa<BranchInst>(block.getTerminator()) &&
         all_of(block, [](const Instruction &instruction) {
           return !instruction.getDebugLoc() || !instruction.getDebugLoc().getLine() ||
                  prof_scopes_is_marker(instruction);
         });
}

void edge_take(counting *state, BasicBlock *from, BasicBlock *to) {
  bool critical = !from->getUniqueSuccessor() && !to->getUniquePredecessor();
  uint32_t arc = arc_add(state, state->nodes[from].second, state->nodes[to].first,
                         critical ? PROF_ARC_SPLIT : PROF_ARC_CHEAP, {nullptr, from, to});
  if (is_on_way(*to))
    prof_flow_within(&state->flow, arc);
}

/* Adds the edges out of a block. */
void end_take(counting *state, BasicBlock &block) {
  Instruction *end = block.getTerminator();
  uint32_t node = state->nodes[&block].second;
  if (isa<ReturnInst>(end)) {
    Instruction *before = end;
    if (CallInst *call = block.getTerminatingMustTailCall())
      before = call;
    arc_add(state, node, PROF_FLOW_EXIT, PROF_ARC_SPLIT, {before, nullptr, nullptr});
    return;
  }
  if (BasicBlock *to = way_on(state, block)) {
    uint32_t arc = arc_add(state, node, state->nodes[to].first, PROF_ARC_CHEAP, {end, nullptr, nullptr});
    const BasicBlock *before = to->getUniquePredecessor();
    if (is_end_of_scope(state, block) && state->ways_to[to].count == 1 && before && state->passed.count(before))
      prof_flow_within(&state->flow, arc);
    return;
  }
  if (isa<BranchInst>(end) || isa<SwitchInst>(end)) {
    SmallPtrSet<BasicBlock *, 8> seen;
    for (BasicBlock *to : successors(&block))
      if (seen.insert(to).second)
        edge_take(state, &block, to);
    return;
  }
  arc_add(state, node, PROF_FLOW_EXIT, PROF_ARC_IMPOSSIBLE, {});
  if (auto *invoke = dyn_cast<InvokeInst>(end))
    edge_take(state, &block, invoke->getNormalDest());
}

void flow_make(counting *state) {
  BasicBlock &entry = state->function->getEntryBlock();
  passed_find(state);
  for (BasicBlock &block : *state->function)
    if (BasicBlock *to = way_on(state, block)) {
      state->ways_to[to].count++;
      state->ways_to[to].by_jump = is_way_of_jump(way_of(state, block));
    }
  for (BasicBlock &block : *state->function)
    if (!state->passed.count(&block))
      block_take(state, block);
  Instruction *first = &*entry.getFirstInsertionPt();
  while (isa<AllocaInst>(first))
    first = first->getNextNode();
  arc_add(state, PROF_FLOW_ENTRY, state->nodes[&entry].first, PROF_ARC_SPLIT, {first, nullptr, nullptr});
  for (BasicBlock &block : *state->function)
    if (!state->passed.count(&block))
      end_take(state, block);
}

/* ---- the counters ---- */

/* The place of a statement on the edge, which may get a block of its own. */
Instruction *edge_spot(BasicBlock *from, BasicBlock *to) {
  if (from->getUniqueSuccessor() == to)
    return from->getTerminator();
  if (to->getUniquePredecessor() == from)
    return &*to->getFirstInsertionPt();
  Instruction *end = from->getTerminator();
  unsigned index = 0;
  while (end->getSuccessor(index) != to)
    index++;
  BasicBlock *between = SplitCriticalEdge(end, index, CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
  return between ? between->getTerminator() : nullptr;
}

void counters_put(counting *state, GlobalVariable *object) {
  for (uint32_t i = 0; i < state->flow.arc_count; i++) {
    const spot &where = state->spots[i];
    if (state->flow.arcs[i].counter == PROF_FLOW_NO_COUNTER)
      continue;
    Instruction *before = where.before ? where.before : edge_spot(where.from, where.to);
    if (before)
      prof_counter_step(before, object, PROF_FLOW_FIRST_COUNTER + state->flow.arcs[i].counter);
  }
}

void function_count(prof_backend *backend, Function &function) {
  struct prof_probing described = {};
  prof_function_describe(&described, backend, function);
  described.facts.statements = UINT32_MAX; /* unknown before optimisation */
  if (prof_select(&backend->unit.arguments, &described.facts) != PROF_REASON_PROBED)
    return;
  counting state = {};
  size_t word_count;
  state.function = &function;
  prof_flow_init(&state.flow);
  state.flow.lines_by = PROF_FLOW_BY_BLOCK;
  flow_make(&state);
  prof_flow_solve(&state.flow);
  uint64_t *words = prof_flow_object(&state.flow, described.facts.assembler_name, described.facts.line, &word_count);
  if (!words)
    report_fatal_error("prof: out of memory");
  counters_put(&state, prof_counters_new(*function.getParent(), words, word_count));
  free(words);
  prof_flow_fini(&state.flow);
}

} // namespace

bool prof_module_count(struct prof_backend *backend, Module &module) {
  std::vector<Function *> functions;
  if (!backend->unit.arch || backend->unit.arguments.lines != PROF_LINES_COUNT ||
      module.getNamedGlobal(PROF_COUNTS_SWITCH))
    return false;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    function_count(backend, *function);
  return !functions.empty();
}

bool prof_counts_are_there(const Module &module) {
  return module.getNamedGlobal(PROF_COUNTS_SWITCH) != nullptr;
}
