/*
 * module.cpp - the pass over a module: probes in its functions, start-up code beside them, the listing.
 *
 * It runs at OptimizerLast: at every level, after all inlining of this compilation, and with -flto before the link.
 * Loops are looked at earlier, at VectorizerStart (loops_placed.cpp).
 *
 * The start-up code stands in functions declared in IR, not in the module's assembler text.  A link of IR keeps one of
 * many declared functions, but would join all the texts.  And if a module's text defines local labels, ThinLTO doesn't
 * inline its functions into other modules.
 */
#include PROF_COMPAT

#include <cstdio>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "constructor.h"
#include "counters.h"
#include "function.h"
#include "listing.h"

using namespace llvm;

struct prof_backend *prof_backend_now;

namespace {

/* Marks a module that has its probes, for a second run of the pass. */
const char probed_mark[] = "prof.probed";

std::string template_of(const struct prof_text *text) {
  std::string escaped;
  for (const char *at = prof_text_string(text); *at; at++)
    escaped.append(*at == '$' ? "$$" : std::string(1, *at));
  return escaped;
}

/* A weak, hidden function of the start group with the code `body`. */
Function *start_function(Module &module, Comdat *group, const char *name, const struct prof_text *body) {
  LLVMContext &context = module.getContext();
  FunctionType *type = FunctionType::get(Type::getVoidTy(context), false);
  Function *function = Function::Create(type, GlobalValue::WeakODRLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setComdat(group);
  function->setAlignment(Align(16));
  function->addFnAttr(Attribute::Naked);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  compat::needs_unwind_table(function);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  builder.CreateCall(InlineAsm::get(type, template_of(body), "", true));
  builder.CreateUnreachable();
  return function;
}

void start_code_add(Module &module, const struct prof_arch *arch) {
  if (module.getNamedValue(PROF_START_GROUP))
    return;
  struct prof_text start = {}, stop = {};
  prof_constructor_bodies(&start, &stop, arch);
  Comdat *group = module.getOrInsertComdat(PROF_START_GROUP);
  Type *hooks_type = ArrayType::get(Type::getInt64Ty(module.getContext()), sizeof(struct prof_hooks) / 8);
  auto *hooks = new GlobalVariable(module, hooks_type, false, GlobalValue::WeakAnyLinkage,
                                   Constant::getNullValue(hooks_type), "");
  hooks->setVisibility(GlobalValue::HiddenVisibility);
  hooks->setDSOLocal(true);
  hooks->setComdat(group);
  hooks->setAlignment(Align(8));
  if (GlobalVariable *declared = module.getNamedGlobal(PROF_HOOKS_SYMBOL)) { /* by prof.h */
    declared->replaceAllUsesWith(ConstantExpr::getBitCast(hooks, declared->getType()));
    hooks->takeName(declared);
    declared->eraseFromParent();
  } else
    hooks->setName(PROF_HOOKS_SYMBOL);
  appendToCompilerUsed(module, {start_function(module, group, PROF_START_GROUP, &start),
                                start_function(module, group, PROF_STOP_SYMBOL, &stop), hooks});
  prof_text_fini(&start);
  prof_text_fini(&stop);
}

void listing_write(struct prof_backend *backend) {
  struct prof_unit *unit = &backend->unit;
  if (!unit->arguments.list_path)
    return;
  int failure = prof_listing_append(unit->arguments.list_path, &unit->listing);
  if (failure)
    backend->error(std::string("prof cannot write the listing '") + unit->arguments.list_path +
                   "': " + strerror(failure) + "; give '-fplugin-arg-prof-list=' a file that can be written");
  prof_text_clear(&unit->listing);
}

struct module_pass : PassInfoMixin<module_pass> {
  static bool isRequired() { return true; /* also for functions that are not optimised */ }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    bool changed = prof_backend_now && prof_module_probe(prof_backend_now, module);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/* A function with the attribute is not inlined, unless the source forces it. */
bool annotated_keep(Module &module) {
  bool any = false;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::AlwaysInline) &&
        !function.hasFnAttribute(Attribute::NoInline) && prof_function_has_annotation(function, "prof_probe")) {
      function.addFnAttr(Attribute::NoInline);
      any = true;
    }
  return any;
}

/* Puts counters and marks of lines, before anything else changes the functions. */
struct counts_pass : PassInfoMixin<counts_pass> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (prof_backend_now && prof_backend_now->unit.arch)
      prof_remarks_watch(module.getContext());
    bool changed = prof_backend_now && prof_module_iterate(prof_backend_now, module);
    changed |= prof_backend_now && annotated_keep(module);
    changed |= prof_backend_now && prof_module_values(prof_backend_now, module);
    changed |= prof_backend_now && prof_module_count(prof_backend_now, module);
    changed |= prof_backend_now && prof_module_time(prof_backend_now, module);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/* Marks the places of loops' probes, while loops are still the source's. */
struct loops_pass : PassInfoMixin<loops_pass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &manager) {
    if (!prof_backend_now || !prof_backend_now->unit.arch)
      return PreservedAnalyses::all();
    bool changed = prof_loops_place(prof_backend_now, function, manager.getResult<LoopAnalysis>(function),
                                    manager.getResult<DominatorTreeAnalysis>(function),
                                    &manager.getResult<ScalarEvolutionAnalysis>(function),
                                    &manager.getResult<TargetIRAnalysis>(function));
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

bool prof_module_probe(struct prof_backend *backend, Module &module) {
  if (!backend->unit.arch || module.getNamedMetadata(probed_mark))
    return false;
  if (backend->unit.arguments.flops == PROF_FLOPS_COUNT)
    prof_counters_switch(module);
  backend->unit.has_counts = prof_counts_are_there(module);
  std::unique_ptr<TargetMachine> machine(compat::machine_of(module));
  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasAvailableExternallyLinkage())
      functions.push_back(&function);
  for (Function *function : functions) {
    prof_loops_place_late(backend, *function);
    prof_function_probe(backend, *function, machine.get());
  }
  if (backend->unit.probed_functions)
    start_code_add(module, backend->unit.arch);
  listing_write(backend);
  module.getOrInsertNamedMetadata(probed_mark);
  return true;
}

void prof_backend_register(PassBuilder &builder) {
  /* Loaded by -fpass-plugin of Clang or flang: the data of Clang's action is missing. */
  if (!prof_backend_now)
    fputs("prof: warning: a plugin of passes makes no probes: give -fplugin=prof.so, or -finstrument-functions and "
          "-lprof\n",
          stderr);
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, auto...) { passes.addPass(counts_pass()); });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, auto...) { passes.addPass(loops_pass()); });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, auto...) { passes.addPass(module_pass()); });
}

/* The compiler calls it in the library that action.cpp registers. */
extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "prof", PROF_VERSION, prof_backend_register};
}
