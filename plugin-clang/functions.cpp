/*
 * functions.cpp - finds where one function is entered, left and landed in, and puts probes there.
 *
 * Exits: before a return; before a call that the code generator turns into a jump (a probe behind it would keep it from
 * being one, and a deep recursion would overflow); before an exception goes on.  Landed: at landing pads, and behind
 * calls that return twice.  Calls that don't return need nothing.
 *
 * Which call becomes a jump is decided by the code generator, later: what it says beforehand (isInTailCallPosition),
 * and the rules of System V's ABI that it adds, are asked here.  Where a return block has several ways into it, the way
 * from a tail call gets a return of its own, as the code generator's CodeGenPrepare would have given it.
 *
 * Rows and facts are linked to a symbol in the text section of the sled.  Functions that share .text share the first
 * probed one's.  A function that is yet to be linked as IR may be copied into one of another section or module, so
 * there each sled is linked to itself.
 */
#include PROF_COMPAT

#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/Analysis.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Mangler.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "backend.h"
#include "probe_text.h"

using namespace llvm;

namespace {

/* What is known while one function is probed. */
struct probing {
  struct prof_backend *backend;
  Function *function;
  TargetMachine *machine;
  struct prof_function facts;
  uint64_t key;
  std::string symbol, assembler_name, base_name, plain_name, full_name, file, unit, anchor;
  SmallVector<CallInst *, 4> tail_calls;
  SmallVector<Instruction *, 8> before_exit; /* an EXIT goes before each */
  SmallVector<Instruction *, 4> landings;    /* a LANDED goes before each */
};

/* ---- the statement of one probe ---- */

const char sled_label[] = ".Lprof${:uid}";

/* A body changes the flags, as GCC takes for granted of every statement; LLVM must be told. */
const char clobbers[] = "~{dirflag},~{fpsr},~{flags}";

/*
 * It has no line of its own: that would move a debugger's breakpoints.  It touches no memory of the program, so that
 * loads and stores may still move over it.
 */
void probe_put(probing *state, Instruction *before, uint32_t kind, uint32_t line) {
  struct prof_backend *backend = state->backend;
  struct prof_text text = {};
  if (backend->linked_as_ir)
    state->facts.anchor = sled_label;
  prof_probe_add_plain(&text, backend->unit.arch, sled_label, &state->facts, state->key, kind, line);
  if ((kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY)
    prof_probe_add_facts(&text, &backend->unit, &state->facts, state->key, nullptr, 0);
  if (text.failed)
    report_fatal_error("prof: out of memory");
  std::string escaped;
  for (const char *at = prof_text_string(&text); *at; at++) {
    if (*at == '$' && strncmp(at, "${:uid}", 7))
      escaped += '$';
    escaped += *at;
  }
  prof_text_fini(&text);
  FunctionType *type = FunctionType::get(Type::getVoidTy(before->getContext()), false);
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(DebugLoc());
  CallInst *probe = builder.CreateCall(InlineAsm::get(type, escaped, clobbers, true));
  probe->addFnAttr(Attribute::NoUnwind);
  compat::touches_no_program_memory(probe);
}

uint32_t line_of(const probing *state, const Instruction *instruction) {
  const DebugLoc &where = instruction->getDebugLoc();
  return where && where.getLine() ? where.getLine() : state->facts.line;
}

/* ---- tail calls ---- */

bool makes_no_code(const Instruction &instruction) {
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

/*
 * Do arguments lie on the stack that are not the caller's own, passed on?  Then the call can't become a jump (System V
 * ABI, AMD64 supplement, 3.2.3: six integers and eight SSE values go in registers).
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

/* Will the code generator make a jump of this call?  In doubt yes: a jump must not become a call. */
bool is_tail_call(const probing *state, const CallInst *call) {
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

/* Does the block consist of a return, and of what makes no code before it? */
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

/* Is what the block returns, when it is entered from `from`, what the call gives, or nothing? */
bool returns_result(ReturnInst *end, BasicBlock *from, CallInst *call) {
  Value *value = end->getReturnValue();
  while (value && (isa<BitCastInst>(value) || isa<ExtractValueInst>(value)))
    value = cast<User>(value)->getOperand(0);
  if (auto *phi = dyn_cast_or_null<PHINode>(value))
    if (phi->getParent() == end->getParent())
      value = phi->getIncomingValueForBlock(from)->stripPointerCasts();
  return !value || value == call || isa<UndefValue>(value);
}

/* Gives the ways from tail calls into shared return blocks returns of their own. */
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

CallInst *tail_call_before(const probing *state, ReturnInst *end) {
  for (Instruction *at = end->getPrevNode(); at; at = at->getPrevNode()) {
    auto *call = dyn_cast<CallInst>(at);
    if (call && !makes_no_code(*call))
      return is_tail_call(state, call) ? call : nullptr;
    if (at->mayHaveSideEffects())
      return nullptr;
  }
  return nullptr;
}

/* ---- where the probes go ---- */

void after_twice_take(probing *state, CallBase *call) {
  if (auto *invoke = dyn_cast<InvokeInst>(call)) {
    BasicBlock *next = invoke->getNormalDest();
    if (!next->getSinglePredecessor())
      next = SplitEdge(invoke->getParent(), next);
    state->landings.push_back(&*next->getFirstInsertionPt());
  } else
    state->landings.push_back(call->getNextNode());
}

/* __builtin_eh_return: leaves the function, with no return behind it. */
bool is_eh_return(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::eh_return_i32 || call->getIntrinsicID() == Intrinsic::eh_return_i64);
}

/* One instruction: which probes does it want, and does it count as a statement? */
bool instruction_scan(probing *state, Instruction &instruction) {
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
    if (call->hasFnAttr(Attribute::ReturnsTwice) || call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp)
      after_twice_take(state, call);
  }
  auto *branch = dyn_cast<BranchInst>(&instruction);
  return !isa<PHINode>(instruction) && !isa<AllocaInst>(instruction) && !makes_no_code(instruction) &&
         !(branch && branch->isUnconditional());
}

void function_scan(probing *state) {
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

/* ---- what is known about the function ---- */

/* Of a C++ name without parameters: all of it, and its last part. */
void names_set(probing *state) {
  const std::string &name = state->assembler_name;
  size_t dot = name.find('.', 1);
  state->plain_name = name.substr(0, dot); /* f of f.llvm.123 */
  state->base_name = state->plain_name;
  ItaniumPartialDemangler demangler;
  if (!demangler.partialDemangle(state->plain_name.c_str())) {
    char *full = demangler.getFunctionName(nullptr, nullptr), *base = demangler.getFunctionBaseName(nullptr, nullptr);
    state->full_name = full ? full : "";
    state->base_name = base ? base : "";
    free(full);
    free(base);
  }
  state->facts.names[0] = state->base_name.c_str();
  state->facts.names[1] = state->plain_name.c_str();
  state->facts.names[2] = state->full_name.empty() ? nullptr : state->full_name.c_str();
}

/*
 * The path as the compiler was given it.  Clang has cut what an absolute path shares with the current folder; where
 * that was all of the folder, only the main file's path shows whether it was absolute.
 */
std::string path_of(const DISubprogram *subprogram, const Module &module) {
  const DIFile *file = subprogram->getFile();
  StringRef name = file->getFilename(), folder = file->getDirectory();
  const DICompileUnit *unit = subprogram->getUnit();
  bool was_given =
      sys::path::is_absolute(name) || folder.empty() ||
      (unit && folder == unit->getFile()->getDirectory() && !sys::path::is_absolute(module.getSourceFileName()));
  if (was_given)
    return name.str();
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

bool is_resolver(const Function &function) {
  for (const GlobalIFunc &ifunc : function.getParent()->ifuncs())
    if (compat::ifunc_resolver(ifunc) == &function)
      return true;
  return false;
}

/* PROF_PROBE of prof.h: __attribute__((annotate("prof_probe"))). */
bool is_annotated(const Function &function) {
  const GlobalVariable *all = function.getParent()->getNamedGlobal("llvm.global.annotations");
  const auto *list = all && all->hasInitializer() ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  for (unsigned i = 0; list && i < list->getNumOperands(); i++) {
    const auto *entry = dyn_cast<ConstantStruct>(list->getOperand(i));
    if (!entry || entry->getOperand(0)->stripPointerCasts() != &function)
      continue;
    const auto *text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    const auto *bytes = text ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
    if (bytes && bytes->isCString() && bytes->getAsCString() == "prof_probe")
      return true;
  }
  return false;
}

/* By its own name or that of the function it is a part or clone of.  -funique-internal-linkage-names gives a C function
 * a mangled name that the source doesn't have. */
bool is_not_instrumented(const probing &state) {
  const auto &names = state.backend->not_instrumented;
  bool renamed = state.assembler_name.find(".__uniq.") != std::string::npos;
  return names.count(state.assembler_name) || names.count(state.plain_name) ||
         (renamed && names.count(state.base_name));
}

void facts_set(probing *state) {
  struct prof_backend *backend = state->backend;
  struct prof_function *facts = &state->facts;
  Function &function = *state->function;
  SmallString<128> symbol;
  Mangler().getNameWithPrefix(symbol, &function, false);
  state->symbol = symbol.str().str();
  /* A private function has no entry in the symbol table: its name is without the prefix of local labels. */
  state->assembler_name = function.hasPrivateLinkage() ? function.getName().str() : state->symbol;
  facts->assembler_name = state->assembler_name.c_str();
  names_set(state);
  const DISubprogram *subprogram = function.getSubprogram();
  if (subprogram) {
    state->file = path_of(subprogram, *function.getParent());
    facts->line = subprogram->getLine();
  } else if (backend->place)
    facts->line = backend->place(state->assembler_name, &state->file);
  state->unit = backend->remap(function.getParent()->getSourceFileName());
  facts->file = facts->recorded_file = state->file.c_str();
  facts->unit = state->unit.c_str();
  facts->language = backend->language;
  facts->annotated = is_annotated(function);
  facts->in_group = function.hasComdat();
  if (function.hasLocalLinkage())
    facts->flags |= PROF_FUNCTION_STATIC;
  if (subprogram ? subprogram->isArtificial() : !facts->line)
    facts->flags |= PROF_FUNCTION_ARTIFICIAL;
  if (function.hasFnAttribute(Attribute::Naked))
    facts->obstacles |= PROF_OBSTACLE_NAKED;
  if (is_resolver(function))
    facts->obstacles |= PROF_OBSTACLE_RESOLVER;
  if (is_not_instrumented(*state))
    facts->obstacles |= PROF_OBSTACLE_NO_INSTRUMENT;
}

/* A symbol as a directive takes it. */
std::string quoted(const std::string &symbol) {
  bool plain = !symbol.empty() && !isdigit((unsigned char)symbol[0]);
  for (unsigned char byte : symbol)
    plain = plain && (isalnum(byte) || byte == '_' || byte == '.' || byte == '$');
  return plain ? symbol : "\"" + symbol + "\"";
}

void anchor_set(probing *state) {
  const Function &function = *state->function;
  bool shares_text = !state->backend->functions_have_sections && !function.hasSection() && !function.hasComdat() &&
                     !function.getSectionPrefix() && !function.hasProfileData() &&
                     !function.hasFnAttribute(Attribute::Cold) && !function.hasFnAttribute(Attribute::Hot);
  state->anchor = quoted(state->symbol);
  if (shares_text && state->backend->default_anchor.empty())
    state->backend->default_anchor = state->anchor;
  state->facts.anchor = shares_text ? state->backend->default_anchor.c_str() : state->anchor.c_str();
}

void probes_put(probing *state) {
  for (Instruction *instruction : state->before_exit)
    probe_put(state, instruction, PROF_PROBE_EXIT, line_of(state, instruction));
  for (Instruction *instruction : state->landings)
    probe_put(state, instruction, PROF_PROBE_LANDED, line_of(state, instruction));
  uint32_t kind = PROF_PROBE_ENTRY;
  if (state->facts.flags & PROF_FUNCTION_LANDS)
    kind |= PROF_ROW_WANTS_FRAME;
  probe_put(state, &*state->function->getEntryBlock().getFirstInsertionPt(), kind, state->facts.line);
}

} // namespace

void prof_function_probe(struct prof_backend *backend, Function &function, TargetMachine *machine) {
  probing state;
  memset(&state.facts, 0, sizeof state.facts);
  state.backend = backend;
  state.function = &function;
  state.machine = machine;
  facts_set(&state);
  if (!(state.facts.obstacles & PROF_OBSTACLE_NAKED))
    returns_split(function);
  function_scan(&state);
  if (prof_unit_decide(&backend->unit, &state.facts) != PROF_REASON_PROBED)
    return;
  backend->unit.probed_functions++;
  state.key = prof_facts_key(backend->unit.seed, &state.facts);
  anchor_set(&state);
  probes_put(&state);
}
