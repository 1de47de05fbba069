/* scopes.cpp - see scopes.h. */
#include PROF_COMPAT

#include "llvm/IR/IntrinsicInst.h"

#include "scopes.h"

using namespace llvm;

bool prof_scopes_is_marker(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (isa<BitCastInst>(instruction) && !instruction.use_empty())
    return all_of(instruction.users(),
                  [](const User *user) { return prof_scopes_is_marker(*cast<Instruction>(user)); });
  return call && (isa<DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd());
}

static bool is_slot(const AllocaInst &slot) {
  bool is_read = false;
  for (const User *user : slot.users()) {
    auto *load = dyn_cast<LoadInst>(user);
    auto *store = dyn_cast<StoreInst>(user);
    if (load ? static_cast<bool>(load->getDebugLoc()) : !store || !isa<ConstantInt>(store->getValueOperand()))
      return false;
    is_read |= load != nullptr;
  }
  return is_read && slot.getAllocatedType()->isIntegerTy(32);
}

const AllocaInst *prof_scopes_slot(const Function &function) {
  const AllocaInst *found = nullptr;
  for (const Instruction &instruction : function.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&instruction))
      if (is_slot(*slot))
        found = slot;
  return found;
}
