/*
 * tools/base/toml.c - see toml.h.
 */
#include "base/toml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plain_file.h"

enum { LARGEST = 1 << 20, MOST_TEXT = 4096, MOST_NUMBERS = 64 };

struct parser {
  const char *at, *end;
  const char *path;
  uint32_t line;
  struct prof_diag *diag;
  struct prof_toml *out;
  const char *table; /* the one that is open */
  uint32_t table_number;
  prof_status status;
};

/* ---- characters ---- */

static bool fail(struct parser *parser, const char *what) {
  if (parser->status == PROF_OK)
    parser->status =
        prof_diag_fill(parser->diag, PROF_CORRUPT, parser->path, PROF_NO_OFFSET,
                       "settings look like: rows = 30, color = \"never\", [report]", "line %u: %s", parser->line, what);
  return false;
}

static bool no_memory(struct parser *parser) {
  parser->status = prof_diag_memory(parser->diag);
  return false;
}

static char peek(const struct parser *parser) {
  return parser->at < parser->end ? *parser->at : 0;
}

static void skip_blanks(struct parser *parser) {
  while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
    parser->at++;
}

/* To the next line; false: something else stands there. */
static bool end_line(struct parser *parser) {
  skip_blanks(parser);
  if (peek(parser) == '#')
    while (parser->at < parser->end && *parser->at != '\n')
      parser->at++;
  if (peek(parser) == '\r')
    parser->at++;
  if (parser->at == parser->end)
    return true;
  if (*parser->at != '\n')
    return fail(parser, "what stands behind the value?");
  parser->at++;
  parser->line++;
  return true;
}

/* Blanks, comments and ends of lines, as within arrays. */
static void skip_all(struct parser *parser) {
  for (;;) {
    skip_blanks(parser);
    if (peek(parser) == '#')
      while (parser->at < parser->end && *parser->at != '\n')
        parser->at++;
    if (peek(parser) != '\n' && peek(parser) != '\r')
      return;
    parser->line += *parser->at++ == '\n';
  }
}

/* ---- texts ---- */

struct text {
  char bytes[MOST_TEXT];
  size_t used;
};

static bool put(struct parser *parser, struct text *text, const char *bytes, size_t count) {
  if (text->used + count > sizeof text->bytes)
    return fail(parser, "the text is too long");
  memcpy(text->bytes + text->used, bytes, count);
  text->used += count;
  return true;
}

static bool put_code(struct parser *parser, struct text *text, unsigned digits) {
  char hex[9] = "", utf8[4];
  if ((size_t)(parser->end - parser->at) < digits)
    return fail(parser, "the text has no end");
  memcpy(hex, parser->at, digits);
  char *stop;
  unsigned long code = strtoul(hex, &stop, 16);
  if (*stop || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return fail(parser, "\\u needs the number of a character");
  parser->at += digits;
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count; i-- > 1; code >>= 6)
    utf8[i] = (char)(0x80 | (code & 0x3f));
  utf8[0] = (char)(leads[count] | code);
  return put(parser, text, utf8, count);
}

static bool put_escape(struct parser *parser, struct text *text) {
  static const char names[] = "btnfr\"\\", codes[] = "\b\t\n\f\r\"\\";
  char name = peek(parser);
  const char *found = name ? strchr(names, name) : NULL;
  if (parser->at < parser->end)
    parser->at++;
  if (name == 'u' || name == 'U')
    return put_code(parser, text, name == 'u' ? 4 : 8);
  return found ? put(parser, text, &codes[found - names], 1) : fail(parser, "an escape that TOML doesn't have");
}

/* "..." or '...'; NULL: failed. */
static const char *read_string(struct parser *parser) {
  struct text text = {.used = 0};
  char quote = *parser->at++;
  if (parser->end - parser->at >= 2 && parser->at[0] == quote && parser->at[1] == quote)
    return fail(parser, "strings of several lines are not read here"), NULL;
  while (parser->at < parser->end && *parser->at != quote) {
    char byte = *parser->at++;
    bool done = byte == '\\' && quote == '"' ? put_escape(parser, &text)
                : (byte >= 0 && byte < ' ' && byte != '\t') || byte == 0x7f
                    ? fail(parser, "the text has no end, or a control character")
                    : put(parser, &text, &byte, 1);
    if (!done)
      return NULL;
  }
  if (parser->at == parser->end)
    return fail(parser, "the text has no end"), NULL;
  parser->at++;
  const char *copy = prof_arena_copy(&parser->out->texts, text.bytes, text.used);
  return copy ? copy : (no_memory(parser), NULL);
}

static bool is_bare(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '-';
}

/* A key, or a part of a table's name; NULL: failed. */
static const char *read_key(struct parser *parser) {
  if (peek(parser) == '"' || peek(parser) == '\'')
    return read_string(parser);
  const char *begin = parser->at;
  while (parser->at < parser->end && is_bare(*parser->at))
    parser->at++;
  if (parser->at == begin)
    return fail(parser, "a name is missing"), NULL;
  const char *copy = prof_arena_copy(&parser->out->texts, begin, (size_t)(parser->at - begin));
  return copy ? copy : (no_memory(parser), NULL);
}

/* ---- values ---- */

static bool read_number(struct parser *parser, struct prof_toml_value *out) {
  char digits[MOST_NUMBERS + 1];
  size_t used = 0;
  while (parser->at < parser->end && (is_bare(*parser->at) || *parser->at == '+' || *parser->at == '.')) {
    if (used == MOST_NUMBERS)
      return fail(parser, "the number is too long");
    if (*parser->at != '_')
      digits[used++] = *parser->at;
    parser->at++;
  }
  digits[used] = 0;
  char *end;
  out->kind = PROF_TOML_NUMBER;
  out->number = strtod(digits, &end);
  bool decimal = used > 0 && digits[strspn(digits, "0123456789.+-eE")] == 0;
  if (!decimal || end == digits || *end)
    return fail(parser, "texts stand in quotes; numbers look like 30 or 0.5");
  out->text = prof_arena_copy(&parser->out->texts, digits, used);
  return out->text ? true : no_memory(parser);
}

static bool takes(struct parser *parser, const char *word) {
  size_t bytes = strlen(word);
  bool here = (size_t)(parser->end - parser->at) >= bytes && !strncmp(parser->at, word, bytes) &&
              (parser->at + bytes == parser->end || !is_bare(parser->at[bytes]));
  parser->at += here ? bytes : 0;
  return here;
}

static bool read_scalar(struct parser *parser, struct prof_toml_value *out) {
  char first = peek(parser);
  *out = (struct prof_toml_value){.text = ""};
  if (first == '"' || first == '\'')
    return (out->text = read_string(parser)) != NULL;
  if (first == '[' || first == '{')
    return fail(parser, "arrays in arrays and inline tables are not read here");
  out->truth = takes(parser, "true");
  if (out->truth || takes(parser, "false")) {
    out->kind = PROF_TOML_BOOL;
    out->text = out->truth ? "true" : "false";
    return true;
  }
  return read_number(parser, out);
}

static bool read_array(struct parser *parser, struct prof_toml_value *out) {
  *out = (struct prof_toml_value){.kind = PROF_TOML_ARRAY, .text = "", .first = (uint32_t)parser->out->parts.count};
  parser->at++;
  for (skip_all(parser); peek(parser) != ']'; skip_all(parser)) {
    struct prof_toml_value part;
    if (!read_scalar(parser, &part))
      return false;
    if (!prof_vec_push(&parser->out->parts, part))
      return no_memory(parser);
    out->count++;
    skip_all(parser);
    if (peek(parser) == ',')
      parser->at++;
    else if (peek(parser) != ']')
      return fail(parser, "the array has no end, or no comma between values");
  }
  parser->at++;
  return true;
}

/* ---- lines ---- */

static bool is_known(const struct parser *parser, const char *key) {
  for (size_t i = 0; i < parser->out->entries.count; i++) {
    const struct prof_toml_entry *entry = &parser->out->entries.items[i];
    if (!strcmp(entry->key, key) && !strcmp(entry->table, parser->table) && entry->table_number == parser->table_number)
      return true;
  }
  return false;
}

static bool read_entry(struct parser *parser) {
  struct prof_toml_entry entry = {.table = parser->table, .table_number = parser->table_number, .line = parser->line};
  entry.key = read_key(parser);
  if (!entry.key)
    return false;
  skip_blanks(parser);
  if (peek(parser) == '.')
    return fail(parser, "dotted keys are not read here: use a [table]");
  if (peek(parser) != '=')
    return fail(parser, "there is no = behind the name");
  parser->at++;
  skip_blanks(parser);
  if (is_known(parser, entry.key))
    return fail(parser, "the name stands here twice");
  if (!(peek(parser) == '[' ? read_array(parser, &entry.value) : read_scalar(parser, &entry.value)))
    return false;
  return (prof_vec_push(&parser->out->entries, entry) || no_memory(parser)) && end_line(parser);
}

static uint32_t tables_before(const struct parser *parser, const char *name) {
  uint32_t most = 0;
  for (size_t i = 0; i < parser->out->entries.count; i++)
    if (!strcmp(parser->out->entries.items[i].table, name) && parser->out->entries.items[i].table_number > most)
      most = parser->out->entries.items[i].table_number;
  return most;
}

static bool read_table(struct parser *parser) {
  struct text name = {.used = 0};
  bool many = parser->end - parser->at > 1 && parser->at[1] == '[';
  parser->at += many ? 2 : 1;
  for (;;) {
    skip_blanks(parser);
    const char *part = read_key(parser);
    if (!part || !put(parser, &name, part, strlen(part)))
      return false;
    skip_blanks(parser);
    if (peek(parser) != '.')
      break;
    parser->at++;
    if (!put(parser, &name, ".", 1))
      return false;
  }
  for (int i = 0; i < (many ? 2 : 1); i++) {
    if (peek(parser) != ']')
      return fail(parser, "the table's name has no end");
    parser->at++;
  }
  parser->table = prof_arena_copy(&parser->out->texts, name.bytes, name.used);
  if (!parser->table)
    return no_memory(parser);
  parser->table_number = many ? tables_before(parser, parser->table) + 1 : 0;
  return end_line(parser);
}

prof_status prof_toml_parse(const char *text, size_t bytes, const char *path, struct prof_diag *diag,
                            struct prof_toml *out) {
  *out = (struct prof_toml){0};
  struct parser parser = {
      .at = text, .end = text + bytes, .path = path, .line = 1, .diag = diag, .out = out, .table = ""};
  if (memchr(text, 0, bytes))
    fail(&parser, "it is no text");
  for (skip_all(&parser); parser.status == PROF_OK && parser.at < parser.end; skip_all(&parser))
    if (!(*parser.at == '[' ? read_table(&parser) : read_entry(&parser)))
      break;
  if (parser.status != PROF_OK)
    prof_toml_free(out);
  return parser.status;
}

prof_status prof_toml_read(const char *path, struct prof_diag *diag, struct prof_toml *out) {
  struct stat file;
  int fd = prof_plain_file_open(path, &file);
  *out = (struct prof_toml){0};
  if (fd < 0)
    return prof_diag_system(diag, errno, path, "can't open the file", NULL);
  char *text = malloc(LARGEST + 1);
  size_t used = 0;
  ssize_t got = text ? 1 : 0;
  while (text && got > 0 && used <= LARGEST) {
    got = read(fd, text + used, LARGEST + 1 - used);
    used += got > 0 ? (size_t)got : 0;
  }
  int error = errno;
  close(fd);
  prof_status status =
      !text            ? prof_diag_memory(diag)
      : got < 0        ? prof_diag_system(diag, error, path, "can't read the file", NULL)
      : used > LARGEST ? prof_diag_fill(diag, PROF_CORRUPT, path, PROF_NO_OFFSET, NULL, "the file has more than 1 MiB")
                       : prof_toml_parse(text, used, path, diag, out);
  free(text);
  return status;
}

void prof_toml_free(struct prof_toml *toml) {
  prof_vec_fini(&toml->entries);
  prof_vec_fini(&toml->parts);
  prof_arena_fini(&toml->texts);
  *toml = (struct prof_toml){0};
}
