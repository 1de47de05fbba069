/*
 * backend.h - the unit being compiled; shared by action.cpp (Clang), module.cpp and functions.cpp (LLVM).
 *
 * A compiler process compiles one unit at a time; modules that it builds meanwhile are not instrumented.
 */
#ifndef PROF_CLANG_BACKEND_H
#define PROF_CLANG_BACKEND_H

#include <functional>
#include <string>
#include <unordered_set>

#include "iterations.h"
#include "loops.h"
#include "noted_values.h"
#include "unit.h"

namespace llvm {
class Function;
class Module;
class PassBuilder;
class TargetMachine;
} // namespace llvm

struct prof_backend {
  struct prof_unit unit;
  std::string compiler, source; /* unit.compiler and unit.source point to them */
  enum prof_language language;
  /* The module will be linked as IR: functions may be inlined into other modules. */
  bool linked_as_ir;
  bool functions_have_sections;                          /* -ffunction-sections, or implied */
  std::string default_anchor;                            /* first instrumented function of .text; see functions.cpp */
  std::unordered_set<std::string> not_instrumented;      /* assembler names of functions with no_instrument_function */
  std::function<std::string(const std::string &)> remap; /* -ffile-prefix-map */
  /* Line of a function that has no debug information, 0 unknown; `file` gets its path.  May be empty. */
  std::function<uint32_t(const std::string &name, std::string *file)> place;
  std::function<void(const std::string &)> error;
  struct prof_loops loops;
  prof_noted_values values;
  struct prof_iterated iterated;
};

extern struct prof_backend *prof_backend_now; /* NULL: no unit, nothing is instrumented */

/* Registers the pass over a module. */
void prof_backend_register(llvm::PassBuilder &builder);

/* Probes all functions that the unit selects; returns whether anything was changed. */
bool prof_module_probe(struct prof_backend *backend, llvm::Module &module);

/* Puts counters of lines into all functions that the unit selects, with lines=count (counts.cpp). */
bool prof_module_count(struct prof_backend *backend, llvm::Module &module);
/* Puts marks of lines into all functions whose lines are to be timed (line_times.cpp). */
bool prof_module_time(struct prof_backend *backend, llvm::Module &module);
/* Marks the arguments of the functions that are chosen, which are then not inlined (values.cpp). */
bool prof_module_values(struct prof_backend *backend, llvm::Module &module);
/* Makes probes of the begins and ends of iterations (iterations_put.cpp). */
bool prof_module_iterate(struct prof_backend *backend, llvm::Module &module);
/* Has the module, or a part of it with -flto, the switch of counters? */
bool prof_counts_are_there(const llvm::Module &module);

/* One function, which has a body; `machine` knows which calls become jumps and may be NULL. */
void prof_function_probe(struct prof_backend *backend, llvm::Function &function, llvm::TargetMachine *machine);

#endif
