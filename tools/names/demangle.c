/*
 * tools/names/demangle.c - see demangle.h.
 *
 * libiberty demangles C++ (Itanium ABI), Rust, D and GNAT's encodings; Fortran's few rules are gfortran's
 * (gcc/fortran/trans-decl.cc).  A C++ name of 200 bytes can expand to gigabytes, because it may refer back to its own
 * parts.  So text is taken piece by piece, and a longjmp leaves the demangler at the limit.  D's demangler has no such
 * pieces; its memory comes from xmalloc and xrealloc, defined below.
 */
#include "names/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "row.h"

/* Stack: libiberty takes at most 170 bytes per byte of a name. */
#define LONGEST_MANGLED 16384
/* libiberty refuses names from this length on without DMGL_NO_RECURSE_LIMIT. */
#define LONG_MANGLED 1000
/* Leaving D's demangler leaks its memory; after so many times D's names stay mangled. */
#define D_NAMES_GIVEN_UP 8

void *xmalloc(size_t);
void *xrealloc(void *, size_t);

struct piece_taker {
  struct prof_name_buffer *buffer;
  size_t count;
};

static jmp_buf given_up; /* valid while a demangler runs */

void *xmalloc(size_t bytes) {
  return xrealloc(NULL, bytes);
}

void *xrealloc(void *old, size_t bytes) {
  void *memory = bytes <= PROF_DEMANGLED_BYTES ? realloc(old, bytes ? bytes : 1) : NULL;
  if (!memory)
    longjmp(given_up, 1);
  return memory;
}

char *prof_name_room(struct prof_name_buffer *buffer, size_t bytes) {
  if (buffer->bytes < bytes) {
    size_t wanted = bytes < 256 ? 256 : bytes + bytes / 2;
    char *grown = realloc(buffer->text, wanted);
    if (!grown)
      return NULL;
    buffer->text = grown;
    buffer->bytes = wanted;
  }
  return buffer->text;
}

static void piece_take(const char *piece, size_t bytes, void *to) {
  struct piece_taker *taker = to;
  if (taker->count + bytes >= PROF_DEMANGLED_BYTES || !prof_name_room(taker->buffer, taker->count + bytes + 1))
    longjmp(given_up, 1);
  memcpy(taker->buffer->text + taker->count, piece, bytes);
  taker->count += bytes;
  taker->buffer->text[taker->count] = 0;
}

typedef int piecewise(const char *mangled, int options, demangle_callbackref, void *);

static char *by_pieces(piecewise *demangler, const char *linkage, int options, struct prof_name_buffer *buffer) {
  struct piece_taker taker = {buffer, 0};
  if (setjmp(given_up))
    return NULL;
  return demangler(linkage, options, piece_take, &taker) && taker.count > 0 ? buffer->text : NULL;
}

static char *put(struct prof_name_buffer *buffer, const char *text, size_t length) {
  if (!prof_name_room(buffer, length + 1))
    return NULL;
  memcpy(buffer->text, text, length);
  buffer->text[length] = 0;
  return buffer->text;
}

static char *cxx(const char *linkage, struct prof_name_buffer *buffer) {
  if (strncmp(linkage, "_Z", 2) != 0)
    return NULL;
  int options = DMGL_PARAMS | DMGL_ANSI | (strlen(linkage) < LONG_MANGLED ? 0 : DMGL_NO_RECURSE_LIMIT);
  return by_pieces(cplus_demangle_v3_callback, linkage, options, buffer);
}

static char *rust(const char *linkage, struct prof_name_buffer *buffer) {
  if (strncmp(linkage, "_R", 2) != 0 && strncmp(linkage, "_ZN", 3) != 0)
    return NULL;
  return by_pieces(rust_demangle_callback, linkage, 0, buffer);
}

static char *dlang(const char *linkage, struct prof_name_buffer *buffer) {
  static unsigned given_up_count;
  char *text = NULL;
  if (strncmp(linkage, "_D", 2) != 0 || given_up_count >= D_NAMES_GIVEN_UP)
    return NULL;
  if (setjmp(given_up)) {
    given_up_count++;
    return NULL;
  }
  text = dlang_demangle(linkage, 0);
  char *shown = text ? put(buffer, text, strlen(text)) : NULL;
  free(text);
  return shown;
}

/* Length of a name without the ".12" that makes a nested procedure's name unique. */
static size_t without_number(const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 0 && isdigit((unsigned char)name[end - 1]))
    end--;
  return end > 1 && end < length && name[end - 1] == '.' ? end - 1 : length;
}

/* Cases that libiberty doesn't handle: packages, with dots; a task's own function, by the task's name (GNAT's
 * exp_dbug.ads). */
static char *ada_by_dots(const char *linkage, struct prof_name_buffer *buffer) {
  char *text = put(buffer, linkage, without_number(linkage)), *to = text;
  if (!text)
    return NULL;
  size_t length = strlen(text);
  if (length > 3 && (strcmp(text + length - 3, "TKB") == 0 || strcmp(text + length - 2, "TB") == 0))
    text[length - (text[length - 2] == 'K' ? 3 : 2)] = 0;
  for (const char *from = text; *from;) {
    bool dot = from > text && from[0] == '_' && from[1] == '_' && from[2] != 0;
    *to++ = dot ? '.' : *from;
    from += dot ? 2 : 1;
  }
  *to = 0;
  return text;
}

static char *ada(const char *linkage, struct prof_name_buffer *buffer) {
  char *volatile text = NULL;
  if (!strstr(linkage, "__") && strncmp(linkage, "_ada_", 5) != 0)
    return NULL;
  if (setjmp(given_up))
    return NULL;
  text = ada_demangle(linkage, 0);
  char *shown = text && *text != '<' ? put(buffer, text, strlen(text)) : ada_by_dots(linkage, buffer);
  free(text);
  return shown;
}

static char *append(char *to, const char *from, size_t length) {
  memcpy(to, from, length);
  to[length] = 0;
  return to + length;
}

static const char *find(const char *from, const char *end, const char *what) {
  return memmem(from, (size_t)(end - from), what, strlen(what));
}

/* One procedure: "__module.submodule_MOD_name" -> "module::submodule::name", "name_" -> "name". */
static char *fortran_part(char *to, const char *from, const char *end) {
  const char *middle = end - from > 2 && strncmp(from, "__", 2) == 0 ? find(from, end, "_MOD_") : NULL;
  if (!middle || middle + 5 == end)
    return append(to, from, (size_t)(end - from) - (end - from > 1 && end[-1] == '_'));
  for (from += 2; from < middle;) {
    const char *dot = find(from, middle, "."), *stop = dot ? dot : middle;
    to = append(append(to, from, (size_t)(stop - from)), "::", 2);
    from = dot ? dot + 1 : stop;
  }
  return append(to, middle + 5, (size_t)(end - middle) - 5);
}

/* The plugin adds what the linkage name lacks: "inner.0 __module_MOD_outer::inner" (wire/row.h). */
static char *fortran(const char *linkage, struct prof_name_buffer *buffer) {
  const char *source = strchr(linkage, ' '), *from = source ? source + 1 : linkage;
  if (strcmp(linkage, "MAIN__") == 0) /* a main program without a name */
    return put(buffer, linkage, 4);
  char *text = prof_name_room(buffer, 2 * strlen(linkage) + 3), *to = text;
  if (!text)
    return NULL;
  for (const char *colons; (colons = strstr(from, "::")); from = colons + 2)
    to = append(fortran_part(to, from, colons), "::", 2);
  fortran_part(to, from, from + strlen(from));
  return text;
}

/* A name of no known language (a symbol without facts) that is certainly a module's procedure. */
static char *fortran_module(const char *linkage, struct prof_name_buffer *buffer) {
  return strncmp(linkage, "__", 2) == 0 && strstr(linkage, "_MOD_") ? fortran(linkage, buffer) : NULL;
}

#define OF(language) (1u << PROF_LANGUAGE_##language)
static const struct {
  unsigned languages;
  char *(*demangle)(const char *, struct prof_name_buffer *);
} rows[] = {
    {OF(FORTRAN), fortran},        {OF(ADA), ada},
    {OF(D) | OF(UNKNOWN), dlang},  {OF(UNKNOWN), rust},
    {OF(UNKNOWN), fortran_module}, {OF(UNKNOWN) | OF(C) | OF(CXX) | OF(ADA) | OF(D), cxx},
};

char *prof_name_full(const char *linkage, uint16_t language, struct prof_name_buffer *buffer) {
  unsigned bit = language < 32 ? 1u << language : OF(UNKNOWN);
  if (strnlen(linkage, LONGEST_MANGLED + 1) > LONGEST_MANGLED)
    return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text = rows[i].languages & bit ? rows[i].demangle(linkage, buffer) : NULL;
    if (text)
      return text;
  }
  return NULL;
}
