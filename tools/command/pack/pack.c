/*
 * tools/command/pack/pack.c - `prof pack`: puts the lines and sources that readers need into the trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/command.h"
#include "command/gpu/gpu_programs.h"
#include "command/options/common.h"
#include "command/reader.h"
#include "command/symbols_warn.h"
#include "pack_lines.h"
#include "pack_roots.h"
#include "study/source_text.h"
#include "study/symbols.h"
#include "trace/write/write_pack.h"
#include "view/units.h"

struct settings {
  struct prof_common common;
  bool no_sources;
  struct prof_texts folders; /* --sources */
};

struct packing {
  const struct settings *settings;
  const struct prof_reader *reader;
  struct prof_symbols *symbols;
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_pack_files files; /* that lines name */
  struct prof_pack_roots roots; /* folders whose sources may be packed */
  struct prof_gpu_programs *programs;
  prof_writer *writer;
  size_t own_files; /* the first of `files`: of instrumented modules and kernels */
  size_t modules, sources, missing;
  const char *first_missing;
};

static prof_status check(const struct packing *packing, struct prof_diag *diag) {
  const struct prof_trace_info *info = prof_trace_info(packing->reader->recording.trace);
  if (info->in_progress)
    return prof_diag_fill(diag, PROF_USAGE, info->path, PROF_NO_OFFSET, "wait until prof record has ended",
                          "the recording is in progress");
  if (prof_trace_is_packed(packing->reader->recording.trace))
    return prof_diag_fill(diag, PROF_USAGE, info->path, PROF_NO_OFFSET, NULL, "the recording was packed before");
  return PROF_OK;
}

/* A library without debug information is not counted; only the reason is packed. */
static bool has_lines(const struct prof_packed_lines *packed) {
  bool found = packed->extent_count > 0;
  for (uint32_t i = 0; i < packed->frame_count && !found; i++)
    found = packed->frames[i].file != NULL;
  return found;
}

static prof_status pack_modules(struct packing *packing, bool probed, struct prof_diag *diag) {
  size_t count;
  const struct prof_module *modules = prof_trace_modules(packing->reader->recording.trace, &count);
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < count && status == PROF_OK; i++) {
    struct prof_pack_lines lines;
    if ((modules[i].site_count > 0) != probed)
      continue;
    status =
        prof_pack_lines_make(packing->symbols, packing->profile, packing->samples, i, &packing->files, diag, &lines);
    if (status == PROF_OK && lines.packed.address_count + lines.packed.extent_count > 0) {
      status = prof_writer_packed_lines(packing->writer, modules[i].number, &lines.packed);
      packing->modules += has_lines(&lines.packed);
    }
    prof_pack_lines_free(&lines);
  }
  return status;
}

/* Adds the source files of samples in kernels; the recording's GPU programs have their lines. */
static prof_status add_kernel_sources(struct packing *packing, struct prof_diag *diag) {
  const struct prof_reader *reader = packing->reader;
  packing->programs = prof_gpu_programs_new(reader);
  if (packing->programs == NULL)
    return prof_diag_memory(diag);
  struct prof_gpu_line_source source = prof_gpu_programs_raw_source(packing->programs);
  struct prof_gpu_line_rows rows = {0};
  prof_status status = prof_gpu_lines_rank(reader->recording.trace, &reader->recording.filter, reader->recording.names,
                                           &source, diag, &rows);
  for (size_t i = 0; i < rows.count && status == PROF_OK; i++)
    if (rows.rows[i].line > 0 && !prof_pack_files_add(&packing->files, rows.rows[i].file))
      status = prof_diag_memory(diag);
  prof_gpu_lines_free(&rows);
  return status == PROF_EMPTY ? PROF_OK : status;
}

/* Adds the folders of the recording, its instrumented programs, the user and the system's headers. */
static bool find_roots(struct packing *packing) {
  static const char *const headers[] = {"/usr/include", "/usr/lib", "/usr/local/include", "/usr/src", "/usr/share"};
  const struct settings *settings = packing->settings;
  const prof_trace *trace = packing->reader->recording.trace;
  struct prof_pack_roots *roots = &packing->roots;
  const char *directory = prof_trace_setting(trace, "directory", NULL);
  bool good = directory == NULL || prof_pack_roots_add_build(roots, directory);
  size_t count;
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  for (size_t i = 0; i < count && good; i++) {
    const char *path = prof_names_path(packing->reader->recording.names, modules[i].path), *slash = strrchr(path, '/');
    char *folder = slash != NULL && modules[i].site_count > 0 ? strndup(path, (size_t)(slash - path)) : NULL;
    good = folder == NULL || prof_pack_roots_add_build(roots, folder);
    free(folder);
  }
  for (size_t i = 0; i < sizeof headers / sizeof *headers && good; i++)
    good = prof_pack_roots_add_listed(roots, headers[i]);
  for (size_t i = 0; i < settings->folders.count && good; i++)
    good = prof_pack_roots_add_listed(roots, settings->folders.items[i]);
  for (size_t i = 0; i < settings->common.path_rule_count && good; i++)
    good = prof_pack_roots_add_build(roots, settings->common.path_rules[i].to);
  return good;
}

static bool may_be_packed(struct packing *packing, const char *path, const struct prof_source_text *text) {
  return text->bytes != NULL && prof_pack_roots_accept(&packing->roots, path, text->real);
}

/* Sources of uninstrumented libraries are usually absent: no warning. */
static prof_status pack_sources(struct packing *packing, struct prof_diag *diag) {
  prof_status status = find_roots(packing) ? PROF_OK : prof_diag_memory(diag);
  for (size_t i = 0; i < packing->files.list.count && status == PROF_OK; i++) {
    const char *path = packing->files.list.items[i];
    struct prof_source_text text;
    status = prof_source_text_read(packing->symbols, prof_names_path(packing->reader->recording.names, path), INT64_MAX,
                                   diag, &text);
    if (status != PROF_OK)
      return status;
    if (text.bytes == NULL && i < packing->own_files && packing->missing++ == 0)
      packing->first_missing = path;
    struct prof_packed_source source = {path, text.changed, text.bytes, text.byte_count};
    if (may_be_packed(packing, path, &text)) {
      packing->sources++;
      status = prof_writer_packed_source(packing->writer, &source);
    }
    prof_source_text_free(&text);
  }
  return status;
}

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/* Prints what was packed, and what was not. */
static void tell(const struct packing *packing, uint64_t bytes) {
  char size[PROF_UNITS_BYTES];
  fprintf(stderr, "prof: packed the lines of %zu %s and %zu source%s: %s\n", packing->modules,
          packing->modules == 1 ? "program or library" : "programs and libraries", packing->sources,
          plural(packing->sources), prof_units_bytes(size, bytes));
  for (size_t i = 0; i < packing->roots.list.count; i++) {
    const struct prof_pack_root *root = &packing->roots.list.items[i];
    char path[512];
    prof_text_escape(path, sizeof path, root->path, strlen(root->path));
    if (root->files > 0)
      fprintf(stderr, "prof: %zu source%s %s %s\n", root->files, plural(root->files), root->flat ? "in" : "below",
              path);
  }
  if (packing->roots.refused)
    fprintf(stderr,
            "prof: refused %zu source%s outside of the folders of the build (%s%s)\n  --sources=DIR packs those below "
            "DIR\n",
            packing->roots.refused, plural(packing->roots.refused), packing->roots.first_refused,
            packing->roots.refused == 1 ? "" : ", ...");
  if (packing->missing) {
    char path[512];
    prof_text_escape(path, sizeof path, packing->first_missing, strlen(packing->first_missing));
    fprintf(stderr, "prof: %zu source%s not found (%s%s); if they lie elsewhere: --path-map=OLD=NEW\n",
            packing->missing, packing->missing == 1 ? " was" : "s were", path, packing->missing == 1 ? "" : ", ...");
  }
}

static prof_status pack(struct packing *packing, struct prof_diag *diag) {
  prof_status status = check(packing, diag);
  if (status == PROF_OK)
    status = prof_symbols_new(&packing->reader->recording, diag, &packing->symbols);
  if (status == PROF_OK)
    status = prof_reader_fold_samples(packing->reader, true, &packing->profile, &packing->samples, diag);
  if (status == PROF_OK)
    status = prof_writer_append_to(prof_trace_info(packing->reader->recording.trace)->path,
                                   prof_trace_lacks_bytes(packing->reader->recording.trace), diag, &packing->writer);
  if (status != PROF_OK)
    return status;
  uint64_t before = prof_writer_bytes(packing->writer);
  status = pack_modules(packing, true, diag);
  if (status == PROF_OK && !packing->settings->no_sources)
    status = add_kernel_sources(packing, diag);
  packing->own_files = packing->files.list.count;
  if (status == PROF_OK)
    status = pack_modules(packing, false, diag);
  if (status == PROF_OK && !packing->settings->no_sources)
    status = pack_sources(packing, diag);
  uint64_t bytes = prof_writer_bytes(packing->writer) - before;
  prof_status closed = prof_writer_close(packing->writer, diag);
  if (status != PROF_OK || closed != PROF_OK)
    return closed != PROF_OK ? closed : status;
  tell(packing, bytes);
  prof_symbols_warn(packing->symbols);
  return PROF_OK;
}

static prof_status show(void *settings, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct packing packing = {.settings = settings, .reader = reader};
  ((struct settings *)settings)->common.max_memory = 0; /* keeps cold paths, whose lines are packed too */
  prof_status status = pack(&packing, diag);
  (void)result;
  prof_pack_files_fini(&packing.files);
  prof_pack_roots_fini(&packing.roots);
  prof_samples_free(packing.samples);
  prof_profile_free(packing.profile);
  prof_symbols_free(packing.symbols);
  prof_gpu_programs_free(packing.programs);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_INPUT("the recording to pack (default: prof.data)"),
    {"sources", 0, "DIR", "pack sources below DIR too, besides those of the build; may be repeated", PROF_OPTION_TEXTS,
     IN(folders)},
    {"no-sources", 0, NULL, "pack lines only, not the text of the sources", PROF_OPTION_FLAG, IN(no_sources)},
    PROF_COMMON_PATH_MAP,
    {0},
};

const struct prof_command prof_command_pack = {
    .name = "pack",
    .summary = "Put lines and sources into the recording, so that it can be read elsewhere",
    .group = "Export",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
