/*
 * function.h - one function while it gets its probes: its description, and the statement of a probe.
 *
 * functions.cpp fills and uses it at the end of the pipeline; loops_placed.cpp uses the description earlier.
 */
#ifndef PROF_CLANG_FUNCTION_H
#define PROF_CLANG_FUNCTION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include "backend.h"
#include "loops.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

struct prof_probing {
  struct prof_backend *backend;
  llvm::Function *function;
  llvm::TargetMachine *machine; /* knows which calls become jumps; may be NULL */
  struct prof_candidate facts;
  uint64_t key;
  std::string assembler_name, symbol, base_name, plain_name, full_name, file, unit, anchor;
  std::vector<struct prof_candidate_loop> loops; /* facts of its loops */
  bool has_loop_probes = false;
  bool has_values = false;                               /* arguments, or what it returns */
  bool has_times = false;                                /* has LINEs */
  llvm::SmallVector<llvm::Instruction *, 8> before_exit; /* an EXIT goes before each */
  llvm::SmallVector<llvm::Instruction *, 4> landings;    /* a LANDED goes before each */
};

/* Sets names and facts of one whose linker's name is known; the rest is zero. */
void prof_function_name(struct prof_probing *state, const std::string &linker_name);

/* Sets names, file, line, obstacles and key; fields that depend on the code stay zero. */
void prof_function_describe(struct prof_probing *state, struct prof_backend *backend, llvm::Function &function);

/* Sets facts.anchor. */
void prof_function_anchor(struct prof_probing *state);

/* Has the source __attribute__((annotate(word))) on the function? */
bool prof_function_has_annotation(const llvm::Function &function, llvm::StringRef word);

/* The path as given to the compiler. */
std::string prof_path_of(const llvm::DIFile *file, const llvm::DICompileUnit *unit, const llvm::Module &module);

/* setjmp and its like. */
bool prof_call_returns_twice(const llvm::CallBase *call);

/* Does the instruction count as a statement? */
bool prof_is_statement(const llvm::Instruction &instruction);

extern const char prof_sled_label[];

/* The text escaped for LLVM; frees it. */
std::string prof_statement_escaped(struct prof_text *text);
/* Puts an asm statement before `before`; frees `text`.  `value`: its operand, ${0:V} in the text, or NULL.  `reads`:
 * memory of the program. */
void prof_statement_put(llvm::Instruction *before, struct prof_text *text, llvm::Value *value, bool reads = false);
/* Replaces the text, with the same operand. */
void prof_statement_change(llvm::CallInst *probe, struct prof_text *text);
/* Removes a mark; probes that were to be put before it are put before what follows. */
void prof_mark_remove(struct prof_probing *state, llvm::CallInst *mark);

/* Is it the mark of a line (line_times.cpp)?  Has the function marks of its own, not only those of inlined ones? */
bool prof_times_is_mark(const llvm::Instruction &instruction);
bool prof_times_are_own(const struct prof_probing *state);
/* Makes probes of the marks, or removes them. */
void prof_times_finish(struct prof_probing *state, bool is_timed);

/* Makes probes of the marks of arguments, or removes them. */
void prof_values_finish(struct prof_probing *state, bool is_probed);
bool prof_values_is_mark(const llvm::Instruction &instruction);
/* Puts what the function returns before the EXIT that stands before `before`. */
void prof_values_leave(struct prof_probing *state, llvm::Instruction *before, uint32_t line);

/* Reads LLVM's remarks on loops: sets VECTORISED and UNROLLED of notes. */
void prof_remarks_watch(llvm::LLVMContext &context);

/* Is it the mark of a loop's probe?  Then its note's index, and the probe's kind. */
bool prof_loop_mark_read(const llvm::Instruction &instruction, size_t *index, uint32_t *kind);
/* Puts the probes of the function's loops (loops.h), or removes their marks; fills state->loops. */
void prof_loops_finish(struct prof_probing *state, bool is_probed);

/*
 * Chooses loops of a function and marks the places of their probes; true: the function was changed.  `evolution` and
 * `costs` are NULL without optimisation.
 */
bool prof_loops_place(struct prof_backend *backend, llvm::Function &function, llvm::LoopInfo &loops,
                      llvm::DominatorTree &tree, llvm::ScalarEvolution *evolution,
                      const llvm::TargetTransformInfo *costs);

/* The same at the end of the pipeline, unless it was done before. */
void prof_loops_place_late(struct prof_backend *backend, llvm::Function &function);

#endif
