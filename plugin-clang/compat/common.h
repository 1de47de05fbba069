/*
 * compat/common.h - headers of LLVM for every backend, and code that is equal in all majors.
 *
 * Each compat/llvm-N.h includes it and adds what differs in major N, so that no other file has a condition on the
 * version.  The build chooses the header: PROF_COMPAT is its name.
 */
#ifndef PROF_CLANG_COMPAT_COMMON_H
#define PROF_CLANG_COMPAT_COMMON_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

/* The wire headers are C. */
#define _Static_assert static_assert

namespace compat {

/* A code generator for questions about tail calls; NULL: this compiler was built without that target. */
template <typename name_type>
llvm::TargetMachine *machine_new(const name_type &triple_name, const std::string &triple) {
  std::string fault;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, fault);
  return target ? target->createTargetMachine(triple_name, "", "", llvm::TargetOptions(), {}) : nullptr;
}

inline llvm::TargetMachine *machine_of(const llvm::Module &module) {
  return machine_new(module.getTargetTriple(), module.getTargetTriple());
}

inline const llvm::Function *ifunc_resolver(const llvm::GlobalIFunc &ifunc) {
  return ifunc.getResolverFunction();
}

/* -ffile-prefix-map: up to 16 rules are a map, and the longest wins; later the last one wins. */
template <typename rules_type> std::vector<std::pair<std::string, std::string>> newest_first(const rules_type &rules) {
  return {rules.rbegin(), rules.rend()};
}

} // namespace compat

#endif
