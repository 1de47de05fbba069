/*
 * tools/command/measures/path_text.c - see path_text.h.
 */
#include "path_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/short.h"

/* Functions of the path, outermost first; returns how many.  *cut: there are more outside. */
static size_t frames_of(const struct prof_measured_paths *paths, uint32_t node, uint32_t out[PROF_PATH_TEXT_FRAMES],
                        bool *cut) {
  uint32_t depth = paths->nodes.items[node].depth;
  uint32_t count = depth < PROF_PATH_TEXT_FRAMES ? depth : PROF_PATH_TEXT_FRAMES;
  for (uint32_t i = count; i-- > 0; node = paths->nodes.items[node].parent)
    out[i] = paths->nodes.items[node].function;
  *cut = depth > count;
  return count;
}

char *prof_path_text(const struct prof_measured_paths *paths, uint32_t node, struct prof_names *names) {
  uint32_t functions[PROF_PATH_TEXT_FRAMES];
  bool cut;
  size_t count = frames_of(paths, node, functions, &cut), bytes = 0;
  char *text = NULL;
  FILE *stream = open_memstream(&text, &bytes);
  if (!stream)
    return NULL;
  fputs(cut ? "..." : count == 0 ? "[outside of calls]" : "", stream);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "%s%s", i > 0 || cut ? " > " : "", prof_names_function(names, functions[i]));
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

void prof_path_json(const struct prof_measured_paths *paths, uint32_t node, struct prof_names *names,
                    struct prof_json *json, const char *key) {
  uint32_t functions[PROF_PATH_TEXT_FRAMES];
  bool cut;
  size_t count = frames_of(paths, node, functions, &cut);
  prof_json_array(json, key);
  for (size_t i = 0; i < count; i++)
    prof_json_text(json, NULL, prof_names_plain(names, functions[i]));
  prof_json_array_end(json);
}

char *prof_place_text(const struct prof_measured_place *place, struct prof_shown_paths *paths) {
  char *text = NULL;
  int bytes = place->line   ? asprintf(&text, "%s:%u", prof_shown_path(paths, place->file), place->line)
              : *place->via ? asprintf(&text, "in %s", place->via)
                            : asprintf(&text, "%s", place->file);
  if (bytes < 0)
    return NULL;
  if (!place->line && *place->via)
    prof_name_shorten(text + strlen("in "));
  return text;
}
