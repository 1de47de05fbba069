/*
 * described.cpp - describes one function: names, place, obstacles, and the symbol that its rows are linked to.
 */
#include PROF_COMPAT

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Mangler.h"
#include "llvm/Support/Path.h"

#include "function.h"

using namespace llvm;

namespace {

/* Adds a C++ name without parameters, and its last part. */
void names_set(prof_probing *state) {
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

bool is_resolver(const Function &function) {
  for (const GlobalIFunc &ifunc : function.getParent()->ifuncs())
    if (compat::ifunc_resolver(ifunc) == &function)
      return true;
  return false;
}

/* Looks for its own name and for that of the function it is a part or clone of.  -funique-internal-linkage-names gives
 * a C function a mangled name that the source lacks. */
bool is_not_instrumented(const prof_probing &state) {
  const auto &names = state.backend->not_instrumented;
  bool renamed = state.assembler_name.find(".__uniq.") != std::string::npos;
  return names.count(state.assembler_name) || names.count(state.plain_name) ||
         (renamed && names.count(state.base_name));
}

/* A symbol quoted for a directive. */
std::string quoted(const std::string &symbol) {
  bool plain = !symbol.empty() && !isdigit((unsigned char)symbol[0]);
  for (unsigned char byte : symbol)
    plain = plain && (isalnum(byte) || byte == '_' || byte == '.' || byte == '$');
  return plain ? symbol : "\"" + symbol + "\"";
}

} // namespace

/*
 * Clang has removed the prefix that an absolute path shares with the current folder.  If that was the whole folder,
 * only the main file's path shows whether the path was absolute.
 */
std::string prof_path_of(const DIFile *file, const DICompileUnit *unit, const Module &module) {
  StringRef name = file->getFilename(), folder = file->getDirectory();
  bool was_given =
      sys::path::is_absolute(name) || folder.empty() ||
      (unit && folder == unit->getFile()->getDirectory() && !sys::path::is_absolute(module.getSourceFileName()));
  if (was_given)
    return name.str();
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

/* PROF_PROBE of prof.h and our own attributes are annotations in Clang. */
bool prof_function_has_annotation(const Function &function, StringRef word) {
  const GlobalVariable *all = function.getParent()->getNamedGlobal("llvm.global.annotations");
  const auto *list = all && all->hasInitializer() ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  for (unsigned i = 0; list && i < list->getNumOperands(); i++) {
    const auto *entry = dyn_cast<ConstantStruct>(list->getOperand(i));
    if (!entry || entry->getOperand(0)->stripPointerCasts() != &function)
      continue;
    const auto *text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    const auto *bytes = text ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
    if (bytes && bytes->isCString() && bytes->getAsCString() == word)
      return true;
  }
  return false;
}

void prof_function_name(struct prof_probing *state, const std::string &linker_name) {
  memset(&state->facts, 0, sizeof state->facts);
  state->assembler_name = linker_name;
  state->facts.assembler_name = state->assembler_name.c_str();
  names_set(state);
}

void prof_function_describe(struct prof_probing *state, struct prof_backend *backend, Function &function) {
  struct prof_candidate *facts = &state->facts;
  state->backend = backend;
  state->function = &function;
  state->machine = nullptr;
  SmallString<128> symbol;
  Mangler().getNameWithPrefix(symbol, &function, false);
  state->symbol = symbol.str().str();
  /* A private function is not in the symbol table: its name lacks the prefix of local labels. */
  prof_function_name(state, function.hasPrivateLinkage() ? function.getName().str() : state->symbol);
  const DISubprogram *subprogram = function.getSubprogram();
  if (subprogram) {
    state->file = prof_path_of(subprogram->getFile(), subprogram->getUnit(), *function.getParent());
    facts->line = subprogram->getLine();
  } else if (backend->place)
    facts->line = backend->place(state->assembler_name, &state->file);
  state->unit = backend->remap(function.getParent()->getSourceFileName());
  facts->file = facts->recorded_file = state->file.c_str();
  facts->unit = state->unit.c_str();
  facts->language = backend->language;
  facts->annotated = prof_function_has_annotation(function, "prof_probe");
  facts->wants_times = prof_function_has_annotation(function, "prof_lines");
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
  state->key = prof_facts_key(backend->unit.seed, facts);
}

void prof_function_anchor(struct prof_probing *state) {
  const Function &function = *state->function;
  bool shares_text = !state->backend->functions_have_sections && !function.hasSection() && !function.hasComdat() &&
                     !function.getSectionPrefix() && !function.hasProfileData() &&
                     !function.hasFnAttribute(Attribute::Cold) && !function.hasFnAttribute(Attribute::Hot);
  state->anchor = quoted(state->symbol);
  if (shares_text && state->backend->default_anchor.empty())
    state->backend->default_anchor = state->anchor;
  state->facts.anchor = shares_text ? state->backend->default_anchor.c_str() : state->anchor.c_str();
}
