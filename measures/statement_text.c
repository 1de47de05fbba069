/*
 * statement_text.c - see statement_text.h.
 *
 * Tokens of SQL as SQLite and PostgreSQL have them: strings ('it''s', E'\'', x'0F', $tag$...$tag$), numbers, quoted
 * names
 * ("a", `a`, [a]), comments.  What is left open lasts to the end.
 */
#include "statement_text.h"

#include <stdbool.h>
#include <string.h>

struct writing {
  char *out;
  size_t bytes;
  bool blank; /* white space came since the last token */
  bool full;
};

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool ends_with(const struct writing *writing, size_t bytes, const char *end) {
  const size_t length = strlen(end);
  return bytes >= length && memcmp(writing->out + bytes - length, end, length) == 0;
}

static void put(struct writing *writing, const char *text, size_t bytes) {
  if (bytes > PROF_STATEMENT_BYTES - 4 - writing->bytes) {
    bytes = PROF_STATEMENT_BYTES - 4 - writing->bytes;
    writing->full = true;
  }
  memcpy(writing->out + writing->bytes, text, bytes);
  writing->bytes += bytes;
}

/* The white space before a token, where there is to be some. */
static void put_blank(struct writing *writing, char next) {
  const char last = writing->bytes ? writing->out[writing->bytes - 1] : '(';
  if (last == ',' || (writing->blank && last != '(' && next != ',' && next != ')' && next != ';'))
    put(writing, " ", 1);
  writing->blank = false;
}

/* A sign belongs to the number, unless something stands before it that is taken from. */
static void drop_sign(struct writing *writing) {
  size_t bytes = writing->bytes;
  if (bytes == 0 || (writing->out[bytes - 1] != '-' && writing->out[bytes - 1] != '+'))
    return;
  size_t before = bytes - 1;
  while (before > 0 && writing->out[before - 1] == ' ')
    before--;
  if (before == 0 || strchr("(,=<>", writing->out[before - 1]))
    writing->bytes = bytes - 1;
}

static void put_value(struct writing *writing) {
  drop_sign(writing);
  if (ends_with(writing, writing->bytes, "?, ..., ") || ends_with(writing, writing->bytes, "?, ...,"))
    writing->bytes -= writing->out[writing->bytes - 1] == ' ' ? 2 : 1;
  else if (ends_with(writing, writing->bytes, "?,"))
    put(writing, " ...", 4);
  else {
    put_blank(writing, '?');
    put(writing, "?", 1);
  }
  writing->blank = false;
}

/* Behind a closing parenthesis: rows of values like the one before are not repeated. */
static void fold_rows(struct writing *writing) {
  size_t open = writing->bytes;
  while (open > 0 && writing->out[open - 1] != '(')
    open--;
  if (open == 0 || writing->bytes - open < 2 || writing->out[open] != '?')
    return;
  char row[64];
  const size_t bytes = writing->bytes - open + 1;
  if (bytes >= sizeof row)
    return;
  memcpy(row, writing->out + open - 1, bytes);
  row[bytes] = 0;
  const size_t before = open - 1; /* where the row begins */
  if (ends_with(writing, before, "), ..., "))
    writing->bytes = before - 2;
  else if (before > 2 && ends_with(writing, before, ", ") && ends_with(writing, before - 2, row)) {
    writing->bytes = before;
    put(writing, "...", 3);
  }
}

/* ---- tokens: each returns what follows it ---- */

static const char *skip_quoted(const char *at, char quote, bool backslash) {
  for (at++; *at; at++) {
    if (backslash && *at == '\\' && at[1])
      at++;
    else if (*at == quote && at[1] == quote)
      at++;
    else if (*at == quote)
      return at + 1;
  }
  return at;
}

static const char *skip_number(const char *at) {
  for (; is_digit(*at) || begins_name(*at) || *at == '.'; at++)
    if ((*at == 'e' || *at == 'E') && (at[1] == '-' || at[1] == '+') && is_digit(at[2]))
      at++;
  return at;
}

static const char *skip_name(const char *at) {
  while (begins_name(*at) || is_digit(*at) || *at == '$')
    at++;
  return at;
}

/* "$tag$ ... $tag$"; NULL: it is none. */
static const char *skip_dollars(const char *at) {
  const char *end = at + 1;
  while (begins_name(*end) || (end > at + 1 && is_digit(*end)))
    end++;
  if (*end != '$')
    return NULL;
  const size_t bytes = (size_t)(end + 1 - at);
  for (const char *rest = end + 1; *rest; rest++)
    if (strncmp(rest, at, bytes) == 0)
      return rest + bytes;
  return end + strlen(end);
}

/* NULL: there is none. */
static const char *skip_comment(const char *at) {
  const char *end;
  if (at[0] == '-' && at[1] == '-') {
    end = strchr(at, '\n');
    return end ? end : at + strlen(at);
  }
  if (at[0] != '/' || at[1] != '*')
    return NULL;
  end = strstr(at + 2, "*/");
  return end ? end + 2 : at + strlen(at);
}

/* The end of a literal that begins here; NULL: none does. */
static const char *skip_literal(const char *at) {
  if (at[0] == '\'')
    return skip_quoted(at, '\'', false);
  if (at[0] && strchr("xXbBnNeE", at[0]) && at[1] == '\'')
    return skip_quoted(at + 1, '\'', at[0] == 'e' || at[0] == 'E');
  if (at[0] == '$')
    return skip_dollars(at);
  if (is_digit(at[0]) || (at[0] == '.' && is_digit(at[1])))
    return skip_number(at);
  if (at[0] == '?') { /* a parameter, perhaps with a number */
    for (at++; is_digit(*at);)
      at++;
    return at;
  }
  return NULL;
}

/* The end of a name, parameter, or sign. */
static const char *skip_other(const char *at) {
  if (*at == '"' || *at == '`')
    return skip_quoted(at, *at, false);
  if (*at == '[' && begins_name(at[1])) {
    const char *end = strchr(at, ']');
    return end ? end + 1 : at + strlen(at);
  }
  if (begins_name(*at))
    return skip_name(at);
  if ((*at == ':' || *at == '@' || *at == '#') && begins_name(at[1]))
    return skip_name(at + 1);
  if (*at == '$')
    return skip_name(at + 1);
  return at + 1;
}

static const char *take(struct writing *writing, const char *at) {
  const char *end = skip_comment(at);
  if (end || is_blank(*at)) {
    writing->blank = true;
    return end ? end : at + 1;
  }
  end = skip_literal(at);
  if (end) {
    put_value(writing);
    return end;
  }
  end = skip_other(at);
  put_blank(writing, *at);
  put(writing, at, (size_t)(end - at));
  if (*at == ')')
    fold_rows(writing);
  return end;
}

void prof_statement_normalise(const char *text, char out[PROF_STATEMENT_BYTES]) {
  struct writing writing = {.out = out};
  while (*text && !writing.full)
    text = take(&writing, text);
  while (!writing.full && writing.bytes > 0 && (out[writing.bytes - 1] == ';' || out[writing.bytes - 1] == ' '))
    writing.bytes--;
  if (writing.full) {
    while (writing.bytes > 0 && ((unsigned char)out[writing.bytes - 1] & 0xc0) == 0x80)
      writing.bytes--;
    if (writing.bytes > 0 && (unsigned char)out[writing.bytes - 1] >= 0xc0)
      writing.bytes--;
    memcpy(out + writing.bytes, "...", 3);
    writing.bytes += 3;
  }
  out[writing.bytes] = 0;
}
