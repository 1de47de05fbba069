/*
 * tools/record/sampling/perf_records.c - see perf_records.h.
 */
#include "record/sampling/perf_records.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "base/order.h"
#include "proftrace_samples.h"

struct sample_id { /* the end of each record except samples */
  uint32_t pid, tid;
  uint64_t time;
};
struct task { /* FORK, EXIT */
  uint32_t pid, ppid, tid, ptid;
};
struct map { /* MMAP2 */
  uint32_t pid, tid;
  uint64_t address, bytes, offset;
  uint32_t major, minor;
  uint64_t inode, generation;
  uint32_t protection, flags;
};
struct name { /* COMM: the name with its NUL, padded to a multiple of 8 */
  uint32_t pid, tid;
  char text[16];
};
struct sample {
  uint64_t address;
  uint32_t pid, tid;
  uint64_t time, period;
  /* then, where asked for: width, registers if that isn't 0; bytes of stack, the stack and its valid bytes if not 0 */
};

union body {
  struct task task;
  struct map map;
  struct name name;
  struct {
    uint64_t id, count;
  } lost;
};

/* What is left of a record. */
struct rest {
  const uint8_t *at, *end;
};

static bool take_u64(struct rest *rest, uint64_t *out) {
  if ((size_t)(rest->end - rest->at) < sizeof *out)
    return false;
  memcpy(out, rest->at, sizeof *out);
  rest->at += sizeof *out;
  return true;
}

#if defined(__x86_64__)
/* DWARF's number of each register; in the kernel's order. */
static const uint8_t dwarf_numbers[] = {
    [PERF_REG_X86_AX] = PROF_FRAME_RAX,     [PERF_REG_X86_BX] = PROF_FRAME_RBX,
    [PERF_REG_X86_CX] = PROF_FRAME_RCX,     [PERF_REG_X86_DX] = PROF_FRAME_RDX,
    [PERF_REG_X86_SI] = PROF_FRAME_RSI,     [PERF_REG_X86_DI] = PROF_FRAME_RDI,
    [PERF_REG_X86_BP] = PROF_FRAME_RBP,     [PERF_REG_X86_SP] = PROF_FRAME_RSP,
    [PERF_REG_X86_IP] = PROF_FRAME_PC,      [PERF_REG_X86_R8] = PROF_FRAME_R8,
    [PERF_REG_X86_R9] = PROF_FRAME_R8 + 1,  [PERF_REG_X86_R10] = PROF_FRAME_R8 + 2,
    [PERF_REG_X86_R11] = PROF_FRAME_R8 + 3, [PERF_REG_X86_R12] = PROF_FRAME_R8 + 4,
    [PERF_REG_X86_R13] = PROF_FRAME_R8 + 5, [PERF_REG_X86_R14] = PROF_FRAME_R8 + 6,
    [PERF_REG_X86_R15] = PROF_FRAME_R8 + 7,
};
#else
static const uint8_t dwarf_numbers[64];
#endif

/* Registers of the mask, into their places of `registers` by DWARF number.  false: the kernel has none. */
static bool take_registers(struct rest *rest, uint64_t mask, uint64_t registers[PROF_FRAME_REGISTERS]) {
  uint64_t width;
  if (mask == 0 || !take_u64(rest, &width) || width != PERF_SAMPLE_REGS_ABI_64)
    return false;
  for (uint64_t left = mask; left != 0; left &= left - 1)
    if (!take_u64(rest, &registers[dwarf_numbers[__builtin_ctzll(left)]]))
      return false;
  return true;
}

static bool take_stack(struct rest *rest, struct prof_unwind_sample *stack) {
  uint64_t bytes, valid;
  if (!take_u64(rest, &bytes) || bytes == 0 || bytes > (size_t)(rest->end - rest->at))
    return false;
  stack->stack = rest->at;
  rest->at += bytes;
  if (!take_u64(rest, &valid) || valid > bytes)
    return false;
  stack->stack_bytes = valid;
  return true;
}

/* The counter with that id; UINT32_MAX: it is another event. */
static uint32_t counter_of(const struct prof_perf_counter *events, size_t count, uint64_t id) {
  size_t at = prof_search(0, count, i, events[i].id < id);
  return at < count && events[at].id == id ? events[at].counter : UINT32_MAX;
}

static bool decode_sample(const struct prof_perf_layout *layout, const struct perf_event_header *head,
                          const uint8_t *body, uint32_t bytes, struct prof_unwind_sample *stack,
                          struct prof_perf_record *out) {
  struct sample fields;
  uint64_t id = 0;
  struct rest rest = {body, body + bytes};
  if (layout->identified && !take_u64(&rest, &id))
    return false;
  body = rest.at;
  if ((size_t)(rest.end - body) < sizeof fields)
    return false;
  rest.at += sizeof fields;
  memcpy(&fields, body, sizeof fields);
  bool is_kernel = (head->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  *stack = (struct prof_unwind_sample){0};
  uint32_t counter = layout->identified ? counter_of(layout->counters, layout->counter_count, id) : UINT32_MAX;
  bool counts = counter != UINT32_MAX;
  bool has_registers =
      take_registers(&rest, counts ? PROF_PERF_PLACE_REGISTER : layout->register_mask, stack->registers);
  out->kind = counts ? PROF_PERF_COUNTED : PROF_PERF_SAMPLE;
  out->counter = counter;
  out->weight = fields.period;
  out->pid = fields.pid;
  out->tid = fields.tid;
  out->time_ns = fields.time;
  out->address = !is_kernel ? fields.address : has_registers ? stack->registers[PROF_FRAME_PC] : 0;
  out->flags = is_kernel ? PROF_SAMPLE_KERNEL : 0;
  if (counts)
    return true;
  if (layout->extra_ns != 0 && fields.period == layout->extra_ns)
    out->flags |= PROF_SAMPLE_EXTRA;
  if (layout->stack_bytes > 0 && has_registers && take_stack(&rest, stack))
    out->stack = stack;
  return true;
}

bool prof_perf_decode(struct prof_perf_layout *layout, const struct perf_event_header *head, const uint8_t *body,
                      uint32_t bytes, struct prof_unwind_sample *stack, struct prof_perf_record *out) {
  union body fields = {0};
  struct sample_id id = {0};
  if (head->type == PERF_RECORD_SAMPLE)
    return decode_sample(layout, head, body, bytes, stack, out);
  if (layout->identified) /* the event's id comes last */
    bytes -= bytes < sizeof(uint64_t) ? bytes : (uint32_t)sizeof(uint64_t);
  memcpy(&fields, body, bytes < sizeof fields ? bytes : sizeof fields);
  if (bytes >= sizeof id)
    memcpy(&id, body + bytes - sizeof id, sizeof id);
  out->pid = id.pid;
  out->tid = id.tid;
  out->time_ns = id.time;
  switch (head->type) {
  case PERF_RECORD_SWITCH:
    out->kind = PROF_PERF_SWITCH;
    out->flags = !(head->misc & PERF_RECORD_MISC_SWITCH_OUT)        ? PROF_SWITCH_ON
                 : head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? PROF_SWITCH_PREEMPTED
                                                                    : PROF_SWITCH_WAITS;
    return bytes >= sizeof id;
  case PERF_RECORD_MMAP2:
    out->kind = PROF_PERF_MAP;
    out->address = fields.map.address;
    out->bytes = fields.map.bytes;
    out->offset = fields.map.offset;
    out->device = fields.map.inode != 0 ? makedev(fields.map.major, fields.map.minor) : 0;
    out->inode = fields.map.inode;
    out->path = (const char *)body + sizeof fields.map; /* ends in NUL before the id */
    return bytes > sizeof fields.map + sizeof id && memchr(out->path, 0, bytes - sizeof fields.map) != NULL;
  case PERF_RECORD_COMM:
    out->kind = head->misc & PERF_RECORD_MISC_COMM_EXEC ? PROF_PERF_EXEC : PROF_PERF_NAME;
    out->pid = fields.name.pid; /* another thread may set this one's name */
    out->tid = fields.name.tid;
    memcpy(out->name, fields.name.text, sizeof out->name);
    out->name[sizeof out->name - 1] = 0;
    return bytes >= offsetof(struct name, text) + sizeof id;
  case PERF_RECORD_FORK:
  case PERF_RECORD_EXIT:
    out->kind = head->type == PERF_RECORD_FORK ? PROF_PERF_FORK : PROF_PERF_EXIT;
    out->pid = fields.task.pid;
    out->tid = fields.task.tid;
    out->parent_pid = fields.task.ppid;
    return bytes >= sizeof fields.task + sizeof id;
  case PERF_RECORD_LOST:
    layout->lost += fields.lost.count;
    return false;
  case PERF_RECORD_THROTTLE:
    layout->throttled++;
    return false;
  default:
    return false;
  }
}
