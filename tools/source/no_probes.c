/*
 * tools/source/no_probes.c - see no_probes.h.
 */
#include "source/no_probes.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/plain_file.h"
#include "source/elf_file.h"
#include "source/facts.h"
#include "source/symbols.h"
#include "source/unprobed.h"
#include "version.h"

static const struct prof_no_probes_text texts[] = {
    [PROF_PROBES_THERE] = {"has probes, but they were never switched on",
                           "look for a message of the runtime above; `prof config` shows what is installed"},
    [PROF_NO_PROBES_UNREADABLE] = {"can't be read to find out why it left no events",
                                   "make it readable, or record a copy of your own"},
    [PROF_NO_PROBES_SCRIPT] = {"is a script, and nothing that it ran has probes",
                               "record a program that was compiled with -fplugin=prof.so"},
    [PROF_NO_PROBES_FOREIGN] = {"is no program for this machine that could have probes",
                                "compile it for this machine with -fplugin=prof.so"},
    [PROF_NO_PROBES_OTHER_VERSION] =
        {"was compiled with the plugin of another version of prof",
         "compile it again with the plugin that belongs to this prof (`prof config --cflags`)"},
    [PROF_NO_PROBES_LTO] = {"has no probes: it was compiled with -flto and linked without the plugin",
                            "give -fplugin=prof.so to the link step too"},
    [PROF_NO_PROBES_NOTHING_SELECTED] = {"was compiled with the plugin, but no function was chosen for a probe",
                                         "look at include=, exclude=, min-statements= and probe=; "
                                         "-fplugin-arg-prof-list=FILE lists skipped functions and why"},
    [PROF_NO_PROBES_NOT_COMPILED] = {"has no probes: it was not compiled with the plugin",
                                     "compile it with -fplugin=prof.so (`prof config --cflags`)"},
    [PROF_NO_PROBES_LIBRARY] =
        {"was compiled with -finstrument-functions; its calls reached libprof too late or not at all",
         "link it with -lprof, or record it with LD_PRELOAD=libprof.so.1"},
    [PROF_NO_PROBES_STATIC] = {"has probes, but is a static program without prof's runtime in it",
                               "link it dynamically, or link the runtime's archive into it (`prof config --static`)"},
};

struct prof_no_probes_text prof_no_probes_text(enum prof_no_probes reason) {
  return texts[reason];
}

static bool begins_as_script(const char *path) {
  char begin[2];
  int fd = prof_plain_file_open(path, NULL);
  bool script = fd >= 0 && read(fd, begin, sizeof begin) == sizeof begin && memcmp(begin, "#!", sizeof begin) == 0;
  if (fd >= 0)
    close(fd);
  return script;
}

static bool has_unit_fact(struct prof_elf *file) {
  struct prof_elf_section facts;
  if (!prof_elf_section(file, PROF_FACTS_SECTION, &facts))
    return false;
  struct prof_fact_walk walk = prof_fact_walk_begin(facts.bytes, facts.size);
  for (struct prof_fact_view view; prof_fact_walk_next(&walk, &view);)
    if (view.kind == PROF_FACT_UNIT)
      return true;
  return false;
}

static enum prof_no_probes examine(struct prof_elf *file) {
  struct prof_elf_section rows;
  if (prof_elf_section(file, PROF_ROWS_SECTION, &rows) && rows.size > 0)
    return prof_elf_is_dynamic(file) ? PROF_PROBES_THERE : PROF_NO_PROBES_STATIC;
  if (prof_elf_has_prefix(file, PROF_ROWS_PREFIX))
    return PROF_NO_PROBES_OTHER_VERSION;
  struct prof_elf_unprobed unprobed;
  prof_elf_unprobed_read(file, &unprobed);
  if (unprobed.units > 0)
    return PROF_NO_PROBES_LTO;
  if (prof_elf_has_symbol(file, PROF_HOOK_SYMBOL, false))
    return PROF_NO_PROBES_LIBRARY;
  return has_unit_fact(file) ? PROF_NO_PROBES_NOTHING_SELECTED : PROF_NO_PROBES_NOT_COMPILED;
}

enum prof_no_probes prof_no_probes_find(const char *path) {
  if (access(path, R_OK) != 0)
    return PROF_NO_PROBES_UNREADABLE;
  if (begins_as_script(path))
    return PROF_NO_PROBES_SCRIPT;
  struct prof_elf *file;
  if (prof_elf_open(path, NULL, &file) != PROF_OK)
    return PROF_NO_PROBES_FOREIGN;
  enum prof_no_probes reason = examine(file);
  prof_elf_close(file);
  return reason;
}
