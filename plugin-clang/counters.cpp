/* counters.cpp - see counters.h. */
#include PROF_COMPAT

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "counters.h"
#include "counts.h"
#include "function.h"

using namespace llvm;

namespace {

void hide(GlobalVariable *variable) {
  variable->setVisibility(GlobalValue::HiddenVisibility);
  variable->setDSOLocal(true);
}

Constant *bound_of(Module &module, const char *name) {
  Type *byte = Type::getInt8Ty(module.getContext());
  auto *bound = new GlobalVariable(module, byte, false, GlobalValue::ExternalWeakLinkage, nullptr, name);
  hide(bound);
  return bound;
}

} // namespace

/* struct prof_counts_switch */
GlobalVariable *prof_counters_switch(Module &module) {
  if (GlobalVariable *made = module.getNamedGlobal(PROF_COUNTS_SWITCH))
    return made;
  LLVMContext &context = module.getContext();
  Type *number = Type::getInt64Ty(context), *pointer = PointerType::getUnqual(Type::getInt8Ty(context));
  StructType *type = StructType::get(context, {number, pointer, pointer});
  Constant *words[] = {ConstantInt::get(number, 0), bound_of(module, PROF_COUNTS_START),
                       bound_of(module, PROF_COUNTS_STOP)};
  auto *made = new GlobalVariable(module, type, false, GlobalValue::WeakAnyLinkage, ConstantStruct::get(type, words),
                                  PROF_COUNTS_SWITCH);
  hide(made);
  made->setComdat(module.getOrInsertComdat(PROF_COUNTS_SWITCH));
  made->setAlignment(Align(8));
  appendToUsed(module, {made}); /* rows name it in text */
  return made;
}

GlobalVariable *prof_counters_new(Module &module, const uint64_t *words, size_t word_count) {
  Constant *content = ConstantDataArray::get(module.getContext(), ArrayRef<uint64_t>(words, word_count));
  auto *object =
      new GlobalVariable(module, content->getType(), false, GlobalValue::InternalLinkage, content, "prof_counts");
  object->setSection(PROF_COUNTS_SECTION);
  object->setAlignment(Align(8));
  appendToCompilerUsed(module, {object});
  return object;
}

void prof_counter_step(Instruction *before, GlobalVariable *object, size_t index) {
  GlobalVariable *shift_at = prof_counters_switch(*before->getModule());
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(DebugLoc());
  Type *number = builder.getInt64Ty();
  Value *shift = builder.CreateLoad(number, builder.CreateStructGEP(shift_at->getValueType(), shift_at, 0));
  Value *word = builder.CreateConstInBoundsGEP2_64(object->getValueType(), object, 0, index);
  Value *address = builder.CreateAdd(builder.CreatePtrToInt(word, number), shift);
  const struct prof_arch *arch = prof_backend_now->unit.arch;
  struct prof_text text = {};
  prof_text_format(&text, arch->count_step, "$0");
  FunctionType *type = FunctionType::get(builder.getVoidTy(), {number}, false);
  CallInst *step = builder.CreateCall(
      InlineAsm::get(type, prof_text_string(&text), std::string("r,") + arch->llvm_clobbers, true), {address});
  step->addFnAttr(Attribute::NoUnwind);
  step->addFnAttr(Attribute::WillReturn); /* else no loop with a counter has a number of iterations that is known */
  compat::touches_no_program_memory(step);
  prof_text_fini(&text);
}
