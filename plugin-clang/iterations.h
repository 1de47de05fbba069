/*
 * iterations.h - single iterations of the loops that the argument `iterations` names: from the parser to their probes.
 *
 * iterations_found.cpp puts a call, and a variable with a cleanup, at the begin of such a loop's body, so that Clang
 * itself finds every way out of it.  iterations_put.cpp makes probes of both calls before LLVM changes anything.
 */
#ifndef PROF_CLANG_ITERATIONS_H
#define PROF_CLANG_ITERATIONS_H

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang
namespace llvm {
class Module;
}

struct prof_iterated_loop {
  std::string function, file; /* of struct prof_iteration */
  uint32_t line;
};

struct prof_iterated { /* of one unit */
  std::vector<prof_iterated_loop> loops;
  std::unordered_set<const clang::FunctionDecl *> seen;
};

/* Begin of the names of the functions that the calls are of; the loop's index follows. */
#define PROF_ITERATION_BEGIN "prof.iteration.begin."
#define PROF_ITERATION_END "prof.iteration.end."

struct prof_backend;

/* Changes the bodies of the function's loops that are named; `linker_name`: its name there.  A second time it does
 * nothing. */
void prof_iterations_find(struct prof_backend *backend, clang::ASTContext &context, clang::FunctionDecl *function,
                          const std::string &linker_name);

/* The loop's body as the source has it. */
const clang::Stmt *prof_iteration_body(const clang::Stmt *body);

#endif
