/*
 * tools/base/path_map.c - see path_map.h.
 */
#include "base/path_map.h"

#include <string.h>

static size_t without_slashes(const char *text, size_t bytes) {
  while (bytes > 0 && text[bytes - 1] == '/')
    bytes--;
  return bytes;
}

bool prof_path_rule_parse(const char *text, struct prof_path_rule *out) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return false;
  *out = (struct prof_path_rule){.from = text,
                                 .from_bytes = without_slashes(text, (size_t)(equals - text)),
                                 .to = equals + 1,
                                 .to_bytes = without_slashes(equals + 1, strlen(equals + 1))};
  return true;
}

static bool fits(const struct prof_path_rule *rule, const char *path) {
  return strncmp(path, rule->from, rule->from_bytes) == 0 && (path[rule->from_bytes] == '/' || !path[rule->from_bytes]);
}

const char *prof_path_map(const struct prof_path_rule *rules, size_t count, const char *path,
                          struct prof_arena *arena) {
  for (size_t i = 0; i < count; i++) {
    const struct prof_path_rule *rule = &rules[i];
    if (!path[0] || !fits(rule, path))
      continue;
    const char *rest = path + rule->from_bytes;
    if (rule->to_bytes == 0 && !rest[0])
      rest = "/";
    size_t bytes = rule->to_bytes + strlen(rest);
    char *mapped = prof_arena_alloc(arena, bytes + 1);
    if (!mapped)
      return NULL;
    memcpy(mapped, rule->to, rule->to_bytes);
    memcpy(mapped + rule->to_bytes, rest, bytes + 1 - rule->to_bytes);
    return mapped;
  }
  return path;
}
