/* x86_64/emit.h - writes instructions into memory.  A struct code has the address of the next one. */
#ifndef PROF_RUNTIME_X86_64_EMIT_H
#define PROF_RUNTIME_X86_64_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct code {
  uint8_t *at;
};

static inline void put(struct code *code, const void *bytes, size_t count) {
  memcpy(code->at, bytes, count);
  code->at += count;
}
#define PUT(code, ...) put(code, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static inline void put_u32(struct code *code, uint32_t value) {
  put(code, &value, sizeof value);
}

static inline void put_displacement(struct code *code, const uint8_t *target) {
  put_u32(code, (uint32_t)(target - (code->at + 4)));
}

/* <opcode> disp32(base), %destination, 64 bits wide or 32; base: number in an instruction. */
static inline void put_memory(struct code *code, bool wide, uint8_t opcode, uint8_t destination, uint8_t base,
                              int32_t offset) {
  uint8_t rex = (uint8_t)((wide ? 0x48 : 0x40) | (base >= 8));
  if (rex != 0x40)
    put(code, &rex, 1);
  PUT(code, opcode, (uint8_t)(0x80 | destination << 3 | (base & 7)));
  if ((base & 7) == 4)
    PUT(code, 0x24);
  put_u32(code, (uint32_t)offset);
}

#define OPCODE_LOAD 0x8b
#define OPCODE_LEA 0x8d
#define RAX 0
#define RCX 1
#define RDX 2
#define RSP 4

#endif
