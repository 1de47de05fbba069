/*
 * instruction_work.cpp - floating-point operations and bytes of one instruction at the end of LLVM's passes
 * (wire/work.h).
 *
 * Fused operations are two, whether LLVM fuses them here or while it makes instructions.  What its code generator may
 * do in several ways is an interval: divisions by estimates, conversions of unsigned numbers, masked accesses, and
 * divisions for a select, which it may move behind a branch.
 */
#include PROF_COMPAT

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include "counts.h"
#include "final_work.h"

using namespace llvm;

namespace {

#define ESTIMATE_MOST 8 /* operations of a division or square root by an estimate and one step of Newton's */

uint64_t lanes_of(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

uint64_t bytes_of(const Instruction &instruction, Type *type) {
  return instruction.getModule()->getDataLayout().getTypeStoreSize(type).getKnownMinValue();
}

/* Has the type no instructions, so that the compiler's library computes? */
bool is_of_library(const Type *type) {
  return type->getScalarType()->isFP128Ty() || type->getScalarType()->isPPC_FP128Ty();
}

void flops_add(struct prof_work *work, const Type *type, unsigned least, unsigned most) {
  if (is_of_library(type))
    work->unknown_flops++;
  else
    prof_work_add_flops(work, lanes_of(type), least, most);
}

/*
 * The lanes of an operation that anybody uses: the code generator leaves out others, at least where one value is taken
 * out of the first lane.  *least: how many at least.
 */
uint64_t used_lanes(const Instruction &operation, uint64_t *least) {
  uint64_t lanes = lanes_of(operation.getType());
  SmallBitVector used(lanes);
  *least = lanes;
  for (const User *user : operation.users()) {
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
    const auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    if (index && index->isZero() && operation.hasOneUse())
      return *least = 1;
    if (index && index->getZExtValue() < lanes)
      used.set(index->getZExtValue());
    else if (shuffle)
      for (int lane : shuffle->getShuffleMask()) {
        uint64_t from = shuffle->getOperand(0) == &operation ? 0 : lanes;
        if (lane >= 0 && (uint64_t)lane >= from && (uint64_t)lane < from + lanes)
          used.set((uint64_t)lane - from);
      }
    else
      return lanes;
  }
  *least = used.count();
  return lanes;
}

void arithmetic_add(const Instruction &instruction, struct prof_work *work) {
  uint64_t least, most = used_lanes(instruction, &least);
  if (is_of_library(instruction.getType()))
    work->unknown_flops++;
  work->flops += is_of_library(instruction.getType()) ? 0 : least;
  work->more_flops += is_of_library(instruction.getType()) ? 0 : most - least;
}

/* How many permutations use the vector: each may load it. */
uint64_t times_loaded(const LoadInst &load) {
  uint64_t times = 0;
  for (const User *user : load.users())
    times += isa<ShuffleVectorInst>(user);
  return times;
}

bool may_be_estimate(const Instruction &instruction) {
  const auto *operation = dyn_cast<FPMathOperator>(&instruction);
  return operation && operation->hasAllowReciprocal() && instruction.getType()->getScalarType()->isFloatTy();
}

/* Only a select uses it: the code generator may compute it only if it is chosen. */
bool is_for_select(const Instruction &instruction) {
  return instruction.hasOneUse() && isa<SelectInst>(*instruction.user_begin());
}

void division_add(const Instruction &instruction, struct prof_work *work) {
  flops_add(work, instruction.getType(), is_for_select(instruction) ? 0 : 1,
            may_be_estimate(instruction) ? ESTIMATE_MOST : 1);
}

/* Of an unsigned number: without AVX-512 by signed conversions, and additions that correct them. */
void conversion_add(Type *whole, Type *other, struct prof_work *work) {
  if (is_of_library(other))
    work->unknown_flops++;
  else if (whole->getScalarSizeInBits() >= (whole->isVectorTy() ? 32 : 64))
    prof_work_add_flops(work, lanes_of(other), 0, 4);
}

void sum_add(const IntrinsicInst &sum, struct prof_work *work) {
  Type *type = sum.getArgOperand(1)->getType();
  const auto *start = dyn_cast<ConstantFP>(sum.getArgOperand(0));
  bool starts_with_nothing = start && start->isZero();
  uint64_t lanes = lanes_of(type);
  if (!sum.hasAllowReassoc()) {
    work->flops += lanes;
    return;
  }
  work->flops += prof_work_sum_of_lanes(lanes, type->getPrimitiveSizeInBits().getKnownMinValue(), true);
  work->flops += !starts_with_nothing;
}

/* ---- calls ---- */

void memory_copy_add(const MemIntrinsic &call, struct prof_work *work) {
  const auto *length = dyn_cast<ConstantInt>(call.getLength());
  if (!length) {
    work->unknown_bytes++;
    return;
  }
  work->loaded += isa<MemTransferInst>(call) ? length->getZExtValue() : 0;
  work->stored += length->getZExtValue();
}

/* Is it a function of the mathematical library, by its name? */
bool is_math_function(const Function *called) {
  static const TargetLibraryInfoImpl library((Triple(called->getParent()->getTargetTriple())));
  LibFunc function;
  return called->getReturnType()->isFPOrFPVectorTy() && library.getLibFunc(called->getName(), function);
}

bool has_fused(const Instruction &instruction) {
  StringRef features = instruction.getFunction()->getFnAttribute("target-features").getValueAsString();
  return (("," + features + ",").str().find(",+fma,") != std::string::npos);
}

/* Those that compute nothing, though they have such types. */
bool is_free(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::canonicalize:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
    return true;
  default:
    return false;
  }
}

void masked_add(const IntrinsicInst &call, struct prof_work *work) {
  bool loads = !call.getType()->isVoidTy();
  uint64_t bytes = bytes_of(call, loads ? call.getType() : call.getArgOperand(0)->getType());
  (loads ? work->more_loaded : work->more_stored) += bytes;
}

void intrinsic_add(const IntrinsicInst &call, struct prof_work *work) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
    if (!has_fused(call)) {
      work->unknown_flops++;
      return;
    }
    [[fallthrough]];
  case Intrinsic::fmuladd:
    flops_add(work, call.getType(), 2, 2);
    return;
  case Intrinsic::sqrt:
    division_add(call, work);
    return;
  case Intrinsic::vector_reduce_fadd:
    sum_add(call, work);
    return;
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    masked_add(call, work);
    return;
  default:
    break;
  }
  if (const auto *memory = dyn_cast<MemIntrinsic>(&call))
    memory_copy_add(*memory, work);
  else if (call.getType()->isFPOrFPVectorTy() && !is_free(call.getIntrinsicID()))
    work->unknown_flops++;
  else if (call.getCalledFunction()->getName().find("llvm.x86.") == 0)
    work->unknown_bytes += !call.doesNotAccessMemory();
}

/* Of the program, with code that only the assembler knows.  Ours are marks, steps of counters, probes and zones. */
bool is_foreign_text(const CallBase &call) {
  const auto *text = cast<InlineAsm>(call.getCalledOperand());
  const std::string string(text->getAsmString());
  struct prof_text step = {};
  prof_text_format(&step, prof_backend_now->unit.arch->count_step, "$0");
  bool is_step = string == prof_text_string(&step);
  prof_text_fini(&step);
  return !string.empty() && !is_step && string.rfind(PROF_LOOP_MARK, 0) != 0 && !prof_times_is_mark(call) &&
         string.find(PROF_ROWS_SECTION) == std::string::npos;
}

void call_add(const CallBase &call, struct prof_work *work) {
  if (call.isInlineAsm()) {
    bool foreign = is_foreign_text(call);
    work->unknown_flops += foreign;
    work->unknown_bytes += foreign;
    return;
  }
  const Function *called = call.getCalledFunction();
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    intrinsic_add(*intrinsic, work);
  else if (called && called->isDeclaration() && !call.isNoBuiltin()) {
    std::string name = called->getName().str();
    work->unknown_bytes += prof_work_is_memory_function(name.c_str());
    uint32_t flops = is_math_function(called) ? prof_work_of_math(name.c_str(), has_fused(call)) : 0;
    if (flops == PROF_WORK_UNKNOWN)
      work->unknown_flops++;
    else
      work->flops += flops;
  }
}

/* Is it the word by which counters move (wire/counts.h)? */
bool is_ours(const LoadInst &load) {
  const Value *base = load.getPointerOperand()->stripInBoundsConstantOffsets();
  return base->getName() == PROF_COUNTS_SWITCH;
}

/* One that is permuted may be loaded in parts, or more than once. */
void load_add(const LoadInst &load, struct prof_work *work) {
  uint64_t bytes = bytes_of(load, load.getType()), permutations = times_loaded(load);
  if (is_ours(load))
    return;
  work->loaded += permutations ? 0 : bytes;
  work->more_loaded += permutations * bytes + (permutations && !load.hasNUses(permutations) ? bytes : 0);
}

void memory_add(const Instruction &instruction, struct prof_work *work) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    load_add(*load, work);
  else if (const auto *store = dyn_cast<StoreInst>(&instruction))
    work->stored += bytes_of(instruction, store->getValueOperand()->getType());
  else if (const auto *step = dyn_cast<AtomicRMWInst>(&instruction)) {
    work->loaded += bytes_of(instruction, step->getValOperand()->getType());
    work->stored += bytes_of(instruction, step->getValOperand()->getType());
  } else if (const auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    work->loaded += bytes_of(instruction, swap->getNewValOperand()->getType());
    work->more_stored += bytes_of(instruction, swap->getNewValOperand()->getType());
  }
}

} // namespace

void prof_work_of_instruction(const Instruction &instruction, struct prof_work *work) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    arithmetic_add(instruction, work);
    return;
  case Instruction::FDiv:
    division_add(instruction, work);
    return;
  case Instruction::FRem:
    work->unknown_flops++;
    return;
  case Instruction::UIToFP:
    conversion_add(instruction.getOperand(0)->getType(), instruction.getType(), work);
    return;
  case Instruction::FPToUI:
    conversion_add(instruction.getType(), instruction.getOperand(0)->getType(), work);
    return;
  default:
    break;
  }
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    call_add(*call, work);
  else
    memory_add(instruction, work);
}
