/*
 * iterations_found.cpp - finds the loops that the argument `iterations` names, and changes their bodies (iterations.h).
 *
 * In: functions when they were parsed or instantiated, before Clang makes IR of them.  The body of such a loop becomes
 *
 *     { begin(); char variable __attribute__((cleanup(end))); body }
 *
 * Left out: constexpr functions, which may be evaluated; coroutines; bodies that control may enter without their begin.
 */
#include PROF_COMPAT

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

#include "backend.h"
#include "function.h"

using namespace clang;

namespace {

#define VARIABLE "prof.iteration"

/* Calls `visit` for the statement and those in it, but not for lambdas' and blocks'.  It returns whether to go on
 * inside the statement. */
template <typename visitor> void walk(Stmt *statement, visitor visit) {
  if (!statement || !visit(statement) || isa<LambdaExpr>(statement) || isa<BlockExpr>(statement))
    return;
  if (auto *captured = dyn_cast<CapturedStmt>(statement))
    walk(captured->getCapturedStmt(), visit);
  else
    for (Stmt *child : statement->children())
      walk(child, visit);
}

/* The jumps and labels of a piece of code. */
struct jumps {
  std::vector<const LabelDecl *> labels, targets;
  unsigned computed = 0, taken = 0; /* gotos; addresses of labels */
  std::unordered_set<const SwitchCase *> own_cases;
  std::vector<const SwitchCase *> cases;
  bool has_asm_goto = false;

  explicit jumps(Stmt *code) {
    walk(code, [this](Stmt *statement) {
      take(statement);
      return true;
    });
  }
  void take(Stmt *statement) {
    if (auto *label = dyn_cast<LabelStmt>(statement))
      labels.push_back(label->getDecl());
    else if (auto *jump = dyn_cast<GotoStmt>(statement))
      targets.push_back(jump->getLabel());
    else if (isa<IndirectGotoStmt>(statement))
      computed++;
    else if (auto *one = dyn_cast<SwitchCase>(statement))
      cases.push_back(one);
    else if (auto *all = dyn_cast<SwitchStmt>(statement))
      for (const SwitchCase *own = all->getSwitchCaseList(); own; own = own->getNextSwitchCase())
        own_cases.insert(own);
    else if (auto *text = dyn_cast<GCCAsmStmt>(statement))
      has_asm_goto |= text->isAsmGoto();
  }
};

/* Can control come into the body without its begin, or leave it by a jump that Clang doesn't follow? */
bool is_entered_elsewhere(Stmt *body, Stmt *function) {
  jumps inside(body);
  for (const SwitchCase *one : inside.cases)
    if (!inside.own_cases.count(one))
      return true;
  if (inside.labels.empty() && !inside.computed && !inside.has_asm_goto)
    return false;
  jumps all(function);
  for (const LabelDecl *label : inside.labels)
    if (std::count(inside.targets.begin(), inside.targets.end(), label) !=
        std::count(all.targets.begin(), all.targets.end(), label))
      return true;
  bool is_whole = inside.computed == all.computed && inside.labels.size() == all.labels.size();
  return inside.has_asm_goto || (all.computed && !is_whole);
}

struct finder {
  struct prof_backend *backend;
  ASTContext &context;
  FunctionDecl *function;
  bool all = false;                             /* the function's outermost loops; else those of FILE:LINE */
  bool any = false;                             /* one was found */
  std::unordered_set<const Stmt *> joined = {}; /* loops that OpenMP makes one of, but for the innermost; loops that it
                                                   changes */
  std::vector<FunctionDecl *> lambdas = {};     /* that are in the function */

  /* ---- what replaces the body ---- */

  /* A function that is never defined: void NAME(parameter). */
  FunctionDecl *function_new(const char *name, size_t index, llvm::ArrayRef<QualType> parameters, SourceLocation at) {
    QualType type = context.getFunctionType(context.VoidTy, parameters, FunctionProtoType::ExtProtoInfo());
    auto *made = FunctionDecl::Create(context, context.getTranslationUnitDecl(), at, at,
                                      DeclarationName(&context.Idents.get(name + std::to_string(index))), type,
                                      context.getTrivialTypeSourceInfo(type, at), SC_Extern);
    llvm::SmallVector<ParmVarDecl *, 1> all_parameters;
    for (QualType parameter : parameters)
      all_parameters.push_back(ParmVarDecl::Create(context, made, at, at, nullptr, parameter,
                                                   context.getTrivialTypeSourceInfo(parameter, at), SC_None, nullptr));
    made->setParams(all_parameters);
    made->addAttr(NoThrowAttr::CreateImplicit(context));
    made->setImplicit();
    return made;
  }

  Stmt *call_new(FunctionDecl *called, SourceLocation at) {
    Expr *name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), called, false, at,
                                     called->getType(), VK_LValue);
    Expr *address = ImplicitCastExpr::Create(context, context.getPointerType(called->getType()),
                                             CK_FunctionToPointerDecay, name, nullptr, VK_PRValue, FPOptionsOverride());
    return CallExpr::Create(context, address, {}, context.VoidTy, VK_PRValue, at, FPOptionsOverride());
  }

  Stmt *variable_new(FunctionDecl *cleanup, SourceLocation at) {
    auto *variable = VarDecl::Create(context, function, at, at, &context.Idents.get(VARIABLE), context.CharTy,
                                     context.getTrivialTypeSourceInfo(context.CharTy, at), SC_None);
    variable->addAttr(CleanupAttr::CreateImplicit(context, cleanup));
    variable->addAttr(NoDebugAttr::CreateImplicit(context));
    variable->setImplicit();
    variable->setReferenced();
    variable->setIsUsed();
    return new (context) DeclStmt(DeclGroupRef(variable), at, at);
  }

  Stmt *changed(Stmt *body, PresumedLoc where) {
    size_t index = backend->iterated.loops.size();
    SourceLocation at = body->getBeginLoc(), end = body->getEndLoc();
    backend->iterated.loops.push_back({name_of(), backend->remap(where.getFilename()), where.getLine()});
    FunctionDecl *begins = function_new(PROF_ITERATION_BEGIN, index, {}, at);
    FunctionDecl *ends = function_new(PROF_ITERATION_END, index, {context.getPointerType(context.CharTy)}, at);
    Stmt *parts[] = {call_new(begins, at), variable_new(ends, at), body};
    return CompoundStmt::Create(context, parts, PROF_COMPOUND_FEATURES at, end);
  }

  std::string name_of() const { return function->getNameInfo().getAsString(); }

  /* ---- loops ---- */

  template <typename loop_type> void loop_change(loop_type *loop) {
    PresumedLoc where = context.getSourceManager().getPresumedLoc(loop->getBeginLoc());
    loop->setBody(changed(loop->getBody(), where));
    any = true;
  }

  bool runs_once(const DoStmt *loop) const {
    bool is_again = true;
    const Expr *condition = loop->getCond();
    return !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(is_again, context) && !is_again;
  }

  /* Is it a loop that is named?  `body`: of it. */
  bool is_chosen(const Stmt *loop, Stmt *body) const {
    PresumedLoc where = context.getSourceManager().getPresumedLoc(loop->getBeginLoc());
    return body && where.isValid() && !joined.count(loop) &&
           (all || prof_select_iterations_at(&backend->unit.arguments, where.getFilename(), where.getLine()));
  }

  /* Changes it if it is; false: it isn't, so loops in it may be. */
  template <typename loop_type> bool loop_take(loop_type *loop) {
    if (!is_chosen(loop, loop->getBody()))
      return false;
    if (!is_entered_elsewhere(loop->getBody(), function->getBody()))
      loop_change(loop);
    return true;
  }

  /* Loops around the innermost one have nothing else in their bodies, and must keep it so. */
  void parallel_take(OMPLoopBasedDirective *directive) {
    bool changes = isa<OMPLoopTransformationDirective>(directive);
    Stmt *at = directive->hasAssociatedStmt() && directive->getAssociatedStmt()
                   ? directive->getInnermostCapturedStmt()->getCapturedStmt()->IgnoreContainers()
                   : nullptr;
    for (unsigned i = 0; at && i < directive->getLoopsNumber(); i++) {
      if (changes || i + 1 < directive->getLoopsNumber())
        joined.insert(at);
      auto *loop = dyn_cast<ForStmt>(at);
      at = loop ? loop->getBody()->IgnoreContainers() : nullptr;
    }
  }

  bool visit(Stmt *statement) {
    if (auto *lambda = dyn_cast<LambdaExpr>(statement))
      lambdas.push_back(lambda->getCallOperator());
    else if (auto *directive = dyn_cast<OMPLoopBasedDirective>(statement))
      parallel_take(directive);
    else if (auto *for_loop = dyn_cast<ForStmt>(statement))
      return !loop_take(for_loop);
    else if (auto *while_loop = dyn_cast<WhileStmt>(statement))
      return !loop_take(while_loop);
    else if (auto *do_loop = dyn_cast<DoStmt>(statement))
      return runs_once(do_loop) || !loop_take(do_loop);
    else if (auto *range = dyn_cast<CXXForRangeStmt>(statement))
      return !loop_take(range);
    return true;
  }
};

bool is_left_out(const FunctionDecl *function) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  bool is_lambda = method && method->getParent()->isLambda();
  return !function->isThisDeclarationADefinition() || !function->getBody() || function->isDependentContext() ||
         (function->isConstexpr() && !is_lambda) || isa<CoroutineBodyStmt>(function->getBody());
}

} // namespace

const Stmt *prof_iteration_body(const Stmt *body) {
  const auto *block = dyn_cast_or_null<CompoundStmt>(body);
  const auto *second = block && block->size() == 3 ? dyn_cast<DeclStmt>(block->body_begin()[1]) : nullptr;
  const auto *variable = second && second->isSingleDecl() ? dyn_cast<VarDecl>(second->getSingleDecl()) : nullptr;
  bool is_ours = variable && variable->getIdentifier() && variable->getName() == VARIABLE;
  return is_ours ? block->body_begin()[2] : body;
}

void prof_iterations_find(struct prof_backend *backend, ASTContext &context, FunctionDecl *function,
                          const std::string &linker_name) {
  struct prof_probing state;
  const struct prof_arguments *arguments = &backend->unit.arguments;
  bool asked = arguments->iterations.functions.count || arguments->iterations.places.count;
  if (!asked || is_left_out(function) || !backend->iterated.seen.insert(function).second)
    return;
  PresumedLoc where = context.getSourceManager().getPresumedLoc(function->getLocation());
  prof_function_name(&state, linker_name);
  state.file = where.isValid() ? where.getFilename() : "";
  state.facts.file = state.facts.recorded_file = state.file.c_str();
  state.facts.annotated = true;
  if (function->hasAttr<NoInstrumentFunctionAttr>())
    state.facts.obstacles |= PROF_OBSTACLE_NO_INSTRUMENT;
  if (function->hasAttr<NakedAttr>())
    state.facts.obstacles |= PROF_OBSTACLE_NAKED;
  finder all{backend, context, function};
  all.all = prof_select_iterations(arguments, &state.facts);
  if (prof_select(arguments, &state.facts) == PROF_REASON_PROBED)
    walk(function->getBody(), [&all](Stmt *statement) { return all.visit(statement); });
  if (all.any)
    function->addAttr(AnnotateAttr::CreateImplicit(context, "prof_probe", nullptr, 0));
  for (FunctionDecl *lambda : all.lambdas)
    prof_iterations_find(backend, context, lambda, ASTNameGenerator(context).getName(lambda));
}
