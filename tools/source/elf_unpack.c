/*
 * tools/source/elf_unpack.c - see elf_unpack.h.
 *
 * Source: the ELF gABI, "Section Compression"; libelf as in elfutils 0.188.
 */
#include "source/elf_unpack.h"

#include <elf.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
  KIND_ZSTD = 2,      /* ELFCOMPRESS_ZSTD, which older <elf.h> lack */
  MOST_RATIO = 1032,  /* of deflate; debug sections shrink to a third or a tenth */
  OLD_HEADER = 4 + 8, /* "ZLIB" and a big-endian size */
};

static bool plausible(uint64_t size, uint64_t packed) {
  return size / MOST_RATIO <= packed;
}

static bool unpack_zstd(const Elf_Data *raw, const GElf_Chdr *header, void **bytes, size_t *size) {
  if (raw->d_size < sizeof(Elf64_Chdr) || (*bytes = malloc(header->ch_size + 1)) == NULL)
    return false;
  size_t got = ZSTD_decompress(*bytes, header->ch_size, (const char *)raw->d_buf + sizeof(Elf64_Chdr),
                               raw->d_size - sizeof(Elf64_Chdr));
  if (ZSTD_isError(got) != 0 || got != header->ch_size) {
    free(*bytes);
    *bytes = NULL;
    return false;
  }
  *size = got;
  return true;
}

bool prof_elf_unpack(Elf_Scn *section, void **bytes, size_t *size) {
  *bytes = NULL;
  GElf_Chdr header;
  Elf_Data *raw = elf_rawdata(section, NULL);
  if (raw == NULL || raw->d_buf == NULL || gelf_getchdr(section, &header) == NULL ||
      !plausible(header.ch_size, raw->d_size))
    return false;
  return header.ch_type == KIND_ZSTD ? unpack_zstd(raw, &header, bytes, size) : elf_compress(section, 0, 0) >= 0;
}

bool prof_elf_unpack_old(Elf_Scn *section) {
  Elf_Data *raw = elf_rawdata(section, NULL);
  if (raw == NULL || raw->d_buf == NULL || raw->d_size < OLD_HEADER)
    return false;
  if (memcmp(raw->d_buf, "ZLIB", 4) != 0) /* unpacked before */
    return true;
  uint64_t size = 0;
  for (int i = 4; i < OLD_HEADER; i++)
    size = size << 8 | ((const uint8_t *)raw->d_buf)[i];
  return plausible(size, raw->d_size) && elf_compress_gnu(section, 0, 0) >= 0;
}
