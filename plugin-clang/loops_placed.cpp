/*
 * loops_placed.cpp - chooses the loops of one function and marks the places of their probes, with their values.
 *
 * At VectorizerStart loops are still the user's, but rotated, and no pass has changed their number of iterations.
 * Without it (-O0, functions that are not optimised, ThinLTO before the link) this runs at the end of the pipeline,
 * just before the marks become probes.
 *
 * A loop whose iterations can be computed on entry gets no code: the vectoriser computes them too.  Others get an
 * induction variable that counts the visits of the loop's first block; at an exit its shift (loop_shape.cpp) gives the
 * iterations.  Loops in an instrumented loop have sums of entries and iterations in variables, written at that loop's
 * exits.  All these variables begin as memory and become values at the end.  They stay memory at -O0, and in functions
 * that call setjmp, whose second return would find old values.
 *
 * A jump back to a setjmp in a loop comes from within the loop or from behind it, which is known at run time only.  So
 * a variable holds whether the loop is open; if it isn't, it is entered again behind the setjmp.
 */
#include PROF_COMPAT

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "loop_shape.h"
#include "probe_text.h"

using namespace llvm;

namespace {

struct twice_call {
  CallBase *call;
  Instruction *behind; /* exits of loops come before it, all other probes after it; removed at the end */
};

struct placing {
  struct prof_backend *backend;
  Function *function;
  LoopInfo *loops;
  DominatorTree *tree;
  ScalarEvolution *evolution; /* NULL: no optimisation */
  const TargetTransformInfo *costs;
  struct prof_probing described;
  std::vector<std::unique_ptr<prof_loop_plan>> plans; /* outer loops before inner ones */
  SmallVector<twice_call, 2> twice;                   /* calls that return twice */
  SmallVector<AllocaInst *, 8> variables;
  bool asks_for_all; /* attribute prof_loops */
};

/* ---- variables ---- */

AllocaInst *variable_new(placing *state) {
  BasicBlock &entry = state->function->getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *variable = builder.CreateAlloca(builder.getInt64Ty());
  state->variables.push_back(variable);
  return variable;
}

struct builder_at : IRBuilder<> {
  explicit builder_at(Instruction *before) : IRBuilder<>(before) { SetCurrentDebugLocation(DebugLoc()); }
};

void variable_set(placing *state, AllocaInst *variable, Value *value, Instruction *before) {
  builder_at(before).CreateStore(value, variable, !state->twice.empty());
}

Value *variable_get(placing *state, AllocaInst *variable, Instruction *before) {
  return builder_at(before).CreateLoad(variable->getAllocatedType(), variable, !state->twice.empty());
}

void variable_add(placing *state, AllocaInst *variable, Value *value, Instruction *before) {
  Value *sum = builder_at(before).CreateAdd(variable_get(state, variable, before), value);
  variable_set(state, variable, sum, before);
}

/* at_begin: also at the function's begin, for places that control may reach without the loop. */
void variable_clear(placing *state, AllocaInst *variable, Instruction *before, bool at_begin) {
  ConstantInt *zero = ConstantInt::get(cast<IntegerType>(variable->getAllocatedType()), 0);
  variable_set(state, variable, zero, before);
  if (at_begin)
    variable_set(state, variable, zero, variable->getNextNode());
}

Value *number(const placing *state, int64_t value) {
  return ConstantInt::getSigned(Type::getInt64Ty(state->function->getContext()), value);
}

/* ---- marks ---- */

void mark_put(const prof_loop_plan *plan, uint32_t kind, uint32_t line, Value *value, Instruction *before) {
  struct prof_text text = {};
  if (value)
    kind |= PROF_ROW_HAS_VALUE;
  prof_text_format(&text, PROF_LOOP_MARK "%zu %u %u", plan->index, kind, line);
  prof_statement_put(before, &text, value);
}

/* Iterations of the entry that begins, before `at`. */
Value *iterations_known(placing *state, const prof_loop_plan *plan, Instruction *at) {
  if (plan->note->loop.flags & PROF_LOOP_CONSTANT)
    return number(state, (int64_t)plan->note->loop.iterations);
  SCEVExpander expander(*state->evolution, state->function->getParent()->getDataLayout(), "prof");
  Value *taken = expander.expandCodeFor(plan->taken, plan->taken->getType(), at);
  builder_at builder(at);
  return builder.CreateAdd(builder.CreateZExt(taken, builder.getInt64Ty()), number(state, 1 + plan->shift));
}

void visits_count(placing *state, AllocaInst *variable, const prof_loop_plan *plan) {
  variable_add(state, variable, number(state, 1), &*plan->header->getFirstInsertionPt());
}

/* ---- jumps back ---- */

/* Does the loop hold a call that returns twice? */
bool holds_twice(const placing *state, const prof_loop_plan *plan) {
  return any_of(state->twice,
                [plan](const twice_call &twice) { return plan->loop->contains(twice.call->getParent()); });
}

/* Does no path from the block lead to the function's end or to another loop? */
bool never_returns(const placing *state, BasicBlock *block) {
  for (const BasicBlock *at : depth_first(block))
    if (state->loops->getLoopFor(at) || (succ_empty(at) && !isa<UnreachableInst>(at->getTerminator())))
      return false;
  return true;
}

/* May a call behind the loop jump back? */
bool calls_behind(const prof_loop_plan *plan, BasicBlock *block) {
  df_iterator_default_set<BasicBlock *> seen;
  for (BasicBlock *inside : plan->loop->blocks())
    seen.insert(inside);
  for (BasicBlock *at : depth_first_ext(block, seen))
    for (const Instruction &instruction : *at) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && !isa<IntrinsicInst>(call) && !call->isInlineAsm())
        return true;
    }
  return false;
}

/*
 * Finds its exits.  A call that doesn't return, in a loop that holds a setjmp, is part of the loop: it jumps back into
 * it, or out of the function or the program.
 */
void exits_find(placing *state, prof_loop_plan *plan) {
  prof_exits_make(plan, state->tree, state->loops);
  if (holds_twice(state, plan))
    erase_if(plan->exits, [&](const prof_loop_exit &exit) { return never_returns(state, exit.block); });
}

/* ---- loops in an instrumented loop ---- */

Value *is_not_zero(Value *value, Instruction *before) {
  builder_at builder(before);
  return builder.CreateZExt(builder.CreateICmpNE(value, ConstantInt::get(value->getType(), 0)), value->getType());
}

bool is_known(const prof_loop_plan *plan) {
  return plan->taken || (plan->note->loop.flags & PROF_LOOP_CONSTANT);
}

/* Can its sums be computed from the iterations of the loop around it? */
bool is_derived(const placing *state, const prof_loop_plan *plan) {
  const prof_loop_plan *outer = plan->outer;
  if (!(plan->note->loop.flags & PROF_LOOP_CONSTANT) || !plan->note->loop.iterations || !is_known(outer) ||
      outer->shift)
    return false;
  SmallVector<BasicBlock *, 8> ends;
  outer->loop->getLoopLatches(ends);
  outer->loop->getExitingBlocks(ends);
  for (BasicBlock *end : ends)
    if (!state->tree->dominates(plan->preheader, end))
      return false;
  return true;
}

void sums_begin(placing *state, prof_loop_plan *plan) {
  Instruction *begin = plan->teller->preheader->getTerminator();
  bool follows = is_derived(state, plan);
  if (!follows && !prof_loop_is_counted(&state->backend->unit.arguments, plan->note->reason, &plan->note->loop))
    return;
  plan->note->loop.flags |= PROF_LOOP_COUNTED;
  if (follows)
    return;
  plan->entries = variable_new(state);
  plan->iterations = variable_new(state);
  variable_clear(state, plan->entries, begin, plan->teller->has_maybe);
  variable_clear(state, plan->iterations, begin, plan->teller->has_maybe);
}

/* Adds to the sums at an exit, for the entry that ends. */
void sums_at_exit(placing *state, const prof_loop_plan *plan, AllocaInst *visits, const prof_loop_exit &exit) {
  Instruction *at = &*exit.block->getFirstInsertionPt();
  Value *seen = variable_get(state, visits, at), *zero = number(state, 0);
  builder_at builder(at);
  Value *made = builder.CreateAdd(seen, number(state, exit.shift));
  if (plan->has_maybe) {
    made = builder.CreateSelect(builder.CreateICmpEQ(seen, zero), zero, made);
    variable_set(state, visits, zero, at);
  }
  variable_add(state, plan->iterations, made, at);
  variable_add(state, plan->entries, is_not_zero(made, at), at);
}

void sums_make(placing *state, prof_loop_plan *plan) {
  Instruction *entry = plan->preheader->getTerminator();
  if (is_known(plan)) {
    Value *count = iterations_known(state, plan, entry);
    bool may_be_none = plan->shift < 0; /* tested before its first iteration */
    variable_add(state, plan->iterations, count, entry);
    variable_add(state, plan->entries, may_be_none ? is_not_zero(count, entry) : number(state, 1), entry);
    return;
  }
  exits_find(state, plan);
  bool is_plain = true;
  for (const prof_loop_exit &exit : plan->exits)
    is_plain &= !exit.shift;
  if (is_plain) {
    visits_count(state, plan->iterations, plan);
    variable_add(state, plan->entries, number(state, 1), entry);
    return;
  }
  AllocaInst *visits = variable_new(state);
  variable_clear(state, visits, entry, plan->has_maybe);
  visits_count(state, visits, plan);
  for (const prof_loop_exit &exit : plan->exits)
    sums_at_exit(state, plan, visits, exit);
}

/* ---- instrumented loops ---- */

void exit_put(placing *state, const prof_loop_plan *plan, int shift, bool is_maybe, uint32_t line, Instruction *at) {
  for (const std::unique_ptr<prof_loop_plan> &inner : state->plans)
    if (inner->teller == plan && inner->entries) {
      mark_put(inner.get(), PROF_PROBE_LOOP_COUNT | PROF_ROW_COUNTS_ENTRIES, line,
               variable_get(state, inner->entries, at), at);
      mark_put(inner.get(), PROF_PROBE_LOOP_COUNT, line, variable_get(state, inner->iterations, at), at);
      if (plan->has_maybe) {
        variable_clear(state, inner->entries, at, false);
        variable_clear(state, inner->iterations, at, false);
      }
    }
  Value *value = nullptr;
  if (plan->visits)
    value = builder_at(at).CreateAdd(variable_get(state, plan->visits, at), number(state, shift));
  if (plan->is_open)
    variable_clear(state, plan->is_open, at, false);
  mark_put(plan, PROF_PROBE_LOOP_EXIT | (is_maybe ? PROF_ROW_MAYBE : 0), line, value, at);
}

/* Puts exits behind calls that return twice, of a loop that doesn't contain them. */
void twice_put(placing *state, const prof_loop_plan *plan) {
  for (const twice_call &twice : state->twice)
    if (!plan->loop->contains(twice.call->getParent()))
      exit_put(state, plan, 0, true, plan->note->loop.line, twice.behind);
}

/* Puts an entry behind a call in the loop that returns twice, if the loop isn't open. */
void reentry_put(placing *state, const prof_loop_plan *plan, Instruction *at) {
  DomTreeUpdater updater(state->tree, DomTreeUpdater::UpdateStrategy::Eager);
  Value *is_closed = builder_at(at).CreateICmpEQ(variable_get(state, plan->is_open, at), number(state, 0));
  Instruction *then = SplitBlockAndInsertIfThen(is_closed, at, false, nullptr, &updater, state->loops);
  variable_set(state, plan->is_open, number(state, 1), then);
  if (plan->visits)
    variable_clear(state, plan->visits, then, false);
  mark_put(plan, PROF_PROBE_LOOP_ENTRY, plan->note->loop.line, nullptr, then);
}

void probes_place(placing *state, prof_loop_plan *plan) {
  Instruction *entry = plan->preheader->getTerminator();
  Value *value = nullptr;
  if (plan->taken)
    value = iterations_known(state, plan, entry);
  else if (!is_known(plan)) {
    plan->visits = variable_new(state);
    variable_clear(state, plan->visits, entry, plan->has_maybe);
    visits_count(state, plan->visits, plan);
  }
  if (holds_twice(state, plan) &&
      any_of(plan->exits, [plan](const prof_loop_exit &exit) { return calls_behind(plan, exit.block); })) {
    plan->is_open = variable_new(state);
    variable_clear(state, plan->is_open, entry, true);
    variable_set(state, plan->is_open, number(state, 1), entry);
  }
  mark_put(plan, PROF_PROBE_LOOP_ENTRY, plan->note->loop.line, value, entry);
  for (const prof_loop_exit &exit : plan->exits)
    exit_put(state, plan, exit.shift, exit.is_maybe, exit.line ? exit.line : plan->note->loop.line,
             &*exit.block->getFirstInsertionPt());
  twice_put(state, plan);
  plan->note->loop.flags |= PROF_LOOP_PROBED;
}

/* ---- the choice ---- */

/* The place before the loop; its preheader, which comes with its probes, will be behind it. */
Instruction *place_before(const placing *state, const Loop *loop) {
  if (BasicBlock *preheader = loop->getLoopPreheader())
    return preheader->getTerminator();
  const DomTreeNode *header = state->tree->getNode(loop->getHeader());
  return header && header->getIDom() ? header->getIDom()->getBlock()->getTerminator() : nullptr;
}

/* Are the iterations of an entry known before it begins, and cheap to compute? */
void count_take(placing *state, prof_loop_plan *plan) {
  struct prof_candidate_loop *loop = &plan->note->loop;
  Instruction *at = place_before(state, plan->loop);
  if (!state->evolution || plan->header != plan->loop->getHeader() || !plan->has_one_shift || !at ||
      loop->has_no_edge || prof_may_leave_unseen(plan->loop))
    return;
  const SCEV *taken = state->evolution->getBackedgeTakenCount(plan->loop);
  if (isa<SCEVCouldNotCompute>(taken) || !taken->getType()->isIntegerTy() ||
      state->evolution->getTypeSizeInBits(taken->getType()) > 64)
    return;
  if (const auto *constant = dyn_cast<SCEVConstant>(taken)) {
    loop->flags |= PROF_LOOP_COUNTABLE | PROF_LOOP_CONSTANT;
    loop->iterations = constant->getAPInt().getZExtValue() + 1 + plan->shift;
    return;
  }
  const unsigned budget = 6; /* a division by a constant is within it, one by a variable isn't */
  SCEVExpander expander(*state->evolution, state->function->getParent()->getDataLayout(), "prof");
  if (compat::is_safe_to_expand(expander, taken, at, *state->evolution) &&
      !expander.isHighCostExpansion(taken, plan->loop, budget, state->costs, at)) {
    loop->flags |= PROF_LOOP_COUNTABLE;
    plan->taken = taken;
  }
}

void choose(placing *state, prof_loop_plan *plan) {
  struct prof_candidate_loop *loop = &plan->note->loop;
  const struct prof_arguments *arguments = &state->backend->unit.arguments;
  for (prof_loop_plan *outer = plan->outer; outer && !plan->teller; outer = outer->outer)
    if (outer->note->reason == PROF_LOOP_REASON_PROBED)
      plan->teller = outer;
  if (const prof_loop_plan *outer = plan->outer) {
    loop->nest_is_asked_for = outer->note->loop.annotated || outer->note->loop.nest_is_asked_for;
    loop->nest_has_calls = outer->note->loop.has_calls;
  }
  loop->in_probed = plan->teller != nullptr;
  loop->annotated = state->asks_for_all || (plan->statement && plan->statement->is_asked_for);
  plan->note->reason = prof_loop_select(arguments, loop);
  if (plan->note->reason == PROF_LOOP_REASON_PROBED || loop->has_no_edge || loop->is_swap)
    plan->teller = nullptr;
}

/*
 * LLVM splits a loop whose back edges change different variables: those of a `continue` before the step become back
 * edges of a loop around the others.  The parts have one statement, and every iteration visits the innermost part's
 * first block.
 */
BasicBlock *header_of(const Loop *loop) {
  const DILocation *begin = prof_loop_begin(loop);
  const Loop *part = loop;
  for (const Loop *next = loop; begin && next;) {
    part = next;
    next = nullptr;
    for (const Loop *inner : *part)
      if (prof_loop_begin(inner) == begin)
        next = inner;
  }
  return part->getHeader();
}

/* The plan of the loop that this one is a part of; NULL: it is a whole loop. */
prof_loop_plan *whole_of(const Loop *loop, std::unordered_map<const Loop *, prof_loop_plan *> *plan_of) {
  const Loop *around = loop->getParentLoop();
  const DILocation *begin = prof_loop_begin(loop);
  return around && begin && prof_loop_begin(around) == begin ? (*plan_of)[around] : nullptr;
}

void plans_make(placing *state) {
  struct prof_loops *all = &state->backend->loops;
  std::unordered_map<const Loop *, prof_loop_plan *> plan_of;
  size_t first = all->notes.size();
  for (Loop *loop : state->loops->getLoopsInPreorder()) {
    if (prof_loop_plan *whole = whole_of(loop, &plan_of)) {
      plan_of[loop] = whole;
      continue;
    }
    auto plan = std::make_unique<prof_loop_plan>();
    plan->loop = loop;
    plan->header = header_of(loop);
    plan->index = all->notes.size();
    plan->outer = loop->getParentLoop() ? plan_of[loop->getParentLoop()] : nullptr;
    all->notes.push_back(std::make_unique<prof_loop_note>());
    plan->note = all->notes.back().get();
    prof_loop_describe(plan.get(), &state->described, all, first);
    count_take(state, plan.get());
    choose(state, plan.get());
    plan_of[loop] = plan.get();
    state->plans.push_back(std::move(plan));
  }
  for (auto plan = state->plans.rbegin(); plan != state->plans.rend(); ++plan) {
    prof_loop_plan *outermost = plan->get();
    while (outermost->outer)
      outermost = outermost->outer;
    outermost->nest_is_told |= (*plan)->note->reason == PROF_LOOP_REASON_PROBED;
  }
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans) {
    plan->nest_is_told |= plan->outer && plan->outer->nest_is_told;
    plan->note->is_told = plan->nest_is_told && !plan->note->loop.is_swap;
  }
  all->notes_of[state->function] = {first, all->notes.size()};
}

void twice_find(placing *state) {
  for (BasicBlock &block : *state->function)
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (prof_call_returns_twice(call))
          state->twice.push_back({call, nullptr});
  for (twice_call &twice : state->twice) {
    auto *invoke = dyn_cast<InvokeInst>(twice.call);
    Instruction *next = invoke ? &*invoke->getNormalDest()->getFirstInsertionPt() : twice.call->getNextNode();
    twice.behind = new FreezeInst(number(state, 0), "", next);
  }
}

bool place_all(placing *state) {
  bool any = false;
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans)
    if (plan->note->reason == PROF_LOOP_REASON_PROBED || plan->teller) {
      plan->preheader = plan->loop->getLoopPreheader();
      if (!plan->preheader)
        plan->preheader = InsertPreheaderForLoop(plan->loop, state->tree, state->loops, nullptr, false);
    }
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans) {
    if (plan->note->reason == PROF_LOOP_REASON_PROBED) {
      exits_find(state, plan.get());
      plan->has_maybe |= !state->twice.empty();
      any = true;
    }
  }
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans)
    if (plan->teller)
      sums_begin(state, plan.get());
  /* At a shared place later code goes before earlier: inner loops end first, sums are computed before they are
   * written. */
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans)
    if (plan->note->reason == PROF_LOOP_REASON_PROBED)
      probes_place(state, plan.get());
  for (const std::unique_ptr<prof_loop_plan> &plan : state->plans)
    if (plan->entries)
      sums_make(state, plan.get());
  for (const twice_call &twice : state->twice) {
    for (const std::unique_ptr<prof_loop_plan> &plan : state->plans)
      if (plan->is_open && plan->loop->contains(twice.call->getParent()))
        reentry_put(state, plan.get(), twice.behind);
    twice.behind->eraseFromParent();
  }
  return any;
}

} // namespace

bool prof_loops_place(struct prof_backend *backend, Function &function, LoopInfo &loops, DominatorTree &tree,
                      ScalarEvolution *evolution, const TargetTransformInfo *costs) {
  placing state;
  if (backend->loops.notes_of.count(&function) || function.hasAvailableExternallyLinkage())
    return false;
  prof_function_describe(&state.described, backend, function);
  state.described.facts.statements = UINT32_MAX; /* not known yet: decided at the end */
  if (prof_select(&backend->unit.arguments, &state.described.facts) != PROF_REASON_PROBED)
    return false;
  state.backend = backend;
  state.function = &function;
  state.loops = &loops;
  state.tree = &tree;
  state.evolution = evolution;
  state.costs = costs;
  state.asks_for_all = prof_function_has_annotation(function, "prof_loops");
  plans_make(&state);
  twice_find(&state);
  bool changed = place_all(&state);
  if (evolution && state.twice.empty())
    PromoteMemToReg(state.variables, tree);
  return changed;
}
