/* compat/llvm-16.h - what LLVM and Clang 16 call differently. */
#include "compat/common.h"

namespace compat {

inline const llvm::Function *ifunc_resolver(const llvm::GlobalIFunc &ifunc) {
  return ifunc.getResolverFunction();
}

/* A call that touches no memory of the program, although it does something. */
inline void touches_no_program_memory(llvm::CallInst *call) {
  call->setOnlyAccessesInaccessibleMemory();
}

inline void needs_unwind_table(llvm::Function *function) {
  function->setUWTableKind(llvm::UWTableKind::Default);
}

/* -ffile-prefix-map: the longest rule wins. */
inline std::vector<std::pair<std::string, std::string>> newest_first(const std::map<std::string, std::string> &rules) {
  return {rules.rbegin(), rules.rend()};
}

inline llvm::TargetMachine *machine_of(const llvm::Module &module) {
  return machine_new(module.getTargetTriple(), module.getTargetTriple());
}

inline bool is_safe_to_expand(llvm::SCEVExpander &expander, const llvm::SCEV *count, const llvm::Instruction *at,
                              llvm::ScalarEvolution &) {
  return expander.isSafeToExpandAt(count, at);
}

} // namespace compat

#define PROF_DEBUG_KINDS clang::codegenoptions
