/*
 * iterations_put.cpp - makes probes of the calls that mark begin and end of iterations (iterations.h).
 *
 * In: the module as Clang made it.  Out: asm statements of the whole text, which LLVM copies with the code around them.
 * The variable whose cleanup the end was is removed.
 */
#include PROF_COMPAT

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include "function.h"
#include "iteration.h"

using namespace llvm;

namespace {

/* Which loop's begin or end is the function? */
bool is_mark(const Function &function, size_t *index, bool *begins) {
  StringRef name = function.getName();
  size_t begin = name.find(PROF_ITERATION_BEGIN), end = name.find(PROF_ITERATION_END);
  if (!function.isDeclaration() || (begin == StringRef::npos && end == StringRef::npos))
    return false;
  *begins = begin != StringRef::npos;
  StringRef rest = name.substr(*begins ? begin + sizeof PROF_ITERATION_BEGIN - 1 : end + sizeof PROF_ITERATION_END - 1);
  return !rest.consumeInteger(10, *index);
}

/* Removes the variable once nothing needs it: what is left tells LLVM how long it lives, or fills it. */
void variable_remove(Value *address) {
  auto *variable = dyn_cast<AllocaInst>(address->stripPointerCasts());
  SmallVector<Instruction *, 8> users;
  if (!variable)
    return;
  for (User *user : variable->users()) {
    if (isa<CallBase>(user) && !isa<IntrinsicInst>(user))
      return; /* another end */
    users.push_back(cast<Instruction>(user));
  }
  for (size_t i = 0; i < users.size(); i++)
    if (isa<CastInst>(users[i]))
      for (User *user : users[i]->users()) {
        if (isa<CallBase>(user) && !isa<IntrinsicInst>(user))
          return;
        users.push_back(cast<Instruction>(user));
      }
  while (!users.empty())
    users.pop_back_val()->eraseFromParent();
  variable->eraseFromParent();
}

void call_change(struct prof_backend *backend, CallBase *call, size_t index, bool begins) {
  const prof_iterated_loop &from = backend->iterated.loops[index];
  const struct prof_iteration loop = {from.function.c_str(), from.file.c_str(), from.line, backend->language};
  Value *address = call->arg_size() ? call->getArgOperand(0) : nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(call))
    call = changeToCall(invoke);
  struct prof_text text = {};
  prof_iteration_probe(&text, backend->unit.arch, prof_sled_label, &loop, begins);
  prof_statement_put(call, &text, nullptr);
  if (begins) /* else a loop that begins with its body is rotated, and entered in the middle of an iteration */
    cast<CallInst>(call->getPrevNode())->addFnAttr(Attribute::Convergent);
  call->eraseFromParent();
  if (address)
    variable_remove(address);
}

} // namespace

bool prof_module_iterate(struct prof_backend *backend, Module &module) {
  SmallVector<Function *, 16> marks;
  size_t index;
  bool begins;
  for (Function &function : module)
    if (!backend->iterated.loops.empty() && is_mark(function, &index, &begins) &&
        index < backend->iterated.loops.size())
      marks.push_back(&function);
  for (Function *mark : marks) {
    SmallVector<CallBase *, 4> calls;
    is_mark(*mark, &index, &begins);
    for (User *user : mark->users())
      if (auto *call = dyn_cast<CallBase>(user))
        calls.push_back(call);
    for (CallBase *call : calls)
      call_change(backend, call, index, begins);
    if (mark->use_empty())
      mark->eraseFromParent();
  }
  return !marks.empty();
}
