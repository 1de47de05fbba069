/*
 * loop_remarks.cpp - reads LLVM's remarks: which loops it vectorised, and which it unrolled.
 *
 * In: the remarks that -Rpass=loop-(vectorize|unroll) shows.  Out: flags of notes, found by function and by the place
 * of the loop's statement.  The code at the end of the pipeline is not enough: an unrolled loop has no mark, and a
 * vectorised one of few iterations may be no loop.  All remarks are passed on to the former handler.
 */
#include PROF_COMPAT

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Path.h"

#include "function.h"

using namespace llvm;

namespace {

uint32_t flag_of(const OptimizationRemark &remark) {
  static const struct {
    StringRef pass, name;
    uint32_t flag;
  } rows[] = {
      {"loop-vectorize", "Vectorized", PROF_LOOP_VECTORISED},
      {"loop-unroll", "FullyUnrolled", PROF_LOOP_UNROLLED},
      {"loop-unroll", "PartialUnrolled", PROF_LOOP_UNROLLED},
  };
  for (const auto &row : rows)
    if (remark.getPassName() == row.pass && remark.getRemarkName() == row.name)
      return row.flag;
  return 0;
}

/* LLVM gives no place to a loop with several back edges: such a loop has the place of the code before it until its back
 * edges are joined.  Then it has its statement's place. */
bool stands_at(const prof_loop_note *note, const DiagnosticLocation &at) {
  const DILocation *start = note->begin ? note->begin : note->start;
  const prof_loop_statement *statement = note->statement;
  if (!note->begin && statement)
    return statement->begin == prof_source_place{at.getLine(), at.getColumn()} &&
           statement->file == sys::path::filename(at.getRelativePath());
  return start && start->getLine() == at.getLine() && start->getColumn() == at.getColumn() &&
         start->getFilename() == at.getRelativePath();
}

void remark_note(const OptimizationRemark &remark) {
  uint32_t flag = flag_of(remark);
  if (!flag || !prof_backend_now || !remark.isLocationAvailable())
    return;
  struct prof_loops *all = &prof_backend_now->loops;
  auto range = all->notes_of.find(&remark.getFunction());
  if (range == all->notes_of.end())
    return;
  DiagnosticLocation at = remark.getLocation();
  for (size_t i = range->second.first; i < range->second.second; i++)
    if (stands_at(all->notes[i].get(), at))
      all->notes[i]->loop.flags |= flag;
}

struct watcher : DiagnosticHandler {
  std::unique_ptr<DiagnosticHandler> inner;
  explicit watcher(std::unique_ptr<DiagnosticHandler> inner) : inner(std::move(inner)) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (const auto *remark = dyn_cast<OptimizationRemark>(&info))
      remark_note(*remark);
    return inner->handleDiagnostics(info);
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override { return inner->isAnalysisRemarkEnabled(pass); }
  bool isMissedOptRemarkEnabled(StringRef pass) const override { return inner->isMissedOptRemarkEnabled(pass); }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return pass == "loop-vectorize" || pass == "loop-unroll" || inner->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }
};

} // namespace

void prof_remarks_watch(LLVMContext &context) {
  std::unique_ptr<DiagnosticHandler> inner = context.getDiagnosticHandler();
  if (inner)
    context.setDiagnosticHandler(std::make_unique<watcher>(std::move(inner)));
}
