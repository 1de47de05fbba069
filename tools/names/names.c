/*
 * tools/names/names.c - see names.h.
 */
#include "names/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "names/apart.h"
#include "names/loop_frames.h"
#include "names/parallel.h"
#include "names/short.h"
#include "row.h"

struct prof_names {
  const prof_trace *trace;
  const struct prof_function *functions;
  const struct prof_module *modules;
  const struct prof_loop *loops;
  size_t function_count, frame_count; /* frames: loop_frames.h */
  enum prof_demangle demangle;
  const char *unknown;                      /* NULL: "[unknown]" */
  const struct prof_process_groups *groups; /* NULL: none */
  const char **shown;                       /* NULL: not made yet */
  struct prof_arena arena;
  struct prof_name_buffer buffer;
  const struct prof_path_rule *rules;
  size_t rule_count;
  const char **files, **module_paths; /* by the rules; NULL: not made yet */
  size_t module_count;
  uint8_t *in_view;            /* by function */
  uint32_t views, known_views; /* how often in_view changed; up to which change `apart` is made */
  const char **apart;          /* by function, its name in views; NULL: not made yet */
  const char **fortran;        /* linkage names, sorted, of the trace's Fortran functions; NULL: not made yet */
  size_t fortran_count;
};

prof_status prof_names_new(const prof_trace *trace, enum prof_demangle demangle, struct prof_names **out) {
  struct prof_names *names = calloc(1, sizeof *names);
  *out = names;
  if (!names)
    return PROF_NO_MEMORY;
  names->trace = trace;
  names->demangle = demangle;
  names->functions = prof_trace_functions(trace, &names->function_count);
  names->modules = prof_trace_modules(trace, &names->module_count);
  names->loops = prof_trace_loops(trace, &names->frame_count);
  names->frame_count = prof_frame_count(trace);
  names->shown = calloc(names->frame_count, sizeof *names->shown);
  names->in_view = calloc(names->function_count + 1, sizeof *names->in_view);
  if (!names->shown || !names->in_view) {
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
  free(names->in_view);
  free(names->apart);
  free(names->fortran);
  free(names->files);
  free(names->module_paths);
  free(names->buffer.text);
  free(names);
}

/* NULL: not a loop. */
static const struct prof_loop *loop_of(const struct prof_names *names, uint32_t frame) {
  uint32_t loop = frame > names->function_count ? prof_frame_loop(names->trace, frame) : PROF_NONE;
  return loop == PROF_NONE ? NULL : &names->loops[loop];
}

const char *prof_names_loop_function(struct prof_names *names, uint32_t loop) {
  const struct prof_loop *it = &names->loops[loop];
  const char *other = it->name[0] ? prof_names_other(names, it->name) : NULL;
  return other ? other : prof_names_function(names, it->function);
}

static const char *name_loop(struct prof_names *names, uint32_t frame, const struct prof_loop *loop) {
  const char *slash = strrchr(loop->file, '/'), *file = slash ? slash + 1 : loop->file;
  const char *function = prof_names_loop_function(names, prof_frame_loop(names->trace, frame));
  size_t bytes = strlen(file) + strlen(function) + 32;
  char *text = prof_arena_alloc(&names->arena, bytes);
  if (!text)
    return "loop";
  int used = loop->line && file[0] ? snprintf(text, bytes, "loop %s:%u", file, loop->line)
                                   : snprintf(text, bytes, "loop of %s", function);
  if (loop->line && file[0] && loop->name[0])
    snprintf(text + used, bytes - (size_t)used, " (%s)", function);
  return names->shown[frame] = text;
}

/* A zone may have the name of a function. */
static const char *name_zone(struct prof_names *names, uint32_t function, const char *name) {
  const char *suffix = prof_names_is_iteration(names, function) ? PROF_ITERATION_SUFFIX : PROF_ZONE_SUFFIX;
  size_t bytes = strlen(name);
  char *text = prof_arena_alloc(&names->arena, bytes + strlen(suffix) + 1);
  if (!text)
    return name;
  memcpy(text, name, bytes);
  memcpy(text + bytes, suffix, strlen(suffix) + 1);
  return names->shown[function] = text;
}

bool prof_names_is_zone(const struct prof_names *names, uint32_t function) {
  return function < names->function_count && (names->functions[function].flags & PROF_FUNCTION_ZONE);
}

bool prof_names_is_iteration(const struct prof_names *names, uint32_t function) {
  return prof_names_is_zone(names, function) && (names->functions[function].flags & PROF_FUNCTION_ITERATION);
}

const char *prof_names_kind(const struct prof_names *names, uint32_t function) {
  if (!prof_names_is_zone(names, function))
    return NULL;
  return prof_names_is_iteration(names, function) ? "iteration" : "zone";
}

static bool has_flag(const prof_trace *trace, uint32_t flag) {
  size_t count;
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  while (count > 0 && !(functions[count - 1].flags & flag))
    count--;
  return count > 0;
}

bool prof_has_zones(const prof_trace *trace) {
  return has_flag(trace, PROF_FUNCTION_ZONE);
}

bool prof_has_iterations(const prof_trace *trace) {
  return has_flag(trace, PROF_FUNCTION_ITERATION);
}

const char *prof_names_plain(struct prof_names *names, uint32_t function) {
  return prof_names_is_zone(names, function) ? names->functions[function].name : prof_names_function(names, function);
}

void prof_names_call_unknown(struct prof_names *names, const char *text) {
  __atomic_store_n(&names->unknown, text, __ATOMIC_RELAXED); /* a fold in another thread */
}

void prof_names_take_groups(struct prof_names *names, const struct prof_process_groups *groups) {
  names->groups = groups;
}

const char *prof_names_function(struct prof_names *names, uint32_t function) {
  if (names->groups && prof_frame_is_group(function) && function - PROF_FRAME_GROUPS < names->groups->count)
    return names->groups->items[function - PROF_FRAME_GROUPS].title;
  const struct prof_loop *loop = loop_of(names, function);
  const char *unknown = __atomic_load_n(&names->unknown, __ATOMIC_RELAXED);
  if (!loop && function >= names->function_count)
    return unknown ? unknown : "[unknown]";
  if (names->shown[function])
    return names->shown[function];
  if (loop)
    return name_loop(names, function, loop);
  const struct prof_function *it = &names->functions[function];
  if (it->flags & PROF_FUNCTION_ZONE)
    return name_zone(names, function, it->name);
  const char *shown = prof_name_of(it, names->demangle, &names->buffer);
  if (shown != it->name)
    shown = prof_arena_copy(&names->arena, shown, strlen(shown));
  return names->shown[function] = shown ? shown : it->name;
}

/* A Fortran function's name may have its source name behind a blank (wire/row.h). */
static int compare_linkage(const void *left, const void *right) {
  const char *a = *(const char *const *)left, *b = *(const char *const *)right;
  size_t a_bytes = strcspn(a, " "), b_bytes = strcspn(b, " ");
  return memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes) ?: (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

/* Other names don't show their language: Fortran's are those of the trace's functions, so that all views agree. */
static void find_fortran(struct prof_names *names) {
  names->fortran = malloc((names->function_count + 1) * sizeof *names->fortran);
  for (size_t i = 0; names->fortran && i < names->function_count; i++)
    if (names->functions[i].language == PROF_LANGUAGE_FORTRAN)
      names->fortran[names->fortran_count++] = names->functions[i].name;
  if (names->fortran_count)
    qsort(names->fortran, names->fortran_count, sizeof *names->fortran, compare_linkage);
}

/*
 * With debug information Clang makes two functions of a region and inlines one, NAME_debug__, into the other, NAME.
 * PROF_NONE: the name isn't such, or NAME isn't known.
 */
static uint32_t region_around(const struct prof_names *names, const char *linkage_name) {
  size_t bytes = strlen(linkage_name), owner_bytes;
  if (bytes < 8 || strcmp(linkage_name + bytes - 8, "_debug__") != 0 ||
      !prof_name_is_parallel(linkage_name, &owner_bytes))
    return PROF_NONE;
  for (uint32_t i = 0; i < names->function_count; i++)
    if (strlen(names->functions[i].name) == bytes - 8 && memcmp(names->functions[i].name, linkage_name, bytes - 8) == 0)
      return i;
  return PROF_NONE;
}

const char *prof_names_other(struct prof_names *names, const char *linkage_name) {
  uint32_t region = region_around(names, linkage_name);
  if (region != PROF_NONE && names->demangle != PROF_DEMANGLE_NO)
    return prof_names_function(names, region);
  size_t owner_bytes;
  if (prof_name_is_parallel(linkage_name, &owner_bytes)) {
    const struct prof_function other = {.name = linkage_name, .file = ""};
    const char *text = prof_name_of(&other, names->demangle, &names->buffer);
    return prof_arena_copy(&names->arena, text, strlen(text));
  }
  if (!names->fortran)
    find_fortran(names);
  const char **same = names->fortran_count ? bsearch(&linkage_name, names->fortran, names->fortran_count,
                                                     sizeof *names->fortran, compare_linkage)
                                           : NULL;

  const char *shown = same ? prof_name_demangle(*same, PROF_LANGUAGE_FORTRAN, names->demangle, &names->buffer)
                           : prof_name_demangle(linkage_name, PROF_LANGUAGE_UNKNOWN, names->demangle, &names->buffer);
  return prof_arena_copy(&names->arena, shown, strlen(shown));
}

void prof_names_map_paths(struct prof_names *names, const struct prof_path_rule *rules, size_t count) {
  names->rules = rules;
  names->rule_count = count;
}

const char *prof_names_path(struct prof_names *names, const char *path) {
  const char *mapped = prof_path_map(names->rules, names->rule_count, path, &names->arena);
  return mapped ? mapped : path;
}

/* paths[index] by the rules, made at the first request. */
static const char *mapped_path(struct prof_names *names, const char ***paths, size_t count, size_t index,
                               const char *path) {
  if (names->rule_count == 0)
    return path;
  if (!*paths)
    *paths = calloc(count, sizeof **paths);
  if (!*paths)
    return path;
  if (!(*paths)[index])
    (*paths)[index] = prof_names_path(names, path);
  return (*paths)[index];
}

const char *prof_names_file(struct prof_names *names, uint32_t function) {
  const struct prof_loop *loop = loop_of(names, function);
  if (!loop && function >= names->function_count)
    return "";
  return mapped_path(names, &names->files, names->frame_count, function,
                     loop ? loop->file : names->functions[function].file);
}

uint32_t prof_names_line(const struct prof_names *names, uint32_t function) {
  const struct prof_loop *loop = loop_of(names, function);
  return loop ? loop->line : function < names->function_count ? names->functions[function].line : 0;
}

const char *prof_names_module(struct prof_names *names, uint32_t function) {
  const struct prof_loop *loop = loop_of(names, function);
  if (!loop && function >= names->function_count)
    return "";
  uint32_t module = loop ? loop->module : names->functions[function].module;
  return mapped_path(names, &names->module_paths, names->module_count, module, names->modules[module].path);
}

void prof_names_view(struct prof_names *names, const uint8_t *shown, size_t count) {
  bool changed = false;
  for (size_t i = 0; i < count && i < names->function_count; i++)
    if (shown[i] && !__atomic_load_n(&names->in_view[i], __ATOMIC_RELAXED)) {
      __atomic_store_n(&names->in_view[i], 1, __ATOMIC_RELAXED);
      changed = true;
    }
  if (changed)
    __atomic_fetch_add(&names->views, 1, __ATOMIC_RELEASE);
}

/* Without memory all have their plain names. */
static void tell_apart(struct prof_names *names) {
  size_t count = 0;
  struct prof_apart_name *items = calloc(names->function_count + 1, sizeof *items);
  if (!names->apart)
    names->apart = calloc(names->function_count + 1, sizeof *names->apart);
  for (uint32_t i = 0; items && names->apart && i < names->function_count; i++)
    if (__atomic_load_n(&names->in_view[i], __ATOMIC_RELAXED))
      items[count++] = (struct prof_apart_name){.name = prof_names_function(names, i),
                                                .file = prof_names_file(names, i),
                                                .module = prof_names_module(names, i),
                                                .line = prof_names_line(names, i),
                                                .function = i};
  if (count > 0 && prof_apart_fill(items, count, &names->arena))
    for (size_t i = 0; i < count; i++)
      names->apart[items[i].function] = items[i].apart;
  free(items);
}

const char *prof_names_apart(struct prof_names *names, uint32_t function) {
  const uint32_t views = __atomic_load_n(&names->views, __ATOMIC_ACQUIRE);
  if (function >= names->function_count)
    return prof_names_function(names, function);
  if (names->known_views != views) {
    names->known_views = views;
    tell_apart(names);
  }
  return names->apart && names->apart[function] ? names->apart[function] : prof_names_function(names, function);
}

/* The part of a name that the linker knows (wire/row.h). */
static const char *linkage_part(const char *name, uint16_t language, struct prof_name_buffer *buffer) {
  const char *blank = language == PROF_LANGUAGE_FORTRAN ? strchr(name, ' ') : NULL;
  char *text = blank ? prof_name_room(buffer, (size_t)(blank - name) + 1) : NULL;
  if (!text)
    return name;
  memcpy(text, name, (size_t)(blank - name));
  text[blank - name] = 0;
  return text;
}

const char *prof_name_of(const struct prof_function *function, enum prof_demangle demangle,
                         struct prof_name_buffer *buffer) {
  size_t owner_bytes;
  if (function->flags & PROF_FUNCTION_ZONE)
    return function->name;
  if (demangle == PROF_DEMANGLE_NO || !prof_name_is_parallel(function->name, &owner_bytes))
    return prof_name_demangle(function->name, function->language, demangle, buffer);
  char *linkage = strndup(function->name, owner_bytes);
  const char *owner = linkage ? prof_name_demangle(linkage, function->language, demangle, buffer) : function->name;
  size_t bytes = strlen(owner) + strlen(function->file) + PROF_PARALLEL_BYTES;
  char *text = malloc(bytes);
  if (text)
    prof_name_parallel_write(text, bytes, owner, function->file, function->line);
  char *room = text ? prof_name_room(buffer, bytes) : NULL;
  if (room)
    memcpy(room, text, strlen(text) + 1);
  free(text);
  free(linkage);
  return room ? room : function->name;
}

const char *prof_name_demangle(const char *name, uint16_t language, enum prof_demangle demangle,
                               struct prof_name_buffer *buffer) {
  if (demangle == PROF_DEMANGLE_NO)
    return linkage_part(name, language, buffer);
  char *shown = prof_name_full(name, language, buffer);
  if (!shown)
    return name;
  if (demangle == PROF_DEMANGLE_SHORT && strncmp(name, "_Z", 2) == 0)
    prof_name_shorten(shown);
  else if (demangle == PROF_DEMANGLE_SHORT && strncmp(name, "_D", 2) == 0)
    prof_name_cut_parameters(shown);
  return shown;
}
