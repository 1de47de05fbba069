/*
 * tools/names/short.h - shortens demangled names in place.
 *
 * In: any text.  Out: never longer.  The work is at most linear in length times depth of brackets, which is bounded.
 */
#ifndef PROF_NAMES_SHORT_H
#define PROF_NAMES_SHORT_H

/* Cuts parameters and what follows: "f(int) const" -> "f". */
void prof_name_cut_parameters(char *name);

/*
 * A C++ function's short name:
 *
 *   int const& std::max<int>(int const&, int const&)                 max<int>
 *   std::vector<int, std::allocator<int> >::push_back(int const&)    vector<int>::push_back
 *   std::__cxx11::basic_string<char, std::char_traits<char>, ...     string
 *   f(int) const::{lambda(char)#1}::operator()(char) const           f::{lambda#1}::operator()
 *
 * Removed: return type, parameters, std::, inline namespaces of libraries, ABI tags and default template arguments.
 * Arguments of more than PROF_SHORT_ARGUMENTS bytes become <...>.
 */
#define PROF_SHORT_ARGUMENTS 48
void prof_name_shorten(char *name);

/* Cuts template arguments too: "vector::push_back"; keeps std:: and ABI tags. */
void prof_name_cut_templates(char *name);

#endif
