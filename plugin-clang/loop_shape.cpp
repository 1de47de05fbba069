/*
 * loop_shape.cpp - finds the source loop of a loop of IR, and how visits of its first block become iterations.
 *
 * An iteration begins where the body does.  The first block of a loop of IR may be elsewhere: at the condition (as in
 * the source), or in the middle of the body (rotation makes `for (;;) { if (c) break; x; }` a test before the loop and
 * `do x; while (!c)`).  Places decide: those of the statement's parts come from the parser, those of branches and calls
 * from debug locations, which instructions keep when they are copied and moved.
 *
 * In the order of one iteration the body comes first, then the step, then the condition (of the next iteration).  An
 * exit placed before the loop's first block belongs to the iteration after that of the last visit.
 */
#include PROF_COMPAT

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "facts.h"
#include "loop_shape.h"

using namespace llvm;

namespace {

/* ---- places ---- */

enum part { BODY, STEP, CONDITION };

struct rank {
  bool is_known;
  enum part part;
  size_t number; /* of the statement in the body */
  bool operator<(const rank &other) const { return part != other.part ? part < other.part : number < other.number; }
};

/* The place in the loop's function in the source. */
const DILocation *in_frame_of(const DILocation *begin, const DILocation *at) {
  for (; at; at = at->getInlinedAt())
    if (at->getInlinedAt() == begin->getInlinedAt() &&
        at->getScope()->getSubprogram() == begin->getScope()->getSubprogram())
      return at;
  return nullptr;
}

bool is_between(prof_source_place first, prof_source_place place, prof_source_place last) {
  return first.line && !(place < first) && !(last < place);
}

rank rank_of(const prof_loop_plan *plan, const DILocation *location) {
  const DILocation *at = location ? in_frame_of(plan->frame, location) : nullptr;
  if (!at || !at->getLine())
    return {false, BODY, 0};
  const prof_loop_statement *statement = plan->statement;
  prof_source_place place = {at->getLine(), at->getColumn()};
  if (is_between(statement->step, place, statement->step_end))
    return {true, STEP, 0};
  if (is_between(statement->element, place, statement->element_end))
    return {true, BODY, 0};
  if (!is_between(statement->body, place, statement->body_end))
    return {true, CONDITION, 0};
  size_t number = 0;
  while (number < statement->parts.size() && !(place < statement->parts[number]))
    number++;
  return {true, BODY, number};
}

/* Rank of a block's end: of its last instruction with a place. */
rank rank_of_end(const prof_loop_plan *plan, const BasicBlock *block) {
  rank last = {false, BODY, 0};
  for (const Instruction *at = block->getTerminator(); at && !last.is_known; at = at->getPrevNode())
    last = rank_of(plan, at->getDebugLoc());
  return last;
}

/* Rank of the loop's first block: of its first instruction with an effect in the body, else of its first in the
 * body. */
rank rank_of_header(const prof_loop_plan *plan) {
  rank first = {false, BODY, 0};
  for (const Instruction &instruction : *plan->header) {
    if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction))
      continue;
    rank here = rank_of(plan, instruction.getDebugLoc());
    if (here.is_known && here.part == BODY && (instruction.mayHaveSideEffects() || !first.is_known))
      return here;
    if (here.is_known && !first.is_known)
      first = here;
  }
  return first;
}

/* ---- shifts ---- */

bool statement_is_range(const prof_loop_statement *statement) {
  return statement->element.line;
}

int shift_of(const prof_loop_plan *plan, const BasicBlock *exiting) {
  const Loop *loop = plan->loop;
  const BasicBlock *header = plan->header, *latch = loop->getLoopLatch();
  if (plan->statement && !plan->statement->is_one_place) {
    rank first = rank_of_header(plan), end = rank_of_end(plan, exiting);
    /* A range-for has element, step and test at one place: if it tests at its end, it begins with the element. */
    bool begins_with_element = statement_is_range(plan->statement) && latch && loop->isLoopExiting(latch) &&
                               (latch == header || !loop->isLoopExiting(header));
    if (begins_with_element)
      first = {true, BODY, 0};
    /* Parts of a condition have the same place; in the first block their order decides. */
    bool is_later =
        end < first || (end.part == CONDITION && first.part == CONDITION && exiting != header && exiting == latch);
    if (first.is_known && end.is_known)
      return (first.part == CONDITION ? -1 : 0) + (is_later ? 1 : 0);
  }
  bool is_tested_first = header != latch && loop->isLoopExiting(header) && !(latch && loop->isLoopExiting(latch));
  return plan->note->begin && is_tested_first && exiting == header ? -1 : 0;
}

void shifts_set(prof_loop_plan *plan) {
  SmallVector<BasicBlock *, 8> exiting;
  plan->loop->getExitingBlocks(exiting);
  plan->has_one_shift = !exiting.empty();
  for (BasicBlock *block : exiting) {
    int shift = shift_of(plan, block);
    plan->has_one_shift &= block == exiting[0] || shift == plan->shift;
    plan->shift = shift;
  }
}

/* ---- description ---- */

/* Some back edges may have lost it; one that is also an inner loop's has that loop's. */
const MDNode *id_of(const Loop *loop) {
  SmallVector<BasicBlock *, 4> latches;
  loop->getLoopLatches(latches);
  for (BasicBlock *latch : latches) {
    const MDNode *id = latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
    bool is_inner = any_of(*loop, [latch](const Loop *inner) { return inner->isLoopLatch(latch); });
    if (id && !is_inner)
      return id;
  }
  return nullptr;
}

/* Clang's places of the loop's first and last token. */
std::pair<const DILocation *, const DILocation *> range_of(const Loop *loop) {
  const DILocation *begin = nullptr, *end = nullptr;
  if (const MDNode *id = id_of(loop))
    for (const MDOperand &operand : drop_begin(id->operands()))
      if (const auto *place = dyn_cast<DILocation>(operand)) {
        if (begin) {
          end = place;
          break;
        }
        begin = place;
      }
  return {begin, end};
}

/* The first place in the loop's blocks; the header may have none, as with a jump to computed labels. */
const DILocation *first_place(const Loop *loop) {
  for (const BasicBlock *block : loop->blocks())
    for (const Instruction &instruction : *block)
      if (const DILocation *at = instruction.getDebugLoc())
        if (at->getLine())
          return at;
  return nullptr;
}

/* Describes its statements: number, calls, last line. */
void body_describe(const Loop *loop, const DILocation *begin, struct prof_candidate_loop *to) {
  for (const BasicBlock *block : loop->blocks())
    for (const Instruction &instruction : *block) {
      to->statements += prof_is_statement(instruction);
      const auto *call = dyn_cast<CallBase>(&instruction);
      to->has_calls |= call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
      const DILocation *at = begin ? in_frame_of(begin, instruction.getDebugLoc()) : nullptr;
      if (at && at->getFile() == begin->getFile() && at->getLine() > to->last_line)
        to->last_line = at->getLine();
    }
}

/* Has it inner loops?  Its own parts are none. */
bool has_inner(const Loop *loop, const DILocation *begin) {
  return any_of(*loop, [begin](const Loop *inner) {
    return !begin || prof_loop_begin(inner) != begin || has_inner(inner, begin);
  });
}

bool edges_hold_no_probe(const Loop *loop) {
  const BasicBlock *header = loop->getHeader();
  bool none = header->isEHPad();
  for (const BasicBlock *before : predecessors(header))
    none |= !loop->contains(before) &&
            (isa<IndirectBrInst>(before->getTerminator()) || isa<CallBrInst>(before->getTerminator()));
  return none;
}

bool holds_swap(const Loop *loop) {
  for (const BasicBlock *block : loop->blocks())
    for (const Instruction &instruction : *block)
      if (isa<AtomicCmpXchgInst>(instruction))
        return true;
  return false;
}

/* The number of the loop in its function; copies share it. */
uint32_t ordinal_of(const prof_loop_plan *plan, const struct prof_loops *loops, size_t first) {
  for (size_t i = first; i < plan->index && plan->note->begin; i++) {
    bool is_around = false;
    for (const prof_loop_plan *outer = plan->outer; outer; outer = outer->outer)
      is_around |= outer->index == i;
    if (loops->notes[i]->begin == plan->note->begin && !is_around)
      return static_cast<uint32_t>(i - first);
  }
  return static_cast<uint32_t>(plan->index - first);
}

void texts_set(prof_loop_note *note, const DILocation *at, const struct prof_probing *function) {
  note->file = function->file;
  if (at) {
    const DISubprogram *in = at->getScope()->getSubprogram();
    note->file = prof_path_of(at->getFile(), in ? in->getUnit() : nullptr, *function->function->getParent());
    if (at->getInlinedAt() && in)
      note->source_function = (in->getLinkageName().empty() ? in->getName() : in->getLinkageName()).str();
  }
  note->loop.file = note->loop.recorded_file = note->file.c_str();
  note->loop.source_function = note->source_function.c_str();
}

/*
 * For a loop without place: the innermost statement around `at` that is not an outer loop's.  A loop made by goto may
 * get the statement of a removed loop.
 */
const prof_loop_statement *statement_around(prof_loop_plan *plan, const struct prof_loops *loops,
                                            const DILocation *at) {
  const prof_loop_statement *found = nullptr;
  for (; at && !found; at = at->getInlinedAt()) {
    prof_source_place place = {at->getLine(), at->getColumn()};
    StringRef file = sys::path::filename(at->getFilename());
    for (const auto &pair : loops->statements) {
      const prof_loop_statement *one = &pair.second;
      bool is_taken = !is_between(one->begin, place, std::max(one->body_end, one->body)) || one->file != file;
      for (const prof_loop_plan *outer = plan->outer; outer; outer = outer->outer)
        is_taken |= outer->statement == one;
      if (!is_taken && (!found || found->begin < one->begin))
        found = one;
    }
    if (found)
      plan->frame = at;
  }
  return found;
}

/* Looks up its first place, which may be that of a variable before it, else the exits and back edges. */
const prof_loop_statement *statement_of(prof_loop_plan *plan, const struct prof_loops *loops) {
  SmallVector<BasicBlock *, 8> ends;
  plan->loop->getExitingBlocks(ends);
  plan->loop->getLoopLatches(ends);
  const prof_loop_statement *found = statement_around(plan, loops, first_place(plan->loop));
  for (size_t i = 0; i < ends.size() && !found; i++)
    found = statement_around(plan, loops, ends[i]->getTerminator()->getDebugLoc());
  return found;
}

void statement_find(prof_loop_plan *plan, struct prof_loops *loops) {
  struct prof_candidate_loop *to = &plan->note->loop;
  if (plan->note->begin) {
    auto found = loops->statements.find(prof_statement_key(
        plan->note->begin->getFilename().str(), {plan->note->begin->getLine(), plan->note->begin->getColumn()}));
    plan->statement = found == loops->statements.end() ? nullptr : &found->second;
    return;
  }
  plan->statement = statement_of(plan, loops);
  if (plan->statement) {
    to->line = plan->statement->begin.line;
    to->last_line = plan->statement->body_end.line;
  }
}

} // namespace

std::string prof_statement_key(const std::string &file, prof_source_place begin) {
  return sys::path::filename(file).str() + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column);
}

const DILocation *prof_loop_begin(const Loop *loop) {
  return range_of(loop).first;
}

void prof_loop_describe(prof_loop_plan *plan, struct prof_probing *function, struct prof_loops *loops, size_t first) {
  prof_loop_note *note = plan->note;
  struct prof_candidate_loop *to = &note->loop;
  auto range = range_of(plan->loop);
  note->begin = range.first;
  note->start = plan->loop->getStartLoc();
  plan->frame = range.first ? range.first : first_place(plan->loop);
  to->line = plan->frame ? plan->frame->getLine() : 0;
  to->last_line = range.second ? range.second->getLine() : to->line;
  to->depth = static_cast<uint16_t>(plan->outer ? plan->outer->note->loop.depth + 1 : 1);
  to->has_inner = has_inner(plan->loop, note->begin);
  SmallVector<Loop::Edge, 8> exits;
  plan->loop->getExitEdges(exits);
  to->exits = exits.size();
  to->has_no_edge = edges_hold_no_probe(plan->loop);
  statement_find(plan, loops);
  note->statement = plan->statement;
  body_describe(plan->loop, range.second || plan->statement ? nullptr : plan->frame, to);
  to->made_by_goto = plan->frame && !note->begin && !plan->statement;
  to->is_swap = !note->begin && !plan->statement && plan->loop->isInnermost() && holds_swap(plan->loop);
  texts_set(note, plan->frame, function);
  to->key = prof_facts_loop_key(function->key, ordinal_of(plan, loops, first));
  to->parent = plan->outer ? plan->outer->note->loop.key : 0;
  shifts_set(plan);
}

bool prof_may_leave_unseen(const Loop *loop) {
  for (const BasicBlock *block : loop->blocks())
    if (!isGuaranteedToTransferExecutionToSuccessor(block))
      return true;
  return false;
}

void prof_exits_make(prof_loop_plan *plan, DominatorTree *tree, LoopInfo *loops) {
  SmallVector<BasicBlock *, 4> outside;
  plan->loop->getUniqueExitBlocks(outside);
  for (BasicBlock *block : outside) {
    SmallVector<std::pair<BasicBlock *, int>, 8> inside; /* and their shifts */
    bool is_split = !block->isEHPad(), is_own = true;
    for (BasicBlock *before : predecessors(block)) {
      bool is_inside = plan->loop->contains(before);
      is_own &= is_inside;
      is_split &=
          !is_inside || !(isa<IndirectBrInst>(before->getTerminator()) || isa<CallBrInst>(before->getTerminator()));
      if (is_inside && none_of(inside, [&](auto &other) { return other.first == before; }))
        inside.push_back({before, shift_of(plan, before)});
    }
    if (isa<CatchSwitchInst>(block->getFirstNonPHI()))
      continue;
    while (!inside.empty()) {
      int shift = inside.front().second;
      const DebugLoc &where = inside.front().first->getTerminator()->getDebugLoc();
      uint32_t line = where ? where.getLine() : 0;
      SmallVector<BasicBlock *, 8> same;
      for (auto &one : inside)
        if (one.second == shift)
          same.push_back(one.first);
      bool is_all = is_own && same.size() == inside.size();
      erase_if(inside, [&](auto &one) { return one.second == shift; });
      if (!is_split) {
        plan->has_maybe |= !is_own;
        plan->exits.push_back({block, shift, !is_own, line});
        break;
      }
      BasicBlock *own = is_all ? block : SplitBlockPredecessors(block, same, ".prof", tree, loops);
      plan->exits.push_back({own, shift, false, line});
      is_own &= is_all; /* the new block leads into it */
    }
  }
}
