/*
 * tools/names/short.h - demangled names made shorter, in place.
 *
 * In: any text.  Out: never longer.  Work is at most linear times the depth of brackets, which is bounded.
 */
#ifndef PROF_NAMES_SHORT_H
#define PROF_NAMES_SHORT_H

/* Cuts parameters (and what follows them) off: "f(int) const" -> "f". */
void prof_name_cut_parameters(char *name);

/*
 * A C++ function as its programmer would say it:
 *
 *   int const& std::max<int>(int const&, int const&)                 max<int>
 *   std::vector<int, std::allocator<int> >::push_back(int const&)    vector<int>::push_back
 *   std::__cxx11::basic_string<char, std::char_traits<char>, ...     string
 *   f(int) const::{lambda(char)#1}::operator()(char) const           f::{lambda#1}::operator()
 *
 * Return type, parameters, std::, inline namespaces of libraries, ABI tags and arguments that are a template's defaults
 * go; arguments of more than PROF_SHORT_ARGUMENTS bytes become <...>.
 */
#define PROF_SHORT_ARGUMENTS 48
void prof_name_shorten(char *name);

/* As that, and without any template arguments: "vector::push_back"; with std:: and ABI tags. */
void prof_name_cut_templates(char *name);

#endif
