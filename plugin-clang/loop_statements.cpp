/*
 * loop_statements.cpp - notes the places of loop statements and their parts, and those that `#pragma prof loop`
 * selects.
 *
 * Runs when a translation unit is parsed, before it is optimised.  A template's statements have the same places as its
 * instances', so patterns are enough.
 */
#include PROF_COMPAT

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

#include "iterations.h"
#include "statements.h"

using namespace clang;

namespace {

struct asking { /* a pragma */
  std::string file;
  unsigned line;
  SourceLocation where;
};

std::vector<asking> askings; /* of the unit that is parsed; one process parses one */

prof_source_place place_of(const SourceManager &sources, SourceLocation at) {
  PresumedLoc where = sources.getPresumedLoc(at);
  return where.isValid() ? prof_source_place{where.getLine(), where.getColumn()} : prof_source_place{0, 0};
}

struct collector : RecursiveASTVisitor<collector> {
  ASTContext *context;
  const SourceManager &sources;
  struct prof_loops *loops;
  std::vector<std::pair<asking, prof_loop_statement *>> nearest; /* to each pragma; NULL: none yet */

  collector(ASTContext *context, struct prof_loops *loops)
      : context(context), sources(context->getSourceManager()), loops(loops) {
    for (const asking &one : askings)
      nearest.push_back({one, nullptr});
  }

  bool VisitForStmt(ForStmt *loop) { return note(loop, loop->getBody(), loop->getInc(), nullptr); }
  bool VisitWhileStmt(WhileStmt *loop) { return note(loop, loop->getBody(), nullptr, nullptr); }
  bool VisitDoStmt(DoStmt *loop) { return runs_once(loop) || note(loop, loop->getBody(), nullptr, nullptr); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) {
    return note(loop, loop->getBody(), nullptr, loop->getLoopVariable());
  }

  /* `do ... while (0)` is no loop. */
  bool runs_once(const DoStmt *loop) {
    bool is_again = true;
    const Expr *condition = loop->getCond();
    return !condition->isValueDependent() && condition->EvaluateAsBooleanCondition(is_again, *context) && !is_again;
  }

  bool note(const Stmt *loop, const Stmt *body, const Expr *step, const VarDecl *element) {
    PresumedLoc begin = sources.getPresumedLoc(loop->getBeginLoc());
    body = prof_iteration_body(body);
    if (!begin.isValid() || !body)
      return true;
    prof_loop_statement statement = {};
    statement.begin = {begin.getLine(), begin.getColumn()};
    statement.body = place_of(sources, body->getBeginLoc());
    statement.body_end = place_of(sources, body->getEndLoc());
    statement.is_one_place = statement.body == statement.begin;
    /* A macro's code has the place of its use: step and condition have one place. */
    if (step && !(place_of(sources, step->getBeginLoc()) == statement.begin)) {
      statement.step = place_of(sources, step->getBeginLoc());
      statement.step_end = place_of(sources, step->getEndLoc());
    }
    if (const auto *range = dyn_cast<CXXForRangeStmt>(loop)) {
      statement.element = place_of(sources, element->getBeginLoc());
      statement.element_end = place_of(sources, range->getColonLoc());
      statement.element_end.column -= statement.element_end.column > 0;
    }
    if (const auto *block = dyn_cast<CompoundStmt>(body))
      for (const Stmt *part : block->body())
        statement.parts.push_back(place_of(sources, part->getBeginLoc()));
    statement.file = llvm::sys::path::filename(begin.getFilename()).str();
    auto added = loops->statements.emplace(prof_statement_key(begin.getFilename(), statement.begin), statement);
    for (auto &pair : nearest)
      if (pair.first.file == begin.getFilename() && begin.getLine() > pair.first.line &&
          (!pair.second || statement.begin < pair.second->begin))
        pair.second = &added.first->second;
    return true;
  }
};

/* #pragma prof loop */
struct pragma : PragmaHandler {
  pragma() : PragmaHandler("prof") {}
  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer, Token &) override {
    Token word;
    DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    preprocessor.LexUnexpandedToken(word);
    bool is_loop = word.is(tok::identifier) && word.getIdentifierInfo()->isStr("loop");
    PresumedLoc where = preprocessor.getSourceManager().getPresumedLoc(introducer.Loc);
    while (word.isNot(tok::eod))
      preprocessor.LexUnexpandedToken(word);
    if (!is_loop)
      diagnostics.Report(introducer.Loc, diagnostics.getCustomDiagID(DiagnosticsEngine::Warning,
                                                                     "'#pragma prof' is followed by 'loop' only"));
    else if (where.isValid())
      askings.push_back({where.getFilename(), where.getLine(), introducer.Loc});
  }
};

PragmaHandlerRegistry::Add<pragma> pragma_registration("prof", "asks for probes of a loop");

} // namespace

void prof_statements_note(struct prof_loops *loops, ASTContext &context) {
  const unsigned reach = 3; /* lines from a pragma to its loop */
  DiagnosticsEngine &diagnostics = context.getDiagnostics();
  collector all(&context, loops);
  all.TraverseDecl(context.getTranslationUnitDecl());
  for (auto &pair : all.nearest)
    if (pair.second && pair.second->begin.line <= pair.first.line + reach)
      pair.second->is_asked_for = true;
    else
      diagnostics.Report(pair.first.where, diagnostics.getCustomDiagID(DiagnosticsEngine::Warning,
                                                                       "'#pragma prof loop' stands before no loop"));
  askings.clear();
}
