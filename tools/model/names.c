/*
 * tools/model/names.c - see names.h.
 *
 * Demangling is __cxa_demangle's (Itanium C++ ABI), as every C++ run-time library brings it.  Fortran procedures in
 * modules are
 * __module_MOD_procedure in gfortran's objects.
 */
#include "model/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "row.h"

char *__cxa_demangle(const char *mangled, char *buffer, size_t *bytes, int *status);

/* A name this long is no name, and costs the demangler time without end. */
#define LONGEST_MANGLED 16384

struct prof_names {
  const prof_trace *trace;
  const struct prof_function *functions;
  const struct prof_module *modules;
  size_t function_count;
  enum prof_demangle demangle;
  const char **shown; /* NULL: not asked for yet */
  struct prof_arena arena;
  char *buffer;
  size_t buffer_bytes;
};

prof_status prof_names_new(const prof_trace *trace, enum prof_demangle demangle, struct prof_names **out) {
  struct prof_names *names = calloc(1, sizeof *names);
  *out = names;
  if (!names)
    return PROF_NO_MEMORY;
  size_t module_count;
  names->trace = trace;
  names->demangle = demangle;
  names->functions = prof_trace_functions(trace, &names->function_count);
  names->modules = prof_trace_modules(trace, &module_count);
  names->shown = calloc(names->function_count + 1, sizeof *names->shown);
  if (!names->shown) {
    prof_names_free(names);
    *out = NULL;
    return PROF_NO_MEMORY;
  }
  return PROF_OK;
}

void prof_names_free(struct prof_names *names) {
  if (!names)
    return;
  prof_arena_fini(&names->arena);
  free(names->shown);
  free(names->buffer);
  free(names);
}

const char *prof_names_function(struct prof_names *names, uint32_t function) {
  if (function >= names->function_count)
    return "[unknown]";
  if (names->shown[function])
    return names->shown[function];
  const struct prof_function *it = &names->functions[function];
  const char *shown = prof_name_demangle(it->name, it->language, names->demangle, &names->buffer, &names->buffer_bytes);
  if (shown != it->name)
    shown = prof_arena_copy(&names->arena, shown, strlen(shown));
  return names->shown[function] = shown ? shown : it->name;
}

const char *prof_names_file(const struct prof_names *names, uint32_t function) {
  return function < names->function_count ? names->functions[function].file : "";
}

uint32_t prof_names_line(const struct prof_names *names, uint32_t function) {
  return function < names->function_count ? names->functions[function].line : 0;
}

const char *prof_names_module(const struct prof_names *names, uint32_t function) {
  return function < names->function_count ? names->modules[names->functions[function].module].path : "";
}

/* "__module_MOD_procedure" -> "module::procedure", "procedure_" -> "procedure"; NULL: nothing to do or no memory. */
static const char *demangle_fortran(const char *linkage, char **buffer, size_t *bytes) {
  size_t length = strlen(linkage);
  if (strcmp(linkage, "MAIN__") == 0) /* the main program */
    return "MAIN";
  const char *middle = linkage[0] == '_' && linkage[1] == '_' ? strstr(linkage, "_MOD_") : NULL;
  if (!middle && (length < 2 || linkage[length - 1] != '_'))
    return NULL;
  if (*bytes < length + 1) {
    char *grown = realloc(*buffer, length + 1);
    if (!grown)
      return NULL;
    *buffer = grown;
    *bytes = length + 1;
  }
  if (middle) {
    size_t module = (size_t)(middle - linkage) - 2;
    memcpy(*buffer, linkage + 2, module);
    memcpy(*buffer + module, "::", 2);
    strcpy(*buffer + module + 2, middle + 5);
  } else {
    memcpy(*buffer, linkage, length - 1);
    (*buffer)[length - 1] = 0;
  }
  return *buffer;
}

const char *prof_name_demangle(const char *linkage, uint16_t language, enum prof_demangle demangle, char **buffer,
                               size_t *bytes) {
  if (demangle == PROF_DEMANGLE_NO)
    return linkage;
  if (language == PROF_LANGUAGE_FORTRAN) {
    const char *name = demangle_fortran(linkage, buffer, bytes);
    return name ? name : linkage;
  }
  if (linkage[0] != '_' || linkage[1] != 'Z' || strnlen(linkage, LONGEST_MANGLED) == LONGEST_MANGLED)
    return linkage;
  int status;
  char *name = __cxa_demangle(linkage, *buffer, bytes, &status);
  if (!name)
    return linkage;
  *buffer = name; /* it may have moved; *bytes was told */
  if (demangle == PROF_DEMANGLE_SHORT) {
    prof_name_cut_parameters(name);
    prof_name_cut_templates(name);
  }
  return name;
}

/* Length of "operator..." at p when it is an operator's name with signs in it ("operator()", "operator<<"), else 0. */
static size_t operator_length(const char *name, const char *p) {
  static const char *const signs[] = {
      "()", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">", ",", NULL};
  if (strncmp(p, "operator", 8) != 0 || (p > name && (isalnum((unsigned char)p[-1]) || p[-1] == '_')))
    return 0;
  for (const char *const *sign = signs; *sign; sign++)
    if (strncmp(p + 8, *sign, strlen(*sign)) == 0)
      return 8 + strlen(*sign);
  return 0;
}

/* Whether the text behind a parenthesis group says that it was the parameter list. */
static bool ends_parameters(const char *after) {
  static const char *const followers[] = {" const", " volatile", " &", "&", " [clone", NULL};
  if (!*after)
    return true;
  for (const char *const *follower = followers; *follower; follower++)
    if (strncmp(after, *follower, strlen(*follower)) == 0)
      return strstr(after, "::") == NULL;
  return false;
}

void prof_name_cut_parameters(char *name) {
  /* The last parenthesis group outside of template arguments and of {lambda(int)#1}. */
  int angle = 0, brace = 0, round = 0;
  char *cut = NULL, *begin = NULL;
  for (char *p = name; *p; p++) {
    size_t skip = round == 0 ? operator_length(name, p) : 0;
    if (skip) {
      p += skip - 1;
      continue;
    }
    brace += (*p == '{') - (*p == '}');
    if (brace == 0 && round == 0)
      angle += *p == '<' ? 1 : *p == '>' && angle > 0 ? -1 : 0;
    if (brace == 0 && angle == 0) {
      if (*p == '(' && round++ == 0)
        begin = p;
      else if (*p == ')' && round > 0 && --round == 0)
        cut = begin > name && ends_parameters(p + 1) ? begin : NULL;
    }
  }
  if (cut)
    *cut = 0;
}

void prof_name_cut_templates(char *name) {
  char *to = name;
  int angle = 0, nested = 0; /* nested: in parentheses or braces, which stay as they are */
  for (const char *p = name; *p; p++) {
    size_t skip = angle == 0 ? operator_length(name, p) : 0;
    if (skip) {
      memmove(to, p, skip);
      to += skip;
      p += skip - 1;
      continue;
    }
    if (angle == 0)
      nested += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    if (nested == 0 && *p == '<' && p > name && p[-1] != ':') {
      angle++;
    } else if (nested == 0 && *p == '>' && angle > 0) {
      angle--;
    } else if (angle == 0) {
      /* What stood before a blank was the return type, unless the blank belongs to the name. */
      bool of_name = nested > 0 || (to - name >= 8 && strncmp(to - 8, "operator", 8) == 0) ||
                     strncmp(p, " const::", 8) == 0 || p[1] == '[' || p[1] == 0;
      if (*p != ' ' || of_name)
        *to++ = *p;
      else if (p[1] != '<')
        to = name;
    }
  }
  *to = 0;
}
