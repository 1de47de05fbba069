/*
 * action.cpp - registers with Clang: arguments, options, declarations, the pass.
 *
 * Clang makes an object of every plugin action before its own action, and passes it the arguments and the declarations.
 * There the library also registers as a plugin of passes (as with -fpass-plugin).  Errors are Clang's diagnostics.
 */
#include PROF_COMPAT

#include <unordered_map>

#include <dlfcn.h>
#include <unistd.h>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "backend.h"
#include "listing.h"
#include "statements.h"

#define PROF_EXPORT __attribute__((visibility("default")))

using namespace clang;

/* Read by the dispatcher, which compares them with the running compiler's. */
extern "C" PROF_EXPORT const unsigned prof_clang_version[2];
const unsigned prof_clang_version[2] = {LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR};

namespace {

void say(DiagnosticsEngine &diagnostics, DiagnosticsEngine::Level level, const std::string &text) {
  diagnostics.Report(diagnostics.getCustomDiagID(level, "%0")) << text;
}

bool arguments_take(struct prof_arguments *arguments, const std::vector<std::string> &given, DiagnosticsEngine &to) {
  bool good = true;
  for (const std::string &argument : given) {
    size_t equals = argument.find('=');
    struct prof_text fault = {};
    std::string key = argument.substr(0, equals), value;
    if (equals != std::string::npos)
      value = argument.substr(equals + 1);
    if (!prof_arguments_set(arguments, key.c_str(), equals == std::string::npos ? nullptr : value.c_str(), &fault)) {
      say(to, DiagnosticsEngine::Error, prof_text_string(&fault));
      good = false;
    }
    prof_text_fini(&fault);
  }
  return good;
}

void help_print() {
  struct prof_text text = {};
  prof_arguments_help(&text);
  fputs(prof_text_string(&text), stderr);
  prof_text_fini(&text);
}

/* The last of -ffile-prefix-map's rules that fits, as Clang applies them. */
std::string remapped(const CodeGenOptions &options, const std::string &path) {
  llvm::SmallString<256> changed(path);
  for (const auto &rule : compat::newest_first(options.DebugPrefixMap))
    if (llvm::sys::path::replace_path_prefix(changed, rule.first, rule.second))
      break;
  return changed.str().str();
}

/* Is it the temporary object of a compilation that links at once?  Its name differs each time. */
bool is_temporary(llvm::StringRef output) {
  llvm::SmallString<64> folder;
  llvm::sys::path::system_temp_directory(true, folder);
  llvm::StringRef stem = llvm::sys::path::stem(output);
  return llvm::sys::path::parent_path(output) == folder && stem.size() > 7 && stem[stem.size() - 7] == '-';
}

/* A seed that is equal if the same file is compiled again into the same object, and differs otherwise. */
uint64_t unit_seed(const CodeGenOptions &options, const FrontendOptions &frontend) {
  std::string folder = options.DebugCompilationDir, output = frontend.OutputFile;
  if (folder.empty()) {
    llvm::SmallString<256> here;
    llvm::sys::fs::current_path(here);
    folder = here.str().str();
  }
  if (is_temporary(output))
    output.clear();
  uint64_t seed = prof_facts_hash(0, remapped(options, folder).c_str());
  if (!frontend.Inputs.empty() && frontend.Inputs[0].isFile())
    seed = prof_facts_hash(seed, remapped(options, frontend.Inputs[0].getFile().str()).c_str());
  return prof_facts_hash(seed, remapped(options, output).c_str());
}

bool is_plain_char(QualType type) {
  return type->isSpecificBuiltinType(BuiltinType::Char_S) || type->isSpecificBuiltinType(BuiltinType::Char_U);
}

enum prof_value_type integer_type(const ASTContext &context, QualType type) {
  if (context.getTypeSize(type) > 64)
    return PROF_VALUE_OTHER;
  return type->isUnsignedIntegerOrEnumerationType() ? PROF_VALUE_UNSIGNED : PROF_VALUE_SIGNED;
}

/* Types that have a value in one register. */
enum prof_value_type value_type_of(const ASTContext &context, QualType given) {
  QualType type = given.getCanonicalType().getUnqualifiedType();
  if (type->isReferenceType())
    return PROF_VALUE_ADDRESS;
  if (const auto *pointer = type->getAs<PointerType>()) {
    QualType to = pointer->getPointeeType();
    bool text = to.isConstQualified() && !to.isVolatileQualified() && is_plain_char(to);
    return text ? PROF_VALUE_TEXT : PROF_VALUE_ADDRESS;
  }
  if (type->isBooleanType())
    return PROF_VALUE_BOOL;
  if (is_plain_char(type))
    return PROF_VALUE_CHARACTER;
  if (type->isSpecificBuiltinType(BuiltinType::Float))
    return PROF_VALUE_FLOAT;
  if (type->isSpecificBuiltinType(BuiltinType::Double))
    return PROF_VALUE_DOUBLE;
  bool integer = type->isEnumeralType() || (type->isBuiltinType() && type->isIntegerType());
  return integer ? integer_type(context, type) : PROF_VALUE_OTHER;
}

/*
 * Lives as long as the compilation, and owns the unit.  Notes functions that must not be instrumented, which IR doesn't
 * mark.  If the compiler can't keep lines without -g, it also notes the lines of functions.
 */
struct declarations : ASTConsumer {
  std::unique_ptr<struct prof_backend> backend;
  std::unique_ptr<ASTNameGenerator> names;
  ASTContext *context = nullptr;
  bool notes_places, changes_loops;
  std::unordered_map<std::string, std::pair<std::string, uint32_t>> places;

  declarations(std::unique_ptr<struct prof_backend> backend, bool notes_places, bool changes_loops)
      : backend(std::move(backend)), notes_places(notes_places), changes_loops(changes_loops) {
    if (notes_places)
      this->backend->place = [this](const std::string &name, std::string *file) { return place(name, file); };
  }

  ~declarations() override {
    prof_backend_now = nullptr;
    prof_text_fini(&backend->unit.listing);
    prof_arguments_fini(&backend->unit.arguments);
  }

  void Initialize(ASTContext &initialised) override {
    context = &initialised;
    names = std::make_unique<ASTNameGenerator>(initialised);
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      take(declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *function) override { take(function); }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *function) override { take(function); }
  void HandleTranslationUnit(ASTContext &parsed) override {
    if (!parsed.getDiagnostics().hasErrorOccurred())
      prof_statements_note(&backend->loops, parsed);
  }
  void take(Decl *declaration) {
    if (auto *function = dyn_cast<FunctionDecl>(declaration))
      take_function(function);
    else if (isa<NamespaceDecl>(declaration) || isa<LinkageSpecDecl>(declaration) || isa<CXXRecordDecl>(declaration))
      for (Decl *inner : cast<DeclContext>(declaration)->noload_decls())
        take(inner);
  }
  void take_function(FunctionDecl *function) {
    if (function->isDependentContext())
      return;
    if (notes_places && function->isThisDeclarationADefinition())
      note_place(function);
    if (backend->unit.arguments.values.count)
      note_values(function);
    if (changes_loops)
      prof_iterations_find(backend.get(), *context, function, names_of(function)[0]);
    if (function->hasAttr<NoInstrumentFunctionAttr>())
      for (const std::string &name : names_of(function))
        backend->not_instrumented.insert(name);
  }
  /* Constructors and destructors have several names. */
  std::vector<std::string> names_of(FunctionDecl *function) {
    std::vector<std::string> all = names->getAllManglings(function);
    if (all.empty())
      all.push_back(names->getName(function));
    return all;
  }
  /* Called early, because declarations may be freed when the module is optimised. */
  void note_place(FunctionDecl *function) {
    PresumedLoc where = context->getSourceManager().getPresumedLoc(function->getLocation());
    if (where.isValid())
      for (const std::string &name : names_of(function))
        places.emplace(name, std::make_pair(backend->remap(where.getFilename()), where.getLine()));
  }
  void note_values(FunctionDecl *function) {
    prof_noted_function noted;
    if (!function->isThisDeclarationADefinition() && !function->isTemplateInstantiation())
      return;
    auto *method = dyn_cast<CXXMethodDecl>(function);
    if (method && method->isInstance())
      noted.arguments.push_back({"this", PROF_VALUE_ADDRESS});
    for (const ParmVarDecl *parameter : function->parameters())
      noted.arguments.push_back({parameter->getName().str(), value_type_of(*context, parameter->getType())});
    noted.returned = value_type_of(*context, function->getReturnType());
    for (const std::string &name : names_of(function))
      backend->values.emplace(name, noted);
  }
  uint32_t place(const std::string &name, std::string *file) const {
    auto found = places.find(name);
    if (found == places.end())
      return 0;
    *file = found->second.first;
    return found->second.second;
  }
};

bool makes_code(const FrontendOptions &options) {
  switch (options.ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

bool links_ir(const CodeGenOptions &options, const FrontendOptions &frontend) {
  return options.PrepareForLTO || options.PrepareForThinLTO || frontend.ProgramAction == frontend::EmitBC ||
         frontend.ProgramAction == frontend::EmitLLVM;
}

std::string own_path() {
  Dl_info self;
  return dladdr((void *)prof_backend_register, &self) && self.dli_fname ? self.dli_fname : "";
}

struct action : PluginASTAction {
  std::unique_ptr<struct prof_backend> backend;
  bool without_lines = false;

  ActionType getActionType() override { return AddBeforeMainAction; }

  /* False: the action isn't needed, and this object ends at once; else after CreateASTConsumer. */
  bool ParseArgs(const CompilerInstance &compiler, const std::vector<std::string> &given) override {
    if (compiler.getFrontendOpts().ProgramAction == frontend::GenerateModule || prof_backend_now)
      return false;
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    backend = std::make_unique<struct prof_backend>();
    if (!arguments_take(&backend->unit.arguments, given, diagnostics))
      return false;
    if (backend->unit.arguments.help)
      help_print();
    if (!makes_code(compiler.getFrontendOpts()))
      return false;
    unit_begin(const_cast<CompilerInstance &>(compiler));
    if (!backend->unit.arch)
      return false;
    prof_backend_now = backend.get();
    return true;
  }

  void unit_begin(CompilerInstance &compiler) {
    CodeGenOptions &options = compiler.getCodeGenOpts();
    const FrontendOptions &frontend = compiler.getFrontendOpts();
    const LangOptions &language = compiler.getLangOpts();
    DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    struct prof_unit *unit = &backend->unit;
    const llvm::Triple &target = compiler.getTarget().getTriple();
    bool is_possible = target.isOSBinFormatELF() && !target.isX32();
    unit->arch = is_possible ? prof_arch_find(llvm::Triple::getArchTypeName(target.getArch()).str().c_str()) : nullptr;
    if (!unit->arch) {
      if (!target.isNVPTX() && !target.isAMDGPU()) /* a compilation for a GPU goes with one for the host */
        say(diagnostics, DiagnosticsEngine::Remark,
            "prof leaves no probes here: it knows x86-64 ELF only, without '-m32' and '-mx32'");
      return;
    }
    backend->error = [&diagnostics](const std::string &text) { say(diagnostics, DiagnosticsEngine::Error, text); };
    backend->remap = [&options](const std::string &path) { return remapped(options, path); };
    backend->language = language.CPlusPlus ? PROF_LANGUAGE_CXX : PROF_LANGUAGE_C;
    backend->linked_as_ir = links_ir(options, frontend);
    backend->functions_have_sections = options.FunctionSections;
    backend->compiler = std::string(language.CPlusPlus ? "Clang C++ " : "Clang C ") + LLVM_VERSION_STRING;
    if (!frontend.Inputs.empty() && frontend.Inputs[0].isFile())
      backend->source = remapped(options, frontend.Inputs[0].getFile().str());
    unit->compiler = backend->compiler.c_str();
    unit->source = backend->source.c_str();
    unit->seed = unit_seed(options, frontend);
    int failure = unit->arguments.list_path ? prof_listing_append(unit->arguments.list_path, &unit->listing) : 0;
    if (failure)
      backend->error(std::string("prof cannot write the listing '") + unit->arguments.list_path +
                     "': " + strerror(failure) + "; give '-fplugin-arg-prof-list=' a file that can be written");
    without_lines = options.getDebugInfo() == PROF_DEBUG_KINDS::NoDebugInfo;
    if (without_lines) /* lines in memory only; old compilers have already copied the options */
      options.setDebugInfo(PROF_DEBUG_KINDS::LocTrackingOnly);
    options.PassPlugins.push_back(own_path());
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<declarations>(std::move(backend), without_lines,
                                          !compiler.getCodeGenOpts().DisableLLVMPasses);
  }
};

/* An attribute of functions, in C++ also [[gnu::...]].  It becomes an annotation, as PROF_PROBE of prof.h does in
 * Clang. */
struct function_attribute : ParsedAttrInfo {
  const char *word;

  function_attribute(const char *word, llvm::ArrayRef<Spelling> spellings) : word(word) { Spellings = spellings; }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    if (!isa<FunctionDecl>(declaration)) {
      say(sema.getDiagnostics(), DiagnosticsEngine::Warning,
          std::string("'") + word + "' attribute only applies to functions");
      return AttributeNotApplied;
    }
    declaration->addAttr(AnnotateAttr::Create(sema.Context, word, nullptr, 0, attribute));
    return AttributeApplied;
  }
};

struct probe_attribute : function_attribute {
  static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "prof_probe"},
                                           {ParsedAttr::AS_CXX11, "gnu::prof_probe"}};
  probe_attribute() : function_attribute("prof_probe", spellings) {}
};

struct loops_attribute : function_attribute {
  static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "prof_loops"},
                                           {ParsedAttr::AS_CXX11, "gnu::prof_loops"}};
  loops_attribute() : function_attribute("prof_loops", spellings) {}
};

struct lines_attribute : function_attribute {
  static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "prof_lines"},
                                           {ParsedAttr::AS_CXX11, "gnu::prof_lines"}};
  lines_attribute() : function_attribute("prof_lines", spellings) {}
};

ParsedAttrInfoRegistry::Add<probe_attribute> attribute_registration("prof_probe", "probe this function");
ParsedAttrInfoRegistry::Add<loops_attribute> loops_registration("prof_loops", "probe all loops of this function");
ParsedAttrInfoRegistry::Add<lines_attribute> lines_registration("prof_lines", "measure the lines of this function");
FrontendPluginRegistry::Add<action> registration("prof", "probes at the entry and exit of functions");

} // namespace
