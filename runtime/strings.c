/*
 * strings.c - arguments and returned values that are texts: their bytes become events (wire/point.h).
 *
 * The address is the program's, and may be any: the system reads it for us, and fails where there is no memory.
 * Signals are blocked, so that no handler's events come between those of a text.  That takes longer than many a call:
 * so it is a wait (STALL_BEGIN to STALL_END), which no reader takes for the program's time.
 */
#include "strings.h"

#include <sys/uio.h>

#include "point.h"
#include "ring.h"
#include "slow_path.h"
#include "state.h"
#include "system.h"

enum { WORD_BYTES = 8, TEXT_ROOM = PROF_POINT_TEXT_BYTES + 2 }; /* one more byte tells that a text is longer */
static const char ellipsis[] = "\xe2\x80\xa6";

/* Reads as far as the pages go. */
static long bytes_read(uint64_t address, char text[TEXT_ROOM]) {
  uint64_t in_page = prof_page_align(address + 1) - address, first = in_page < TEXT_ROOM ? in_page : TEXT_ROOM;
  const struct iovec to = {text, TEXT_ROOM}, from[2] = {{(void *)(uintptr_t)address, first},
                                                        {(void *)(uintptr_t)(address + first), TEXT_ROOM - first}};
  long pid = prof_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
  return prof_syscall(SYS_process_vm_readv, pid, (long)&to, 1, (long)from, 2, 0);
}

/* A character of several bytes is not cut.  Returns the bytes that are left. */
static int cut(char text[TEXT_ROOM]) {
  int end = PROF_POINT_TEXT_BYTES - (int)(sizeof ellipsis - 1);
  while (end > 0 && (text[end] & 0xc0) == 0x80)
    end--;
  for (int i = 0; i < (int)sizeof ellipsis; i++)
    text[end + i] = ellipsis[i];
  return end + (int)(sizeof ellipsis - 1);
}

/* Bytes of the text, up to its zero or the end of the memory; zeros follow it.  -1: there is no memory. */
static int text_read(uint64_t address, char text[TEXT_ROOM]) {
  long got = bytes_read(address, text);
  int bytes = 0;
  if (got <= 0)
    return -1;
  while (bytes < got && text[bytes])
    bytes++;
  if (bytes > PROF_POINT_TEXT_BYTES)
    bytes = cut(text);
  for (int i = bytes; i < TEXT_ROOM; i++)
    text[i] = 0;
  return bytes;
}

static void event_write(uint32_t kind) {
  uint64_t time;
  struct prof_event *event = prof_slots_take(sizeof *event, &time);
  if (event)
    prof_event_store(event, time, prof_event_what(0, kind), 0);
}

static bool word_write(uint32_t site, uint64_t word) {
  uint64_t time;
  struct prof_event *event = prof_slots_take(sizeof *event, &time);
  if (!event)
    return false;
  prof_event_store(event, word | PROF_EVENT_VALUE_BIT, prof_event_what(site, PROF_EVENT_POINT_VALUE),
                   (uint32_t)(word >> 63));
  return true;
}

static void text_write(uint32_t site, const char *text, int bytes) {
  uint64_t word;
  for (int at = 0; at <= bytes; at += WORD_BYTES) {
    __builtin_memcpy(&word, text + at, sizeof word);
    if (!word_write(site, word))
      return;
  }
}

void prof_string_value(uint64_t address, uint32_t site) {
  char text[TEXT_ROOM];
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON)
    return;
  event_write(PROF_EVENT_STALL_BEGIN);
  uint64_t mask = prof_signals_block();
  int bytes = address ? text_read(address, text) : -1;
  if (bytes >= 0)
    text_write(site, text, bytes);
  else
    (void)word_write(site, address ? PROF_POINT_TEXT_BAD : PROF_POINT_TEXT_NULL);
  event_write(PROF_EVENT_STALL_END);
  prof_signals_restore(mask);
}
