/*
 * tools/names/short.c - see short.h.
 *
 * Works in place: no output is longer than its input, so reading stays ahead of writing.  Texts are those of
 * libiberty's demangler: "> >" between brackets, comparisons in parentheses, "operator< <int>".
 */
#include "names/short.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DEEPEST = 24, ARGUMENTS = 32 };

enum place { IN_NAME, IN_TYPE }; /* in a type, blanks and parameter lists are part of it */

struct pass {
  char *to;
  char *component; /* in the output: the last identifier */
  bool of_std;     /* `component` is right behind std:: */
  bool broken;     /* a bracket is never closed: later ones are plain bytes */
  int depth;
};

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || (unsigned char)c >= 0x80;
}

static size_t prefix(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? length : 0;
}

/* Length of the first of `words` (NULL at the end) found at `at`; 0: none. */
static size_t any_prefix(const char *at, const char *end, const char *const *words) {
  size_t length = 0;
  while (*words && !(length = prefix(at, end, *words)))
    words++;
  return length;
}

/* Length of an operator's name with signs in it at `at` ("operator()", "operator<<"); 0: none. */
static size_t operator_length(const char *begin, const char *at, const char *end) {
  static const char *const signs[] = {
      "()", "[]", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">", ",", "&&", "&", NULL};
  if (!prefix(at, end, "operator") || (at > begin && is_word(at[-1])))
    return 0;
  size_t length = any_prefix(at + 8, end, signs);
  return length ? 8 + length : 0;
}

/* The bracket that closes the one at `at`; NULL: none. */
static const char *closing(const char *begin, const char *at, const char *end) {
  int angle = 0, other = 0;
  for (const char *p = at; p < end; p++) {
    size_t skip = operator_length(begin, p, end);
    if (skip) {
      p += skip - 1;
      continue;
    }
    other += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    if (other == 0 && (*p == '<' || *p == '>'))
      angle += *p == '<' ? 1 : -1;
    if (other < 0 || (other == 0 && (*at == '<' ? angle <= 0 : *p == ')' || *p == '}')))
      return other < 0 ? NULL : p;
  }
  return NULL;
}

/* Skips the qualifiers behind a parameter list. */
static const char *skip_qualifiers(const char *at, const char *end) {
  static const char *const qualifiers[] = {" const", " volatile", " &&", " &", "&&", "&", NULL};
  for (size_t skip; (skip = any_prefix(at, end, qualifiers)) > 0;)
    at += skip;
  return at;
}

/* Where a function's parameters begin; `end`: none. */
static const char *parameters(const char *begin, const char *end) {
  const char *cut = end;
  int angle = 0, brace = 0, round = 0;
  const char *open = NULL;
  for (const char *p = begin; p < end; p++) {
    size_t skip = round == 0 ? operator_length(begin, p, end) : 0;
    if (skip) {
      p += skip - 1;
      continue;
    }
    brace += (*p == '{') - (*p == '}');
    if (brace == 0 && round == 0)
      angle += *p == '<' ? 1 : *p == '>' && angle > 0 ? -1 : 0;
    if (brace != 0 || angle != 0)
      continue;
    if (*p == '(' && round++ == 0)
      open = p;
    else if (*p == ')' && round > 0 && --round == 0) {
      const char *after = skip_qualifiers(p + 1, end);
      bool last = after == end || prefix(after, end, " [clone");
      cut = open > begin && last ? open : end;
    }
  }
  return cut;
}

void prof_name_cut_parameters(char *name) {
  *(char *)parameters(name, name + strlen(name)) = 0;
}

static void put(struct pass *pass, const char *from, size_t length) {
  memmove(pass->to, from, length);
  pass->to += length;
}

static const char *emit(struct pass *pass, const char *at, const char *end, enum place place);

struct argument {
  char *begin, *end; /* in the output */
  bool of_std;
};

/* Is `it` the default argument of its template? */
static bool is_default(const struct argument *it, const struct argument *first) {
  static const struct {
    const char *name;
    bool of_first; /* its own argument must be the template's first one */
  } rows[] = {{"allocator<", false}, {"char_traits<", true}, {"less<", true},
              {"equal_to<", true},   {"hash<", true},        {"default_delete<", true}};
  size_t bytes = (size_t)(first->end - first->begin);
  for (size_t i = 0; it->of_std && i < sizeof rows / sizeof *rows; i++) {
    size_t length = prefix(it->begin, it->end, rows[i].name);
    if (length && (!rows[i].of_first || ((size_t)(it->end - it->begin) == length + bytes + 1 &&
                                         memcmp(it->begin + length, first->begin, bytes) == 0)))
      return true;
  }
  return false;
}

/* basic_string<char> -> string, basic_ostream<wchar_t> -> wostream.  `open`: of the argument list in the output. */
static bool put_alias(struct pass *pass, char *open, const struct argument *only) {
  size_t bytes = (size_t)(only->end - only->begin), basic = strlen("basic_");
  bool wide = bytes == 7 && memcmp(only->begin, "wchar_t", 7) == 0;
  if (!pass->of_std || !prefix(pass->component, open, "basic_") ||
      !(wide || (bytes == 4 && !memcmp(only->begin, "char", 4))))
    return false;
  size_t length = (size_t)(open - pass->component) - basic;
  memmove(pass->component + wide, pass->component + basic, length);
  if (wide)
    *pass->component = 'w';
  pass->to = pass->component + wide + length;
  return true;
}

/* The arguments between `at` ('<') and `close` ('>'). */
static void put_arguments(struct pass *pass, const char *at, const char *close) {
  struct argument list[ARGUMENTS];
  struct pass inner = *pass;
  char *open = pass->to;
  int count = 0;
  bool whole = pass->depth < DEEPEST;
  inner.to = open + 1;
  inner.depth++;
  for (const char *p = at + 1; whole && p < close; count++) {
    bool blank = *p == ' ';
    while (p < close && *p == ' ')
      p++;
    if (count == ARGUMENTS || inner.to - open > 4 * PROF_SHORT_ARGUMENTS) {
      whole = false;
      break;
    }
    if (count > 0)
      put(&inner, ", ", 1 + blank);
    list[count] = (struct argument){inner.to, NULL, prefix(p, close, "std::") > 0};
    p = emit(&inner, p, close, IN_TYPE) + 1; /* up to a comma */
    list[count].end = inner.to;
    if (count > 0 && inner.to == list[count].begin) /* an empty pack */
      inner.to = list[--count].end;
  }
  while (whole && count > 1 && is_default(&list[count - 1], &list[0]))
    count--;
  if (whole && count == 1 && put_alias(pass, open, &list[0]))
    return;
  char *end = whole && count > 0 ? list[count - 1].end : open + 1;
  *open = '<';
  pass->to = end;
  if (!whole || end - open - 1 > PROF_SHORT_ARGUMENTS) {
    pass->to = open + 1;
    put(pass, "...", (size_t)(close - at) > 3 ? 3 : 0);
  }
  *pass->to++ = '>';
}

/* A group in braces: a lambda loses its parameters, others stay.  Returns the byte behind it. */
static const char *put_braces(struct pass *pass, const char *at, const char *close) {
  const char *number = close;
  while (number > at && *number != '#')
    number--;
  size_t lambda = prefix(at, close, "{lambda");
  if (lambda && *number == '#') {
    put(pass, at, lambda);
    put(pass, number, (size_t)(close + 1 - number));
  } else {
    put(pass, at, (size_t)(close + 1 - at));
  }
  return close + 1;
}

/* A group in parentheses.  Returns the byte behind what was read. */
static const char *put_parentheses(struct pass *pass, const char *at, const char *close, const char *end,
                                   enum place place) {
  static const char anonymous[] = "(anonymous namespace)";
  if (prefix(at, end, anonymous)) {
    put(pass, at, sizeof anonymous - 1);
    return at + sizeof anonymous - 1;
  }
  const char *after = skip_qualifiers(close + 1, end);
  if (prefix(after, end, "::"))
    return after; /* parameters of a function that the name is local to */
  bool returns_pointer = place == IN_NAME && (at[1] == '*' || at[1] == '&');
  if (pass->depth == DEEPEST)
    return close + 1;
  pass->depth++;
  if (returns_pointer) { /* pointer to a function: int (*f(char))(long) */
    emit(pass, at + 2, parameters(at + 2, close), IN_NAME);
  } else {
    *pass->to++ = '(';
    for (const char *p = at + 1; p < close;) {
      p = emit(pass, p, close, IN_TYPE);
      if (p < close)
        *pass->to++ = *p++; /* a comma */
    }
    *pass->to++ = ')';
  }
  pass->depth--;
  return returns_pointer ? end : close + 1;
}

/* A blank.  In a name, the text before it was the return type, unless the blank belongs to the name. */
static void put_blank(struct pass *pass, const char *at, const char *end, char *begin, bool keep) {
  bool before_bracket = at + 1 < end && at[1] == '>';
  if (keep || (at + 1 < end && (at[1] == '<' || at[1] == '[')))
    pass->to += at + 1 < end && !before_bracket ? (*pass->to = ' ', 1) : 0;
  else if (at + 1 < end)
    pass->to = begin;
}

/* Length of a component's prefix that is not shown. */
static size_t silent_length(struct pass *pass, const char *at, const char *begin, const char *end) {
  static const char *const inlined[] = {"__cxx11::", "__1::", "_V2::", "__n4861::", NULL};
  bool first = at == begin || (at[-1] != ':' && !is_word(at[-1]));
  if (first && prefix(at, end, "std::")) {
    pass->of_std = true;
    return 5;
  }
  return first || at[-1] == ':' ? any_prefix(at, end, inlined) : 0;
}

static const char *put_word(struct pass *pass, const char *at, const char *end, bool *conversion) {
  const char *stop = at;
  while (stop < end && is_word(*stop))
    stop++;
  *conversion |= stop - at == 8 && stop < end && *stop == ' ' && memcmp(at, "operator", 8) == 0;
  pass->component = pass->to;
  put(pass, at, (size_t)(stop - at));
  return stop;
}

/* Reads one name or type, up to `end` or, in a type, to a comma; returns where it stopped. */
static const char *emit(struct pass *pass, const char *at, const char *end, enum place place) {
  const char *begin = at;
  char *out = pass->to;
  bool conversion = false; /* "operator std::string": the rest is a type */
  pass->of_std = false;
  while (at < end && !(place == IN_TYPE && *at == ',')) {
    size_t skip = operator_length(begin, at, end), silent;
    bool bracket = strchr("<({", *at) && !pass->broken && !skip && !(*at == '<' && at > begin && at[-1] == ':');
    const char *close = bracket ? closing(begin, at, end) : NULL;
    pass->broken |= bracket && !close;
    if (skip) {
      put(pass, at, skip);
      at += skip;
    } else if (close && *at == '<') {
      put_arguments(pass, at, close);
      at = close + 1;
    } else if (close && *at == '{') {
      at = put_braces(pass, at, close);
    } else if (close) {
      at = put_parentheses(pass, at, close, end, place);
    } else if (*at == ' ') {
      put_blank(pass, at, end, out, place == IN_TYPE || conversion);
      pass->of_std = false;
      at++;
    } else if (prefix(at, end, "[abi:") && memchr(at, ']', (size_t)(end - at))) {
      at = (const char *)memchr(at, ']', (size_t)(end - at)) + 1;
    } else if ((silent = silent_length(pass, at, begin, end)) > 0) {
      at += silent;
    } else if (is_word(*at)) {
      at = put_word(pass, at, end, &conversion);
    } else {
      pass->of_std = false;
      *pass->to++ = *at++;
    }
  }
  return at;
}

/* Length of the words before a name that the compiler made for another one. */
static size_t made_for(const char *at, const char *end) {
  static const char *const words[] = {
      "TLS init function for ",     "TLS wrapper function for ", "non-virtual thunk to ",      "virtual thunk to ",
      "covariant return thunk to ", "transaction clone for ",    "non-transaction clone for ", NULL};
  return any_prefix(at, end, words);
}

void prof_name_shorten(char *name) {
  const char *end = name + strlen(name), *at = name + made_for(name, end);
  struct pass pass = {.to = name + (at - name), .component = name};
  emit(&pass, at, parameters(at, end), IN_NAME);
  *pass.to = 0;
}

void prof_name_cut_templates(char *name) {
  const char *end = name + strlen(name);
  char *to = name;
  int angle = 0, nested = 0; /* nested: in parentheses or braces, which stay as they are */
  int expression = 0;        /* in parentheses of an argument: the only place for comparisons */
  for (const char *p = name; *p; p++) {
    size_t skip = angle == 0 ? operator_length(name, p, end) : 0;
    if (skip) {
      memmove(to, p, skip);
      to += skip;
      p += skip - 1;
      continue;
    }
    if (angle == 0)
      nested += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
    else if (*p == '(' || (*p == ')' && expression > 0))
      expression += *p == '(' ? 1 : -1;
    if (angle > 0 && expression > 0)
      continue;
    if (nested == 0 && *p == '<' && p > name && p[-1] != ':') {
      angle++;
    } else if (nested == 0 && *p == '>' && angle > 0) {
      angle--;
    } else if (angle == 0) {
      /* The text before a blank was the return type, unless the blank belongs to the name. */
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
