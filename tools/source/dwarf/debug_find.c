/*
 * tools/source/dwarf/debug_find.c - see debug_find.h.
 *
 * Source: "Debugging Information in Separate Files" in GDB's manual; the dwz manual page.
 */
#include "source/dwarf/debug_find.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/plain_file.h"
#include "source/bytes.h"
#include "source/dwarf/dwarf_file.h"

static bool id_path(char out[PATH_MAX], const char *root, const struct prof_build_id *id) {
  if (id->count < 2)
    return false;
  char digits[2 * PROF_BUILD_ID_BYTES + 1];
  for (uint32_t i = 0; i < id->count; i++)
    snprintf(digits + (size_t)i * 2, 3, "%02x", id->bytes[i]);
  return snprintf(out, PATH_MAX, "%s/.build-id/%.2s/%s.debug", root, digits, digits + 2) < PATH_MAX;
}

static bool has_id(struct prof_elf *elf, const struct prof_build_id *id) {
  struct prof_build_id own = {0};
  own.count = prof_elf_build_id(elf, own.bytes);
  return own.count == id->count && memcmp(own.bytes, id->bytes, id->count) == 0;
}

static struct prof_elf *open_with_id(const char *path, const struct prof_build_id *id) {
  struct prof_elf *elf;
  if (prof_elf_open(path, NULL, &elf) != PROF_OK)
    return NULL;
  if (has_id(elf, id) && prof_dwarf_file_has_info(elf, false))
    return elf;
  prof_elf_close(elf);
  return NULL;
}

struct prof_elf *prof_debug_find_by_id(const char *const *roots, const struct prof_build_id *id) {
  char path[PATH_MAX];
  for (struct prof_elf *elf; *roots != NULL; roots++)
    if (id_path(path, *roots, id) && (elf = open_with_id(path, id)) != NULL)
      return elf;
  return NULL;
}

/* The checksum of a whole file; false: unreadable. */
static bool checksum(const char *path, uint32_t *out) {
  static const size_t part_bytes = 1 << 16;
  int fd = prof_plain_file_open(path, NULL);
  uint8_t *part = fd < 0 ? NULL : malloc(part_bytes);
  uLong sum = crc32(0, NULL, 0);
  ssize_t got = -1;
  while (part != NULL && (got = read(fd, part, part_bytes)) > 0)
    sum = crc32(sum, part, (uInt)got);
  free(part);
  if (fd >= 0)
    close(fd);
  *out = (uint32_t)sum;
  return got == 0;
}

static struct prof_elf *open_linked(const char *path, const char *module_path, uint32_t wanted) {
  struct prof_elf *elf;
  uint32_t sum;
  if (strcmp(path, module_path) == 0 || prof_elf_open(path, NULL, &elf) != PROF_OK)
    return NULL;
  if (prof_dwarf_file_has_info(elf, false) && checksum(path, &sum) && sum == wanted)
    return elf;
  prof_elf_close(elf);
  return NULL;
}

struct prof_elf *prof_debug_find_by_link(const char *const *roots, struct prof_elf *module) {
  struct prof_elf_section section;
  if (!prof_elf_section(module, ".gnu_debuglink", &section))
    return NULL;
  struct prof_bytes bytes = prof_bytes_from(section.bytes, section.size, 0);
  const char *name = prof_bytes_text(&bytes);
  if (name == NULL || *name == 0 || strchr(name, '/') != NULL)
    return NULL;
  prof_bytes_skip(&bytes, -(uint64_t)(bytes.at - section.bytes) & 3);
  uint32_t wanted = prof_bytes_u32(&bytes);
  const char *module_path = prof_elf_path(module), *slash = strrchr(module_path, '/');
  int folder = slash == NULL ? 1 : (int)(slash - module_path) + 1;
  const char *from = slash == NULL ? "." : module_path, *between = slash == NULL ? "/" : "";
  struct prof_elf *elf = NULL;
  char path[PATH_MAX];
  if (bytes.bad)
    return NULL;
  if (snprintf(path, sizeof path, "%.*s%s%s", folder, from, between, name) < PATH_MAX)
    elf = open_linked(path, module_path, wanted);
  if (elf == NULL && snprintf(path, sizeof path, "%.*s%s.debug/%s", folder, from, between, name) < PATH_MAX)
    elf = open_linked(path, module_path, wanted);
  for (; elf == NULL && *roots != NULL && module_path[0] == '/'; roots++)
    if (snprintf(path, sizeof path, "%s%.*s%s", *roots, folder, from, name) < PATH_MAX)
      elf = open_linked(path, module_path, wanted);
  return elf;
}

struct prof_elf *prof_debug_find_alternate(const char *const *roots, struct prof_elf *debug, bool *named) {
  struct prof_elf_section section;
  *named = false;
  if (!prof_elf_section(debug, ".gnu_debugaltlink", &section))
    return NULL;
  struct prof_bytes bytes = prof_bytes_from(section.bytes, section.size, 0);
  const char *name = prof_bytes_text(&bytes);
  if (name == NULL || *name == 0)
    return NULL;
  *named = true;
  struct prof_build_id id = {.count = (uint32_t)prof_bytes_left(&bytes)};
  if (prof_bytes_left(&bytes) > sizeof id.bytes || id.count == 0)
    return NULL;
  memcpy(id.bytes, bytes.at, id.count);
  const char *debug_path = prof_elf_path(debug), *slash = strrchr(debug_path, '/');
  int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - debug_path) + 1;
  char path[PATH_MAX];
  struct prof_elf *elf = NULL;
  if (snprintf(path, sizeof path, "%.*s%s", folder, debug_path, name) < PATH_MAX)
    elf = open_with_id(path, &id);
  return elf != NULL ? elf : prof_debug_find_by_id(roots, &id);
}
