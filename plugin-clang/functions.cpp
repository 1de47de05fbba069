/*
 * functions.cpp - finds the entries, exits and landings of one function, and puts probes there.
 *
 * Exits: before a return; before a call that the code generator turns into a jump (with a probe behind it it would stay
 * a call, and a deep recursion would overflow the stack); before an exception is resumed.  Landed: at landing pads, and
 * behind calls that return twice.  Calls that don't return need no probe.
 *
 * The code generator decides later which calls become jumps.  This file applies the code generator's test
 * (isInTailCallPosition) and the rules of System V's ABI.  If a return block has several predecessors, the edge from a
 * tail call gets a return of its own, as the code generator's CodeGenPrepare would do.
 *
 * Rows and facts are linked to a symbol in the text section of the sled.  Functions in .text share the first
 * instrumented one's.  A function that will be linked as IR may be copied into another section or module, so there each
 * sled is linked to itself.
 */
#include <algorithm>

#include PROF_COMPAT

#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/Analysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "final_work.h"
#include "function.h"
#include "probe_text.h"
#include "twice.h"

using namespace llvm;

const char prof_sled_label[] = ".Lprof${:uid}";

std::string prof_statement_escaped(struct prof_text *text) {
  if (text->failed)
    report_fatal_error("prof: out of memory");
  const char *operand = prof_backend_now->unit.arch->llvm_register;
  std::string escaped;
  for (const char *at = prof_text_string(text); *at; at++) {
    if (*at == '$' && strncmp(at, "${:uid}", 7) && strncmp(at, operand, strlen(operand)))
      escaped += '$';
    escaped += *at;
  }
  prof_text_fini(text);
  return escaped;
}

static InlineAsm *statement_of(LLVMContext &context, struct prof_text *text, Value *value) {
  std::string escaped = prof_statement_escaped(text);
  SmallVector<Type *, 1> types;
  if (value)
    types.push_back(value->getType());
  FunctionType *type = FunctionType::get(Type::getVoidTy(context), types, false);
  std::string clobbers = prof_backend_now->unit.arch->llvm_clobbers;
  return InlineAsm::get(type, escaped, value ? "r," + clobbers : clobbers, true);
}

/*
 * The statement has no line: it would move a debugger's breakpoints.  It touches no memory of the program, so that
 * loads and stores may move over it.  A trampoline changes the flags: GCC assumes that of every statement, for LLVM it
 * is a clobber.
 */
void prof_statement_put(Instruction *before, struct prof_text *text, Value *value, bool reads) {
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(DebugLoc());
  SmallVector<Value *, 1> operands;
  if (value)
    operands.push_back(value);
  CallInst *probe = builder.CreateCall(statement_of(before->getContext(), text, value), operands);
  probe->addFnAttr(Attribute::NoUnwind);
  probe->addFnAttr(Attribute::NoMerge);
  if (!reads)
    compat::touches_no_program_memory(probe);
}

void prof_statement_change(CallInst *probe, struct prof_text *text) {
  Value *value = probe->arg_size() ? probe->getArgOperand(0) : nullptr;
  probe->setCalledOperand(statement_of(probe->getContext(), text, value));
}

void prof_mark_remove(struct prof_probing *state, CallInst *mark) {
  std::replace(state->landings.begin(), state->landings.end(), static_cast<Instruction *>(mark), mark->getNextNode());
  mark->eraseFromParent();
}

static bool makes_no_code(const Instruction &instruction) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::pseudoprobe:
      return true;
    default:
      return isa<DbgInfoIntrinsic>(intrinsic);
    }
  return false;
}

bool prof_is_statement(const Instruction &instruction) {
  auto *branch = dyn_cast<BranchInst>(&instruction);
  return !isa<PHINode>(instruction) && !isa<AllocaInst>(instruction) && !makes_no_code(instruction) &&
         !(branch && branch->isUnconditional());
}

/* Without builtins Clang doesn't mark setjmp, so its name decides; not if the call becomes a jump. */
bool prof_call_returns_twice(const CallBase *call) {
  if (call->hasFnAttr(Attribute::ReturnsTwice) || call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp)
    return true;
  const Function *called = call->getCalledFunction();
  const Instruction *next = call->isTerminator() ? nullptr : call->getNextNonDebugInstruction();
  const auto *plain = dyn_cast<CallInst>(call);
  bool may_be_jump = plain && plain->isTailCall() && isa_and_nonnull<ReturnInst>(next);
  return called && called->isDeclaration() && !may_be_jump &&
         prof_name_returns_twice(GlobalValue::dropLLVMManglingEscape(called->getName()).str().c_str());
}

namespace {

/* ---- the statement of one probe ---- */

void probe_put(prof_probing *state, Instruction *before, uint32_t kind, uint32_t line) {
  struct prof_backend *backend = state->backend;
  struct prof_text text = {};
  if (backend->linked_as_ir)
    state->facts.anchor = prof_sled_label;
  bool is_entry = (kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY;
  if (is_entry && (state->has_loop_probes || state->has_values) && !backend->linked_as_ir)
    prof_probe_registers(&text, backend->unit.arch);
  prof_probe_add_plain(&text, backend->unit.arch, prof_sled_label, &state->facts, state->key, kind, line);
  if (is_entry)
    prof_probe_add_facts(&text, &backend->unit, &state->facts, state->key, state->loops.data(), state->loops.size());
  prof_statement_put(before, &text, nullptr);
}

uint32_t line_of(const prof_probing *state, const Instruction *instruction) {
  const DebugLoc &where = instruction->getDebugLoc();
  return where && where.getLine() ? where.getLine() : state->facts.line;
}

/* ---- tail calls ---- */

/*
 * Has the call arguments on the stack, other than the caller's own at their place?  Then it can't become a jump (System
 * V ABI, AMD64 supplement, 3.2.3: six integers and eight SSE values go in registers).
 */
bool needs_stack_arguments(const CallInst *call) {
  unsigned integers = 0, floats = 0;
  for (unsigned i = 0; i < call->arg_size(); i++) {
    const Value *argument = call->getArgOperand(i);
    Type *type = argument->getType();
    bool on_stack = call->isByValArgument(i) || type->isX86_FP80Ty();
    if (!on_stack && (type->isFloatTy() || type->isDoubleTy() || type->isVectorTy()))
      on_stack = ++floats > 8;
    else if (!on_stack && (type->isIntegerTy() || type->isPointerTy()))
      on_stack = (integers += type->isIntegerTy(128) ? 2 : 1) > 6;
    if (on_stack && !isa<Argument>(argument))
      return true;
  }
  return false;
}

/* Will the code generator make a jump of this call?  If unsure, yes: a jump must not become a call. */
bool is_tail_call(const prof_probing *state, const CallInst *call) {
  const Function *function = state->function;
  if (call->isMustTailCall())
    return true;
  if (!call->isTailCall() || isa<IntrinsicInst>(call) || call->isInlineAsm() || call->doesNotReturn() ||
      function->hasFnAttribute(Attribute::OptimizeNone) ||
      function->getFnAttribute("disable-tail-calls").getValueAsBool())
    return false;
  if (call->hasStructRetAttr() || function->hasStructRetAttr() || needs_stack_arguments(call))
    return false;
  return !state->machine || isInTailCallPosition(*call, *state->machine);
}

/* Has the block only a return, and instructions without code before it? */
ReturnInst *lone_return(BasicBlock &block) {
  auto *end = dyn_cast<ReturnInst>(block.getTerminator());
  for (Instruction &instruction : block)
    if (end && &instruction != end && !isa<PHINode>(instruction) && !makes_no_code(instruction) &&
        !isa<BitCastInst>(instruction) && !isa<ExtractValueInst>(instruction))
      return nullptr;
  return end;
}

CallInst *last_call(BasicBlock *block) {
  for (Instruction *at = block->getTerminator()->getPrevNode(); at; at = at->getPrevNode())
    if (!makes_no_code(*at))
      return dyn_cast<CallInst>(at);
  return nullptr;
}

/* Does the block, entered from `from`, return the call's result, or nothing? */
bool returns_result(ReturnInst *end, BasicBlock *from, CallInst *call) {
  Value *value = end->getReturnValue();
  while (value && (isa<BitCastInst>(value) || isa<ExtractValueInst>(value)))
    value = cast<User>(value)->getOperand(0);
  if (auto *phi = dyn_cast_or_null<PHINode>(value))
    if (phi->getParent() == end->getParent())
      value = phi->getIncomingValueForBlock(from)->stripPointerCasts();
  return !value || value == call || isa<UndefValue>(value);
}

/* Gives edges from tail calls into shared return blocks their own returns. */
void returns_split(Function &function) {
  SmallVector<BasicBlock *, 8> shared;
  for (BasicBlock &block : function)
    if (&block != &function.getEntryBlock() && lone_return(block))
      shared.push_back(&block);
  for (BasicBlock *block : shared) {
    SmallVector<BasicBlock *, 8> ways(predecessors(block));
    for (BasicBlock *way : ways) {
      auto *branch = dyn_cast<BranchInst>(way->getTerminator());
      CallInst *call = branch && branch->isUnconditional() ? last_call(way) : nullptr;
      auto *end = cast<ReturnInst>(block->getTerminator());
      if (call && call->isTailCall() && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
          returns_result(end, way, call))
        FoldReturnIntoUncondBranch(end, block, way);
    }
    if (pred_empty(block) && !block->hasAddressTaken())
      DeleteDeadBlock(block);
  }
}

CallInst *tail_call_before(const prof_probing *state, ReturnInst *end) {
  for (Instruction *at = end->getPrevNode(); at; at = at->getPrevNode()) {
    auto *call = dyn_cast<CallInst>(at);
    if (call && !makes_no_code(*call))
      return is_tail_call(state, call) ? call : nullptr;
    if (at->mayHaveSideEffects())
      return nullptr;
  }
  return nullptr;
}

/* ---- places of the probes ---- */

void after_twice_take(prof_probing *state, CallBase *call) {
  if (auto *invoke = dyn_cast<InvokeInst>(call)) {
    BasicBlock *next = invoke->getNormalDest();
    if (!next->getSinglePredecessor())
      next = SplitEdge(invoke->getParent(), next);
    state->landings.push_back(&*next->getFirstInsertionPt());
  } else
    state->landings.push_back(call->getNextNode());
}

/* __builtin_eh_return: leaves the function without a return. */
bool is_eh_return(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::eh_return_i32 || call->getIntrinsicID() == Intrinsic::eh_return_i64);
}

/* Notes the probes that an instruction needs; true: it counts as a statement. */
bool instruction_scan(prof_probing *state, Instruction &instruction) {
  if (auto *end = dyn_cast<ReturnInst>(&instruction)) {
    CallInst *call = tail_call_before(state, end);
    if (call)
      state->facts.flags |= PROF_FUNCTION_TAIL_CALLS;
    state->before_exit.push_back(call ? static_cast<Instruction *>(call) : end);
  } else if (isa<ResumeInst>(instruction) || is_eh_return(instruction))
    state->before_exit.push_back(&instruction);
  else if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (!isa<IntrinsicInst>(call) && !call->isInlineAsm())
      state->facts.flags &= ~PROF_FUNCTION_LEAF;
    if (prof_call_returns_twice(call))
      after_twice_take(state, call);
  }
  return prof_is_statement(instruction) && !prof_times_is_mark(instruction) && !prof_values_is_mark(instruction);
}

void function_scan(prof_probing *state) {
  SmallVector<Instruction *, 64> all;
  state->facts.flags |= PROF_FUNCTION_LEAF;
  for (BasicBlock &block : *state->function) {
    if (block.isLandingPad())
      state->landings.push_back(&*block.getFirstInsertionPt());
    for (Instruction &instruction : block)
      all.push_back(&instruction);
  }
  for (Instruction *instruction : all)
    state->facts.statements += instruction_scan(state, *instruction);
  if (state->landings.size())
    state->facts.flags |= PROF_FUNCTION_LANDS;
}

void probes_put(prof_probing *state) {
  for (Instruction *instruction : state->before_exit) {
    prof_values_leave(state, instruction, line_of(state, instruction));
    probe_put(state, instruction, PROF_PROBE_EXIT | (state->has_times ? PROF_ROW_ENDS_LINE : 0),
              line_of(state, instruction));
  }
  for (Instruction *instruction : state->landings)
    probe_put(state, instruction, PROF_PROBE_LANDED, line_of(state, instruction));
  uint32_t kind = PROF_PROBE_ENTRY;
  if (state->facts.flags & PROF_FUNCTION_LANDS)
    kind |= PROF_ROW_WANTS_FRAME;
  probe_put(state, &*state->function->getEntryBlock().getFirstInsertionPt(), kind, state->facts.line);
}

} // namespace

void prof_function_probe(struct prof_backend *backend, Function &function, TargetMachine *machine) {
  struct prof_probing state;
  prof_function_describe(&state, backend, function);
  state.machine = machine;
  if (!(state.facts.obstacles & PROF_OBSTACLE_NAKED))
    returns_split(function);
  function_scan(&state);
  bool is_probed = prof_unit_decide(&backend->unit, &state.facts) == PROF_REASON_PROBED;
  if (is_probed) {
    backend->unit.probed_functions++;
    prof_function_anchor(&state);
  }
  state.has_times = is_probed && prof_times_are_own(&state);
  if (is_probed && backend->unit.arguments.flops == PROF_FLOPS_COUNT)
    prof_work_count(&state);
  prof_loops_finish(&state, is_probed);
  prof_values_finish(&state, is_probed);
  prof_times_finish(&state, state.has_times);
  if (is_probed)
    probes_put(&state);
}
