/*
 * line_times.cpp - lines=time: puts a LINE where control comes to another line, before calls and behind them
 * (wire/times.h).
 *
 * Marks (line_mark.h) are put in at the start of the pipeline, when lines are in the source's order at every level, and
 * become probes at its end.  They touch memory, so that no load or store leaves its line; register operations may.
 *
 * If only a return follows a call, no mark stands between the two: it would no longer become a jump, and a deep
 * recursion would overflow the stack.  The function's EXIT ends the line.  Coroutines get no marks: no statement may
 * stand at their jumps to each other.
 */
#include PROF_COMPAT

#include <cstring>
#include <map>
#include <unordered_set>

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "function.h"
#include "line_flow.h"
#include "line_mark.h"
#include "probe_text.h"
#include "scopes.h"

using namespace llvm;

namespace {

struct place {
  const DIFile *file;
  unsigned line;
};

struct mark_at {
  Instruction *before;
  uint32_t line, flag;
};

struct timing {
  Function *function;
  const AllocaInst *way_slot; /* scopes.h */
  std::string function_name;
  std::map<std::pair<const DIFile *, unsigned>, uint32_t> numbers; /* of lines, in the flow */
  std::vector<place> lines;                                        /* line n + 1 */
  std::unordered_set<const BasicBlock *> ways;                     /* from a tail call to the return: get no marks */
  std::unordered_map<const BasicBlock *, uint32_t> blocks;         /* number in the flow */
  std::vector<mark_at> marks;
  std::vector<std::pair<InvokeInst *, uint32_t>> invokes; /* and their lines */
  struct prof_line_flow flow;
};

/* ---- kinds of instructions ---- */

/* Makes no code, or only code without a line.  Pointer casts: with typed pointers, before a variable's life ends. */
bool is_passed_over(const Instruction &instruction) {
  if (isa<BitCastInst>(instruction) && instruction.getType()->isPointerTy())
    return true;
  auto *branch = dyn_cast<BranchInst>(&instruction);
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return isa<PHINode>(instruction) || isa<AllocaInst>(instruction) || isa<LandingPadInst>(instruction) ||
         (branch && branch->isUnconditional()) ||
         (call && (isa<DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd()));
}

bool is_real_call(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
}

bool is_of_variable(const Value *address) {
  return isa<AllocaInst>(address->stripPointerCasts());
}

/* May it stand between a tail call and the return before optimisation?  `self`: the call is recursive. */
bool is_carried_to_return(const Instruction &instruction, bool self) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isVolatile() && is_of_variable(load->getPointerOperand());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !store->isVolatile() && is_of_variable(store->getPointerOperand());
  if (self && (isa<BinaryOperator>(instruction) || isa<CmpInst>(instruction) || isa<SelectInst>(instruction)))
    return true;
  return is_passed_over(instruction) || isa<CastInst>(instruction) || isa<ExtractValueInst>(instruction) ||
         isa<InsertValueInst>(instruction);
}

/* May it become a tail call, so that no mark may follow?  *way: the blocks behind its own, up to the return. */
bool may_be_tail_call(const timing *state, const CallInst *call, SmallVectorImpl<const BasicBlock *> *way) {
  if (call->isMustTailCall())
    return true;
  bool self = call->getCalledFunction() == state->function;
  if (state->function->hasFnAttribute(Attribute::OptimizeNone) || call->doesNotReturn())
    return false;
  for (const Instruction *at = call->getNextNode(); at; at = at->getNextNode()) {
    if (isa<ReturnInst>(at))
      return true;
    if (!is_carried_to_return(*at, self))
      return false;
    if (!at->isTerminator())
      continue;
    const BasicBlock *next = cast<BranchInst>(at)->getSuccessor(0);
    if (is_contained(*way, next))
      return false;
    way->push_back(next);
    at = &next->front();
    if (isa<ReturnInst>(at))
      return true;
    if (!is_carried_to_return(*at, self) || at->isTerminator())
      return false;
  }
  return false;
}

bool is_coroutine(const Function &function) {
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == Intrinsic::coro_begin || call->getIntrinsicID() == Intrinsic::coro_id)
          return true;
  return false;
}

/* ---- lines ---- */

/* The line's number in the flow; 0: none.  A condition's jump takes no time, and may stand on another line than the end
 * of its test. */
uint32_t line_of(timing *state, const Instruction &instruction) {
  const DebugLoc &where = instruction.getDebugLoc();
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!where || !where.getLine() || is_passed_over(instruction) || isa<BranchInst>(instruction) ||
      (store && state->way_slot && store->getPointerOperand() == state->way_slot))
    return 0;
  uint32_t &number = state->numbers[{where->getFile(), where.getLine()}];
  if (!number) {
    state->lines.push_back({where->getFile(), where.getLine()});
    number = (uint32_t)state->lines.size();
  }
  return number;
}

/* The absolute path, as in debug information. */
std::string path_of(const DIFile *file) {
  SmallString<256> whole(file->getFilename());
  if (!sys::path::is_absolute(whole)) {
    whole = file->getDirectory();
    sys::path::append(whole, file->getFilename());
  }
  return whole.str().str();
}

InlineAsm *asm_of(LLVMContext &context, const std::string &text) {
  FunctionType *type = FunctionType::get(Type::getVoidTy(context), false);
  return InlineAsm::get(type, text, std::string("~{memory},") + prof_backend_now->unit.arch->llvm_clobbers, true);
}

void mark_put(timing *state, Instruction *before, uint32_t line, uint32_t flag) {
  const place &where = state->lines[line - 1];
  struct prof_text text = {};
  prof_line_mark_write(&text, PROF_PROBE_LINE | flag, where.line, state->function_name.c_str(),
                       path_of(where.file).c_str());
  if (text.failed)
    report_fatal_error("prof: out of memory");
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(DebugLoc());
  CallInst *mark = builder.CreateCall(asm_of(before->getContext(), prof_text_string(&text)));
  mark->addFnAttr(Attribute::NoUnwind);
  mark->addFnAttr(Attribute::NoMerge);
  prof_text_fini(&text);
}

/* ---- the flow ---- */

void block_take(timing *state, const BasicBlock &block) {
  uint32_t left = PROF_LINE_SAME;
  for (const Instruction &instruction : block) {
    SmallVector<const BasicBlock *, 4> way;
    uint32_t line = line_of(state, instruction);
    left = line ? line : left;
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !is_real_call(*call) || !may_be_tail_call(state, call, &way))
      continue;
    left = PROF_LINE_UNKNOWN;
    state->ways.insert(way.begin(), way.end());
    break;
  }
  state->blocks[&block] = (uint32_t)state->flow.block_count;
  prof_line_flow_block(&state->flow, left);
}

void flow_make(timing *state) {
  for (const BasicBlock &block : *state->function)
    block_take(state, block);
  for (const BasicBlock &block : *state->function) {
    if (&block == &state->function->getEntryBlock() || block.isEHPad())
      prof_line_flow_edge(&state->flow, PROF_LINE_FLOW_NOWHERE, state->blocks[&block]);
    for (const BasicBlock *from : predecessors(&block))
      prof_line_flow_edge(&state->flow, state->blocks[from], state->blocks[&block]);
  }
  prof_line_flow_solve(&state->flow);
  if (state->flow.failed)
    report_fatal_error("prof: out of memory");
}

/* ---- marks ---- */

/* False: its block gets no more marks. */
bool call_take(timing *state, CallBase *call, uint32_t line) {
  SmallVector<const BasicBlock *, 4> way;
  state->marks.push_back({call, line, PROF_ROW_LINE_CALLS});
  if (auto *plain = dyn_cast<CallInst>(call)) {
    if (may_be_tail_call(state, plain, &way))
      return false;
    if (!isa<UnreachableInst>(plain->getNextNode()))
      state->marks.push_back({plain->getNextNode(), line, PROF_ROW_LINE_GOES_ON});
  } else if (auto *invoke = dyn_cast<InvokeInst>(call)) {
    state->invokes.push_back({invoke, line});
  }
  return true;
}

void block_mark(timing *state, BasicBlock &block) {
  uint32_t now = prof_line_flow_found(&state->flow, state->blocks[&block]);
  if (state->ways.count(&block))
    return;
  for (Instruction &instruction : block) {
    uint32_t line = line_of(state, instruction);
    if (line && line != now) {
      state->marks.push_back({&instruction, line, PROF_ROW_LINE_BEGINS});
      now = line;
    }
    if (now && is_real_call(instruction) && !call_take(state, cast<CallBase>(&instruction), now))
      return;
  }
}

void marks_put(timing *state) {
  for (BasicBlock &block : *state->function)
    block_mark(state, block);
  for (const mark_at &at : state->marks)
    mark_put(state, at.before, at.line, at.flag);
  for (auto &behind : state->invokes) {
    BasicBlock *next = behind.first->getNormalDest();
    if (!next->getSinglePredecessor())
      next = SplitEdge(behind.first->getParent(), next);
    mark_put(state, &*next->getFirstInsertionPt(), behind.second, PROF_ROW_LINE_GOES_ON);
  }
}

bool function_time(struct prof_backend *backend, Function &function) {
  struct prof_probing described = {};
  prof_function_describe(&described, backend, function);
  described.facts.statements = UINT32_MAX; /* unknown before optimisation */
  const struct prof_arguments *arguments = &backend->unit.arguments;
  enum prof_times_choice choice = prof_select_times(arguments, &described.facts);
  if (choice == PROF_TIMES_NOT || prof_select(arguments, &described.facts) != PROF_REASON_PROBED ||
      is_coroutine(function))
    return false;
  if (choice == PROF_TIMES_NAMED && !function.hasFnAttribute(Attribute::AlwaysInline))
    function.addFnAttr(Attribute::NoInline);
  timing state = {};
  state.function = &function;
  state.way_slot = prof_scopes_slot(function);
  state.function_name = described.facts.assembler_name;
  flow_make(&state);
  marks_put(&state);
  prof_line_flow_fini(&state.flow);
  return true;
}

const InlineAsm *mark_of(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && prof_line_mark_is(text->getAsmString().c_str()) ? text : nullptr;
}

/* An assembler name without suffixes of clones. */
StringRef base_of(StringRef name) {
  return name.substr(0, name.find_first_of(".\n", 1));
}

void mark_become_probe(struct prof_probing *state, CallInst *statement, const struct prof_line_mark *mark) {
  struct prof_backend *backend = state->backend;
  struct prof_text text = {};
  const std::string place_label = std::string(".Lprofp") + (strchr(prof_sled_label, '$'));
  if (backend->linked_as_ir)
    state->facts.anchor = prof_sled_label;
  prof_probe_place(&text, place_label.c_str(), prof_text_string(&mark->place));
  prof_probe_add_line_plain(&text, backend->unit.arch, prof_sled_label, place_label.c_str(), &state->facts, state->key,
                            mark->kind, mark->line);
  statement->setCalledOperand(asm_of(statement->getContext(), prof_statement_escaped(&text)));
}

} // namespace

bool prof_module_time(struct prof_backend *backend, Module &module) {
  std::vector<Function *> functions;
  bool changed = false;
  if (!backend->unit.arch)
    return false;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions)
    changed |= function_time(backend, *function);
  return changed;
}

bool prof_times_is_mark(const Instruction &instruction) {
  return mark_of(instruction) != nullptr;
}

bool prof_times_are_own(const struct prof_probing *state) {
  bool own = false;
  for (const BasicBlock &block : *state->function)
    for (const Instruction &instruction : block) {
      struct prof_line_mark mark;
      const InlineAsm *text = own ? nullptr : mark_of(instruction);
      if (!text || !prof_line_mark_read(text->getAsmString().c_str(), &mark))
        continue;
      own = base_of(prof_text_string(&mark.place)) == base_of(state->assembler_name);
      prof_line_mark_fini(&mark);
    }
  return own;
}

void prof_times_finish(struct prof_probing *state, bool is_timed) {
  SmallVector<CallInst *, 32> marks;
  for (BasicBlock &block : *state->function)
    for (Instruction &instruction : block)
      if (mark_of(instruction))
        marks.push_back(cast<CallInst>(&instruction));
  for (CallInst *statement : marks) {
    struct prof_line_mark mark;
    if (!is_timed) {
      prof_mark_remove(state, statement);
      continue;
    }
    if (!prof_line_mark_read(mark_of(*statement)->getAsmString().c_str(), &mark))
      report_fatal_error("prof: out of memory");
    mark_become_probe(state, statement, &mark);
    prof_line_mark_fini(&mark);
  }
}
