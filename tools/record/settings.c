/*
 * tools/record/settings.c - see settings.h.
 */
#include "record/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { KEYS = 9 };

/* Joins words, a NUL after each.  NULL: no memory. */
static char *join(char *const *words, int count, size_t *bytes) {
  *bytes = 0;
  for (int i = 0; i < count; i++)
    *bytes += strlen(words[i]) + 1;
  char *text = malloc(*bytes + 1), *to = text;
  for (int i = 0; text != NULL && i < count; i++)
    to = (char *)mempcpy(to, words[i], strlen(words[i]) + 1);
  return text;
}

static void find_processor(char *out, size_t out_bytes) {
  FILE *file = fopen("/proc/cpuinfo", "re");
  char *line = NULL;
  size_t size = 0;
  *out = 0;
  while (file != NULL && *out == 0 && getline(&line, &size, file) > 0) {
    char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && value != NULL) {
      value += 1 + strspn(value + 1, " ");
      value[strcspn(value, "\n")] = 0;
      snprintf(out, out_bytes, "%s, %ld cores", value, sysconf(_SC_NPROCESSORS_ONLN));
    }
  }
  free(line);
  if (file != NULL)
    fclose(file);
}

void prof_settings_write(prof_writer *writer, char *const *arguments, int argument_count, char *const *words,
                         int word_count, double budget, const struct prof_rank *rank) {
  char directory[PATH_MAX], processor[256], system[512] = "", rank_number[16], overhead[32];
  struct utsname names;
  struct prof_setting_record settings[KEYS];
  uint32_t count = 0;
  size_t command_bytes, option_bytes;
  char *command = join(arguments, argument_count, &command_bytes), *options = join(words, word_count, &option_bytes);
  if (command != NULL)
    settings[count++] = (struct prof_setting_record){"command", {command, command_bytes}};
  if (getcwd(directory, sizeof directory) != NULL)
    settings[count++] = (struct prof_setting_record){"directory", prof_span(directory)};
  if (uname(&names) == 0) {
    snprintf(system, sizeof system, "%s %s %s", names.sysname, names.release, names.machine);
    settings[count++] = (struct prof_setting_record){"host", prof_span(names.nodename)};
    settings[count++] = (struct prof_setting_record){"system", prof_span(system)};
  }
  find_processor(processor, sizeof processor);
  settings[count++] = (struct prof_setting_record){"cpu", prof_span(processor)};
  settings[count++] = (struct prof_setting_record){"prof", prof_span(PROF_VERSION)};
  if (options != NULL && option_bytes > 0)
    settings[count++] = (struct prof_setting_record){"options", {options, option_bytes}};
  if (budget > 0) {
    snprintf(overhead, sizeof overhead, "%g%%", budget * 100);
    settings[count++] = (struct prof_setting_record){"overhead", prof_span(overhead)};
  }
  if (rank->there) {
    snprintf(rank_number, sizeof rank_number, "%u", rank->number);
    settings[count++] = (struct prof_setting_record){"rank", prof_span(rank_number)};
  }
  (void)prof_writer_settings(writer, settings, count);
  free(command);
  free(options);
}
