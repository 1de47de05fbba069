/*
 * noted_values.h - names and types, as in the source, of the arguments and returned values of a function that the
 * plugin's argument `values` names.  action.cpp notes them from declarations.
 */
#ifndef PROF_CLANG_NOTED_VALUES_H
#define PROF_CLANG_NOTED_VALUES_H

#include <string>
#include <unordered_map>
#include <vector>

#include "value.h"

struct prof_noted_value {
  std::string name;
  enum prof_value_type type;
};

struct prof_noted_function {
  std::vector<prof_noted_value> arguments; /* in the order of the source; `this` is the first one */
  enum prof_value_type returned = PROF_VALUE_OTHER;
};

typedef std::unordered_map<std::string, prof_noted_function> prof_noted_values; /* by assembler name */

#endif
