/*
 * tools/names/function_key.h - what two names of one function have in common.
 *
 * Compilers clone functions and tools write names differently.  The key of a name is the function's plain name: equal
 * keys mean the same function for a comparison.
 *
 *   foo.constprop.0, foo.part.2.cold, foo [clone .isra.0], foo_[k]     foo
 *   std::vector<int, std::allocator<int> >::push_back(int const&)      std::vector::push_back
 *   fib'2                                                              fib          (callgrind's level of a recursion)
 */
#ifndef PROF_NAMES_FUNCTION_KEY_H
#define PROF_NAMES_FUNCTION_KEY_H

/* Shortens a demangled name to its key, in place: never longer, never empty unless it was.  ";" becomes ":". */
void prof_function_key(char *name);

#endif
