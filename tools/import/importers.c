/*
 * tools/import/importers.c - the table of formats, and a file read by the right one.
 */
#include "import/importers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plain_file.h"

extern const struct prof_importer prof_importer_callgrind;
extern const struct prof_importer prof_importer_perf;
extern const struct prof_importer prof_importer_folded;

const struct prof_importer *const prof_importers[] = {
    &prof_importer_callgrind,
    &prof_importer_perf,
    &prof_importer_folded,
    NULL,
};

/* Files that are no text, and what makes one of them. */
static const struct {
  const char *magic;
  const char *what, *remedy;
} others[] = {
    {"PERFILE2", "this is perf's own file, not a text", "perf script -i FILE > perf.txt, and give perf.txt"},
    {"\x1f\x8b", "the file is compressed", "unpack it first: gzip -d"},
    {"\x28\xb5\x2f\xfd", "the file is compressed", "unpack it first: zstd -d"},
    {"\xfd"
     "7zXZ",
     "the file is compressed", "unpack it first: xz -d"},
    {"BZh", "the file is compressed", "unpack it first: bzip2 -d"},
};

static prof_status find(const char *head, size_t bytes, const char *path, struct prof_diag *diag,
                        const struct prof_importer **out) {
  if (bytes == 0)
    return prof_diag_fill(diag, PROF_EMPTY, path, PROF_NO_OFFSET, "make it again", "the file is empty");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (bytes >= strlen(others[i].magic) && !memcmp(head, others[i].magic, strlen(others[i].magic)))
      return prof_diag_fill(diag, PROF_NOT_A_TRACE, path, PROF_NO_OFFSET, others[i].remedy, "%s", others[i].what);
  const char *end = memchr(head, '\n', bytes);
  if (!memchr(head, 0, end ? (size_t)(end - head) : bytes))
    for (size_t i = 0; prof_importers[i]; i++)
      if (prof_importers[i]->looks_like(head, bytes)) {
        *out = prof_importers[i];
        return PROF_OK;
      }
  return prof_diag_fill(diag, PROF_NOT_A_TRACE, path, PROF_NO_OFFSET,
                        "give a recording, text of perf script, folded stacks, or a file of callgrind",
                        "no format that prof knows");
}

prof_status prof_import_open_file(int fd, const char *path, const struct prof_importer *importer, const char *event,
                                  struct prof_diag *diag, struct prof_path_sums *out) {
  struct prof_text_lines lines;
  const char *head;
  size_t bytes;
  prof_text_lines_init(&lines, fd, path);
  prof_status status = prof_text_lines_head(&lines, &head, &bytes, diag);
  if (status == PROF_OK && !importer)
    status = find(head, bytes, path, diag, &importer);
  if (status == PROF_OK && !prof_path_sums_init(out))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    out->format = importer->name;
    status = event && !importer->has_events
                 ? prof_diag_fill(diag, PROF_USAGE, path, PROF_NO_OFFSET, "leave out the event",
                                  "files of format %s have no events", importer->name)
                 : importer->read(&lines, event, out, diag);
    if (status != PROF_OK)
      prof_path_sums_fini(out);
  }
  prof_text_lines_fini(&lines);
  return status;
}

prof_status prof_import_file(const char *path, const struct prof_importer *importer, const char *event,
                             struct prof_diag *diag, struct prof_path_sums *out) {
  int fd = prof_plain_file_open(path, NULL);
  if (fd < 0)
    return errno == EINVAL ? prof_diag_fill(diag, PROF_NOT_A_TRACE, path, PROF_NO_OFFSET, "give a file on a disk",
                                            "this is not a plain file")
                           : prof_diag_system(diag, errno, path, "cannot open the profile", "check the path");
  prof_status status = prof_import_open_file(fd, path, importer, event, diag, out);
  close(fd);
  return status;
}

prof_status prof_import_no_event(const char *path, const char *wanted, const struct prof_path_sums *paths,
                                 struct prof_diag *diag) {
  char remedy[200] = "choose one of: ";
  size_t used = strlen(remedy);
  for (size_t i = 0; i < paths->events.count && used < sizeof remedy; i++)
    used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s", i ? ", " : "", paths->events.items[i].name);
  return prof_diag_fill(diag, PROF_USAGE, path, PROF_NO_OFFSET, remedy, "the file has no event %.60s", wanted);
}

const struct prof_importer *prof_importer_of(const struct prof_path_sums *paths) {
  for (size_t i = 0; paths->format && prof_importers[i]; i++)
    if (!strcmp(prof_importers[i]->name, paths->format))
      return prof_importers[i];
  return NULL;
}
