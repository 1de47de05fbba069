/*
 * test_perf_records.c - the kernel's records, made by hand: whole ones, damaged ones, and in a buffer across its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "proftrace_samples.h"
#include "record/sampling/perf_rings.h"

#if defined(__x86_64__)

enum { STACK = 64, REGISTERS = 17, PAGE = 4096, RING = 1024 };

struct body {
  uint8_t bytes[PROF_PERF_RECORD_BYTES];
  uint32_t count;
};

static void put(struct body *body, const void *bytes, size_t count) {
  memcpy(body->bytes + body->count, bytes, count);
  body->count += (uint32_t)count;
}

static void put_u64(struct body *body, uint64_t value) {
  put(body, &value, sizeof value);
}

static void put_u32s(struct body *body, uint32_t first, uint32_t second) {
  put(body, (uint32_t[]){first, second}, 8);
}

/* Register number n of the kernel's order has the value 1000 + n. */
static void put_sample(struct body *body, uint64_t width, uint64_t stack_bytes, uint64_t valid) {
  body->count = 0;
  put_u64(body, 0x401234);
  put_u32s(body, 7, 8);
  put_u64(body, 123456789);
  put_u64(body, 1003009);
  put_u64(body, width);
  for (uint64_t i = 0; i < REGISTERS && width != 0; i++)
    put_u64(body, 1000 + i);
  put_u64(body, stack_bytes);
  for (uint64_t i = 0; i < stack_bytes && i < STACK; i++)
    put(body, &(uint8_t){(uint8_t)(i * 3)}, 1);
  if (stack_bytes != 0)
    put_u64(body, valid);
}

static struct prof_perf_layout with_stacks(void) {
  return (struct prof_perf_layout){.register_mask = PROF_PERF_STACK_REGISTERS, .stack_bytes = 8192};
}

/* Decodes a copy of just so many bytes: a sanitizer sees a read beyond them. */
static bool decode(struct prof_perf_layout *layout, const struct body *body, uint32_t bytes, uint32_t type,
                   uint16_t misc, struct prof_unwind_sample *stack, struct prof_perf_record *out) {
  const struct perf_event_header head = {type, misc, (uint16_t)(bytes + sizeof head)};
  uint8_t *copy = malloc(bytes + (bytes == 0));
  assert_non_null(copy);
  memcpy(copy, body->bytes, bytes);
  *out = (struct prof_perf_record){.path = ""};
  bool good = prof_perf_decode(layout, &head, copy, bytes, stack, out);
  if (good && out->stack != NULL)
    for (size_t i = 0; i < stack->stack_bytes; i++)
      assert_int_equal(stack->stack[i], (uint8_t)(i * 3));
  if (good)
    assert_in_range(strlen(out->path), 0, bytes);
  free(copy);
  return good;
}

static void a_sample_has_registers_and_a_stack(void **state) {
  (void)state;
  static struct body body;
  struct prof_perf_layout layout = with_stacks();
  struct prof_unwind_sample stack;
  struct prof_perf_record record;
  put_sample(&body, PERF_SAMPLE_REGS_ABI_64, STACK, 40);
  assert_true(decode(&layout, &body, body.count, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &stack, &record));
  assert_int_equal(record.kind, PROF_PERF_SAMPLE);
  assert_int_equal(record.address, 0x401234);
  assert_int_equal(record.tid, 8);
  assert_ptr_equal(record.stack, &stack);
  assert_int_equal(stack.stack_bytes, 40);
  /* The kernel has AX BX CX DX SI DI BP SP IP R8 ... R15; DWARF has RAX RDX RCX RBX RSI RDI RBP RSP R8 ... R15 PC. */
  static const uint64_t kernels[REGISTERS] = {0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8};
  for (size_t i = 0; i < REGISTERS; i++)
    assert_int_equal(stack.registers[i], 1000 + kernels[i]);
  assert_true(decode(&layout, &body, body.count, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &stack, &record));
  assert_int_equal(record.flags, PROF_SAMPLE_KERNEL);
  assert_int_equal(record.address, 1008); /* where the program entered it */
}

/* With counters each record has its event's id: a sample first, others last. */
static void samples_of_counters_have_an_id(void **state) {
  (void)state;
  static struct body body, plain;
  const struct prof_perf_counter events[] = {{.id = 5, .counter = 1}, {.id = 900, .counter = 0}};
  struct prof_perf_layout layout = with_stacks();
  struct prof_unwind_sample stack;
  struct prof_perf_record record;
  layout.identified = true;
  layout.counters = events;
  layout.counter_count = 2;
  for (uint64_t id = 5; id <= 6; id++) { /* 6: the ordinary sampler, with all registers and a stack */
    body.count = 0;
    put_u64(&body, id);
    if (id == 6) {
      put_sample(&plain, PERF_SAMPLE_REGS_ABI_64, STACK, 40);
      put(&body, plain.bytes, plain.count);
    } else {
      put_u64(&body, 0x401234);
      put_u32s(&body, 7, 8);
      put_u64(&body, 123456789);
      put_u64(&body, 4242);
      put_u64(&body, PERF_SAMPLE_REGS_ABI_64);
      put_u64(&body, 0x409999);
    }
    assert_true(decode(&layout, &body, body.count, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &stack, &record));
    assert_int_equal(record.kind, id == 6 ? PROF_PERF_SAMPLE : PROF_PERF_COUNTED);
    assert_int_equal(record.tid, 8);
    if (id == 5)
      assert_true(record.counter == 1 && record.weight == 4242 && record.address == 0x409999 && record.stack == NULL);
    else
      assert_int_equal(record.address, 1008);
    assert_int_equal(record.flags, PROF_SAMPLE_KERNEL);
  }
  for (uint32_t bytes = 0; bytes < 8 + 32; bytes++)
    assert_false(decode(&layout, &body, bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &stack, &record));
  body.count = 0; /* a switch: pid, tid, time, id */
  put_u32s(&body, 7, 8);
  put_u64(&body, 555);
  put_u64(&body, 900);
  assert_true(decode(&layout, &body, body.count, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, &stack, &record));
  assert_true(record.kind == PROF_PERF_SWITCH && record.tid == 8 && record.time_ns == 555);
}

static void what_the_kernel_leaves_out_is_not_there(void **state) {
  (void)state;
  static struct body body;
  static const struct {
    uint64_t width, bytes, valid;
  } cases[] = {
      {PERF_SAMPLE_REGS_ABI_NONE, STACK, STACK},     /* a kernel's thread */
      {PERF_SAMPLE_REGS_ABI_32, STACK, STACK},       /* not a program of this kind */
      {PERF_SAMPLE_REGS_ABI_64, 0, 0},               /* no memory there */
      {PERF_SAMPLE_REGS_ABI_64, STACK, STACK + 1},   /* damaged */
      {PERF_SAMPLE_REGS_ABI_64, STACK * 2, 8},       /* longer than the record */
      {PERF_SAMPLE_REGS_ABI_64, UINT64_MAX - 7, 8},  /* ... */
      {PERF_SAMPLE_REGS_ABI_64, 1ull << 63, 1 << 20} /* ... */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_perf_layout layout = with_stacks();
    struct prof_unwind_sample stack;
    struct prof_perf_record record;
    put_sample(&body, cases[i].width, cases[i].bytes, cases[i].valid);
    assert_true(decode(&layout, &body, body.count, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &stack, &record));
    assert_int_equal(record.address, 0x401234);
    assert_null(record.stack);
  }
}

static void a_sample_may_end_anywhere(void **state) {
  (void)state;
  static struct body body;
  put_sample(&body, PERF_SAMPLE_REGS_ABI_64, STACK, STACK);
  for (uint32_t bytes = 0; bytes <= body.count; bytes++) {
    struct prof_perf_layout layout = with_stacks();
    struct prof_unwind_sample stack;
    struct prof_perf_record record;
    bool good = decode(&layout, &body, bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &stack, &record);
    assert_int_equal(good, bytes >= 32);
    assert_int_equal(good && record.stack != NULL, bytes == body.count);
  }
}

/* A whole sample with some bytes changed, as any kind of record, of any length. */
static void any_bytes_are_survived(void **state) {
  (void)state;
  static struct body body;
  uint64_t random = 1;
  uint32_t samples = 0;
  for (int round = 0; round < 50000; round++) {
    struct prof_perf_layout layout = with_stacks();
    struct prof_unwind_sample stack;
    struct prof_perf_record record;
    put_sample(&body, PERF_SAMPLE_REGS_ABI_64, STACK, STACK / 2);
    random = random * 6364136223846793005u + 1442695040888963407u;
    for (uint64_t i = 0; i < random >> 62; i++) /* not in the stack's bytes: they are compared */
      body.bytes[(random >> (8 + 8 * i)) % 184] = (uint8_t)(random >> (32 + 8 * i));
    uint32_t bytes = random & 64 ? body.count : (uint32_t)((random >> 40) % (body.count + 1));
    uint32_t type = random & 128 ? PERF_RECORD_SAMPLE : (uint32_t)((random >> 50) % PERF_RECORD_MAX);
    if (decode(&layout, &body, bytes, type, (uint16_t)(random >> 20), &stack, &record))
      samples += record.stack != NULL;
  }
  assert_in_range(samples, 1000, 40000);
}

static void without_stacks_only_the_place_is_read(void **state) {
  (void)state;
  static struct body body;
  struct prof_perf_layout layout = {.register_mask = PROF_PERF_PLACE_REGISTER, .extra_ns = 1003009};
  struct prof_unwind_sample stack;
  struct prof_perf_record record;
  put_sample(&body, PERF_SAMPLE_REGS_ABI_64, 0, 0);
  assert_true(decode(&layout, &body, 48, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &stack, &record));
  assert_int_equal(record.address, 1000); /* the only one */
  assert_int_equal(record.flags, PROF_SAMPLE_KERNEL | PROF_SAMPLE_EXTRA);
  assert_null(record.stack);
  put_sample(&body, PERF_SAMPLE_REGS_ABI_NONE, 0, 0);
  assert_true(decode(&layout, &body, 40, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, &stack, &record));
  assert_int_equal(record.address, 0);
}

/* pid, tid and time, as each record but samples ends. */
static void put_id(struct body *body) {
  put_u32s(body, 7, 8);
  put_u64(body, 99);
}

static void other_records_are_read(void **state) {
  (void)state;
  static struct body body;
  struct prof_perf_layout layout = with_stacks();
  struct prof_unwind_sample stack;
  struct prof_perf_record record;
  body.count = 0;
  put_u32s(&body, 21, 7);
  put_u32s(&body, 22, 8);
  put_u64(&body, 1);
  put_id(&body);
  assert_true(decode(&layout, &body, body.count, PERF_RECORD_FORK, 0, &stack, &record));
  assert_int_equal(record.pid, 21);
  assert_int_equal(record.parent_pid, 7);
  assert_int_equal(record.tid, 22);
  body.count = 0;
  put_u32s(&body, 7, 8);
  for (uint64_t i = 0; i < 3; i++)
    put_u64(&body, 0x1000 * (i + 1));
  put_u32s(&body, 8, 1);
  put_u64(&body, 55);
  put_u64(&body, 0);
  put_u32s(&body, 5, 2);
  put(&body, "/bin/a\0", 8);
  put_id(&body);
  layout.lost = 0;
  assert_true(decode(&layout, &body, body.count, PERF_RECORD_MMAP2, 0, &stack, &record));
  assert_int_equal(record.address, 0x1000);
  assert_int_equal(record.bytes, 0x2000);
  assert_int_equal(record.offset, 0x3000);
  assert_int_equal(record.device, makedev(8, 1));
  assert_int_equal(record.inode, 55);
  for (uint32_t bytes = 0; bytes < body.count; bytes++)
    (void)decode(&layout, &body, bytes, PERF_RECORD_MMAP2, 0, &stack, &record);
  body.count = 0;
  put_u64(&body, 1);
  put_u64(&body, 12);
  put_id(&body);
  assert_false(decode(&layout, &body, body.count, PERF_RECORD_LOST, 0, &stack, &record));
  assert_int_equal(layout.lost, 12);
}

static uint32_t taken;
static void take(void *context, const struct prof_perf_record *record) {
  assert_ptr_equal(context, &taken);
  assert_int_equal(record->processor, 3);
  assert_int_equal(record->pid, 7);
  assert_non_null(record->stack);
  for (size_t i = 0; i < record->stack->stack_bytes; i++)
    assert_int_equal(record->stack->stack[i], (uint8_t)(i * 3));
  taken++;
}

static void records_go_across_the_end(void **state) {
  (void)state;
  static struct body body;
  put_sample(&body, PERF_SAMPLE_REGS_ABI_64, STACK, STACK);
  const struct perf_event_header head = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
                                         (uint16_t)(body.count + sizeof head)};
  struct prof_perf perf = {.page_bytes = PAGE, .layout = with_stacks()};
  struct prof_perf_ring ring = {.fd = -1, .extra = -1, .data_bytes = RING, .processor = 2};
  struct perf_event_mmap_page *page = ring.base = calloc(1, PAGE + RING);
  assert_non_null(page);
  uint8_t *data = (uint8_t *)ring.base + PAGE;
  assert_true(prof_vec_push(&perf.rings, ring));
  for (uint32_t round = 0; round < 100; round++) { /* each record begins elsewhere */
    for (uint32_t i = 0; i < head.size; i++)
      data[(page->data_head + i) % RING] = i < sizeof head ? ((const uint8_t *)&head)[i] : body.bytes[i - sizeof head];
    page->data_head += head.size;
    assert_int_equal(prof_perf_waiting(&perf), 1);
    prof_perf_drain(&perf, take, &taken);
    assert_int_equal(taken, round + 1);
    assert_int_equal(page->data_tail, page->data_head);
  }
  prof_vec_fini(&perf.rings);
  free(page);
}

#else
static void a_sample_has_registers_and_a_stack(void **state) {
  (void)state;
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_sample_has_registers_and_a_stack),
#if defined(__x86_64__)
    cmocka_unit_test(samples_of_counters_have_an_id),
    cmocka_unit_test(what_the_kernel_leaves_out_is_not_there),
    cmocka_unit_test(any_bytes_are_survived),
    cmocka_unit_test(a_sample_may_end_anywhere),
    cmocka_unit_test(without_stacks_only_the_place_is_read),
    cmocka_unit_test(other_records_are_read),
    cmocka_unit_test(records_go_across_the_end),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
