/*
 * tools/record/keep/kept_functions.c - see kept_functions.h.
 */
#include "record/keep/kept_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "row.h"

static const struct {
  const char *key, *name; /* of the option */
  uint16_t flag;          /* where a pattern matches, */
  uint8_t else_flag;      /* or where none does */
} rows[PROF_KEPT_FLAGS] = {
    [PROF_KEPT_ONLY] = {"only", "-F", PROF_FILTER_ONLY, 0},
    [PROF_KEPT_WITHOUT] = {"without", "-N", PROF_FILTER_WITHOUT, 0},
    [PROF_KEPT_UNDER] = {"only-under", "--only-under", PROF_FILTER_UNDER, 0},
    [PROF_KEPT_FILE] = {"file", "--file", 0, PROF_FILTER_ELSEWHERE},
    [PROF_KEPT_MODULE] = {"module", "--module", 0, PROF_FILTER_ELSEWHERE},
    [PROF_KEPT_CALLER] = {"caller", "--caller", PROF_FILTER_CALLER, 0},
    [PROF_KEPT_START] = {"start-at", "--start-at", PROF_KEEP_START, 0},
    [PROF_KEPT_STOP] = {"stop-at", "--stop-at", PROF_KEEP_STOP, 0},
    [PROF_KEPT_WATCH] = {"", "--snapshot-if", PROF_KEEP_WATCH, 0},
    [PROF_KEPT_ARGS] = {"", "--args", PROF_KEEP_ARGS, 0},
    [PROF_KEPT_RET] = {"", "--ret", PROF_KEEP_RET, 0},
};

bool prof_kept_wanted(const struct prof_kept_wish *wish) {
  bool any = wish->depth > 0 || wish->min_ns > 0 || wish->slow_ns > 0;
  for (int i = 0; i < PROF_KEPT_WATCH; i++)
    any |= wish->patterns[i].count > 0;
  return any;
}

bool prof_kept_has_values(const struct prof_kept_wish *wish) {
  return wish->patterns[PROF_KEPT_ARGS].count + wish->patterns[PROF_KEPT_RET].count > 0;
}

bool prof_kept_has_triggers(const struct prof_kept *kept) {
  const struct prof_kept_wish *wish = kept->wish;
  return wish != NULL && wish->patterns[PROF_KEPT_START].count + wish->patterns[PROF_KEPT_STOP].count > 0;
}

/* The rules of kept->wish, as far as no function is needed. */
static bool make_rules(struct prof_kept *kept) {
  const struct prof_kept_wish *wish = kept->wish;
  kept->rules.rule.depth = wish->depth;
  for (int flag = 0; flag < PROF_KEPT_FLAGS; flag++) {
    const struct prof_kept_patterns *patterns = &wish->patterns[flag];
    if (patterns->count > 0) {
      kept->rules.rule.wants |= (uint8_t)(rows[flag].flag & (PROF_FILTER_ONLY | PROF_FILTER_UNDER));
      kept->rules.unknown |= rows[flag].else_flag;
      kept->rules.by_caller |= flag == PROF_KEPT_CALLER;
    }
    for (size_t i = 0; i < patterns->count; i++) {
      struct prof_kept_pattern pattern = {.flag = (enum prof_kept_flag)flag, .text = patterns->items[i]};
      prof_near_miss_init(&pattern.near, pattern.text);
      if (!prof_vec_push(&kept->patterns, pattern))
        return false;
    }
  }
  return true;
}

bool prof_kept_begin(struct prof_kept *kept, const struct prof_kept_wish *wish) {
  *kept = (struct prof_kept){.on = wish != NULL && prof_kept_wanted(wish), .wish = wish};
  if (wish == NULL)
    return true;
  kept->rules.off = wish->patterns[PROF_KEPT_START].count > 0;
  return make_rules(kept);
}

/* ---- a changed wish ---- */

static const char time_keys[][16] = {"time-filter", "slower-than"};

static void take_field(struct prof_kept *kept, char *field, char *text) {
  struct prof_kept_wish *wish = &kept->changed;
  char *value = strchr(field, '=');
  size_t used = strlen(text);
  if (value == NULL)
    return;
  *value++ = 0;
  for (int flag = 0; flag < PROF_KEPT_START; flag++) {
    if (strcmp(rows[flag].key, field) != 0 || wish->patterns[flag].count == PROF_KEPT_MOST)
      continue;
    kept->texts[flag][wish->patterns[flag].count++] = value;
    wish->patterns[flag].items = kept->texts[flag];
    snprintf(text + used, PROF_KEPT_TEXT_BYTES - used, "%s%s %s", used > 0 ? " " : "", rows[flag].name, value);
    return;
  }
  uint64_t number = strtoull(value, NULL, 10);
  const char *unit = "ns";
  if (strcmp(field, "depth") == 0) {
    wish->depth = (uint32_t)number;
    unit = "";
  } else if (strcmp(field, time_keys[0]) == 0) {
    wish->min_ns = number;
  } else if (strcmp(field, time_keys[1]) == 0) {
    wish->slow_ns = number;
  } else {
    return;
  }
  snprintf(text + used, PROF_KEPT_TEXT_BYTES - used, "%s--%s %llu%s", used > 0 ? " " : "", field,
           (unsigned long long)number, unit);
}

bool prof_kept_change(struct prof_kept *kept, const char *fields, char text[PROF_KEPT_TEXT_BYTES]) {
  char *rest = kept->text, *field;
  bool off = kept->rules.off;
  uint32_t switches = kept->rules.switches;
  const struct prof_kept_wish *before = kept->wish;
  struct prof_kept_wish wish = {.watch_ns = before != NULL ? before->watch_ns : 0};
  for (int flag = PROF_KEPT_WATCH; before != NULL && flag < PROF_KEPT_FLAGS; flag++)
    wish.patterns[flag] = before->patterns[flag];
  kept->changed = wish;
  kept->wish = &kept->changed;
  kept->patterns.count = kept->flags.count = 0;
  kept->told = false;
  kept->rules = (struct prof_keep_rules){.off = off, .switches = switches};
  snprintf(kept->text, sizeof kept->text, "%s", fields);
  text[0] = 0;
  while ((field = strsep(&rest, "\x1f")) != NULL)
    take_field(kept, field, text);
  kept->on = prof_kept_wanted(kept->wish);
  return make_rules(kept);
}

void prof_kept_fini(struct prof_kept *kept) {
  prof_vec_fini(&kept->flags);
  prof_vec_fini(&kept->patterns);
  prof_name_forms_free(&kept->forms);
}

static uint64_t ticks_of(uint64_t ns, uint64_t frequency_hz) {
  uint64_t ticks = (uint64_t)((double)ns * (double)frequency_hz / 1e9);
  return ns > 0 && ticks == 0 ? 1 : ticks;
}

void prof_kept_clock(struct prof_kept *kept, uint64_t frequency_hz) {
  if (kept->wish == NULL || frequency_hz == 0)
    return;
  kept->watch.ticks = ticks_of(kept->wish->watch_ns, frequency_hz);
  kept->rules.least_ticks = ticks_of(kept->wish->min_ns, frequency_hz);
  kept->rules.slow_ticks = ticks_of(kept->wish->slow_ns, frequency_hz);
}

/* Notes the near names of those that don't match. */
static bool matches(struct prof_kept *kept, struct prof_kept_pattern *pattern, const struct prof_function *function,
                    const char *module, uint16_t values) {
  bool of_place = pattern->flag == PROF_KEPT_FILE || pattern->flag == PROF_KEPT_MODULE;
  const char *path = pattern->flag == PROF_KEPT_FILE ? function->file : module;
  bool fits = of_place ? path[0] != 0 && prof_path_matches(path, pattern->text)
                       : prof_name_forms_match(&kept->forms, pattern->text);
  uint16_t value = rows[pattern->flag].flag & (PROF_KEEP_ARGS | PROF_KEEP_RET);
  if (value != 0 && function->flags & PROF_FUNCTION_ZONE) /* it has neither, and may have a function's name */
    return false;
  bool bare = fits && value != 0 && !(values & value);
  pattern->met |= fits && !bare;
  pattern->bare |= bare;
  pattern->unvalued |= bare && values == 0;
  if (!pattern->met && !of_place)
    prof_name_forms_offer(&kept->forms, &pattern->near);
  else if (!pattern->met)
    prof_near_miss_offer(&pattern->near, strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
  return fits;
}

static bool make_room(struct prof_kept *kept, uint32_t number) {
  size_t before = kept->flags.count;
  if (number < before)
    return true;
  if (!prof_vec_reserve(&kept->flags, number + 1 - before))
    return false;
  memset(kept->flags.items + before, 0,
         (number + 1 - before) * sizeof *kept->flags.items); /* loops, which have none of their own */
  kept->flags.count = (size_t)number + 1;
  return true;
}

static uint16_t flag_of_value(uint32_t kind) {
  return kind & PROF_ROW_RETURNED ? PROF_KEEP_RET : PROF_KEEP_ARGS;
}

/* Neither its calls nor that it lies between two others changes what is kept. */
static bool is_never_kept(const struct prof_kept *kept, uint16_t flags) {
  const struct prof_filter_rule *rule = &kept->rules.rule;
  bool alone = rule->depth == 1 && rule->wants == PROF_FILTER_ONLY && kept->wish->slow_ns == 0;
  return kept->may_be_quiet && (flags == PROF_FILTER_ELSEWHERE || (flags == 0 && alone));
}

void prof_kept_function(struct prof_kept *kept, uint32_t number, const struct prof_function *function,
                        const char *module, uint16_t values) {
  if (kept->patterns.count == 0 || !make_room(kept, number) || !prof_name_forms_make(&kept->forms, function, module))
    return;
  bool fits[PROF_KEPT_FLAGS] = {0};
  uint16_t flags = 0;
  for (size_t i = 0; i < kept->patterns.count; i++)
    fits[kept->patterns.items[i].flag] |= matches(kept, &kept->patterns.items[i], function, module, values);
  for (int flag = 0; flag < PROF_KEPT_FLAGS; flag++)
    if (kept->wish->patterns[flag].count > 0)
      flags |= fits[flag] ? rows[flag].flag : rows[flag].else_flag;
  kept->flags.items[number] = (uint16_t)(flags | (is_never_kept(kept, flags) ? PROF_KEEP_QUIET : 0));
  kept->rules.flags = kept->flags.items;
  kept->rules.flag_count = (uint32_t)kept->flags.count;
}

void prof_kept_quiet_loop(struct prof_kept *kept, uint32_t number) {
  if (!make_room(kept, number)) /* its exit may count as unmatched */
    return;
  kept->flags.items[number] |= PROF_KEEP_QUIET;
  kept->rules.flags = kept->flags.items;
  kept->rules.flag_count = (uint32_t)kept->flags.count;
}

/* By function: which values it has sleds for; NULL: no memory. */
static uint16_t *values_of(const struct prof_elf_module *file) {
  uint16_t *values = calloc((size_t)file->function_count + 1, sizeof *values);
  for (uint32_t i = 0; values != NULL && i < file->site_count; i++)
    if ((file->sites[i].kind & PROF_ROW_KIND_MASK) == PROF_PROBE_VALUE &&
        file->sites[i].function != PROF_ELF_NO_FUNCTION)
      values[file->sites[i].function] |= flag_of_value(file->sites[i].kind);
  return values;
}

void prof_kept_module(struct prof_kept *kept, uint32_t first, const struct prof_elf_module *file, const char *path) {
  uint16_t *values = kept->patterns.count > 0 ? values_of(file) : NULL;
  for (uint32_t i = 0; i < file->function_count && kept->patterns.count > 0; i++) {
    const struct prof_elf_function *from = &file->functions[i];
    prof_kept_function(kept, first + i,
                       &(struct prof_function){.name = from->name,
                                               .file = from->file,
                                               .line = from->line,
                                               .flags = from->flags,
                                               .language = from->language},
                       path, values != NULL ? values[i] : 0);
  }
  free(values);
}

uint32_t prof_kept_site(const struct prof_kept *kept, uint32_t first, uint32_t function, uint32_t kind) {
  uint32_t probe = kind & PROF_ROW_KIND_MASK, number = first + function; /* MAYBE of a loop's exit stays */
  bool known = function != PROF_MATCHER_NO_FUNCTION;
  uint16_t flags = known && kept != NULL && number < kept->flags.count ? kept->flags.items[number] : 0;
  if (probe == PROF_PROBE_VALUE)
    return flags & flag_of_value(kind) ? number | PROF_MATCHER_OF_CALL : PROF_MATCHER_NO_VALUE;
  if (!known)
    return PROF_MATCHER_NO_FUNCTION;
  return number | (probe == PROF_PROBE_EXIT && (flags & PROF_KEEP_WATCH) ? PROF_MATCHER_WATCHED : 0);
}

/* Why no value is recorded.  A function with one kind of values was compiled with them, and lacks the other kind. */
static void bare_text(const struct prof_kept_pattern *unmet, const char *pattern, char *text, size_t text_bytes) {
  const char *lacks = unmet->flag == PROF_KEPT_RET ? "returns nothing" : "has no argument";
  if (unmet->unvalued)
    snprintf(text, text_bytes,
             "%s %s: it was not compiled with -fplugin-arg-prof-values=%s, or %s that can be recorded",
             rows[unmet->flag].name, pattern, pattern, lacks);
  else
    snprintf(text, text_bytes, "%s %s: it %s that can be recorded", rows[unmet->flag].name, pattern, lacks);
}

bool prof_kept_unmet(struct prof_kept *kept, char *text, size_t text_bytes) {
  char near[256], pattern[128];
  size_t i = 0;
  while (i < kept->patterns.count && kept->patterns.items[i].met)
    i++;
  if (kept->told || i == kept->patterns.count)
    return false;
  kept->told = true;
  const struct prof_kept_pattern *unmet = &kept->patterns.items[i];
  prof_near_miss_text(&unmet->near, near, sizeof near);
  prof_text_escape(pattern, sizeof pattern, unmet->text, strlen(unmet->text));
  if (unmet->bare) {
    bare_text(unmet, pattern, text, text_bytes);
    return true;
  }
  snprintf(text, text_bytes, "%s %s: no function of the program has such a %s; %s", rows[unmet->flag].name, pattern,
           unmet->flag == PROF_KEPT_FILE     ? "file"
           : unmet->flag == PROF_KEPT_MODULE ? "module"
                                             : "name",
           near[0] != 0 ? near : "patterns are globs on the whole name: try '*part*'");
  return true;
}
