/*
 * prof_nvtx.h - for programs that are marked by NVTX: records their ranges and marks, as zones, spans and marks of
 * prof.h.  Nothing of NVTX is loaded or linked.
 *
 * Include it before NVTX's headers: -include prof_nvtx.h on the compiler's command line is enough.  It includes
 * nvToolsExt.h itself, for its types, and gives its functions other names; PROF_NVTX_HEADER says where it is if not at
 * <nvtx3/nvToolsExt.h> or <nvToolsExt.h>.  Without the header it defines nothing.  nvtx3.hpp may follow.  C and C++.
 * What becomes of each function: prof-marks(3).
 */
#ifndef PROF_NVTX_H
#define PROF_NVTX_H

#include "prof.h"

#ifdef PROF_NVTX_HEADER
#define PROF_NVTX_FOUND 1
#elif defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define PROF_NVTX_HEADER <nvtx3/nvToolsExt.h>
#define PROF_NVTX_FOUND 1
#elif __has_include(<nvToolsExt.h>)
#define PROF_NVTX_HEADER <nvToolsExt.h>
#define PROF_NVTX_FOUND 1
#endif
#endif

#if PROF_HAS_ZONES && defined(PROF_NVTX_FOUND)
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include PROF_NVTX_HEADER

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_NVTX_INLINE_ PROF_NO_PROBE __attribute__((always_inline, unused)) static __inline__
#define PROF_NVTX_COLD_ PROF_NO_PROBE __attribute__((noinline, cold, unused)) static
#define PROF_NVTX_SHARED_ __attribute__((weak, visibility("hidden")))

enum { PROF_NVTX_BYTES_ = 224, PROF_NVTX_UNTRACKED_ = -2 };
extern long prof_nvtx_syscall_(long, ...) __asm__("syscall");

/* ---- texts ---- */

/* UTF-8, cut. */
PROF_NVTX_COLD_ const char *prof_nvtx_narrow_(char *out, const wchar_t *wide) {
  unsigned at = 0;
  for (; wide && *wide && at < PROF_NVTX_BYTES_ - 4; wide++) {
    const unsigned code = (unsigned)*wide;
    if (code < 0x80) {
      out[at++] = (char)code;
    } else if (code < 0x800) {
      out[at++] = (char)(0xc0 | code >> 6);
      out[at++] = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      out[at++] = (char)(0xe0 | code >> 12);
      out[at++] = (char)(0x80 | (code >> 6 & 0x3f));
      out[at++] = (char)(0x80 | (code & 0x3f));
    } else {
      out[at++] = (char)(0xf0 | code >> 18);
      out[at++] = (char)(0x80 | (code >> 12 & 0x3f));
      out[at++] = (char)(0x80 | (code >> 6 & 0x3f));
      out[at++] = (char)(0x80 | (code & 0x3f));
    }
  }
  out[at] = 0;
  return out;
}

PROF_NVTX_COLD_ const char *prof_nvtx_message_(const nvtxEventAttributes_t *attributes, char *out) {
  const char *text = 0;
  if (attributes && attributes->messageType == NVTX_MESSAGE_TYPE_UNICODE)
    return prof_nvtx_narrow_(out, attributes->message.unicode);
  if (attributes && attributes->messageType == NVTX_MESSAGE_TYPE_ASCII)
    text = attributes->message.ascii;
  if (attributes && attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
    text = (const char *)(const void *)attributes->message.registered;
  return text ? text : "";
}

/* A registered text is a copy of it; it lives for ever. */
PROF_NVTX_COLD_ nvtxStringHandle_t prof_nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text) {
  const size_t bytes = (text ? strlen(text) : 0) + 1;
  char *copy = (char *)malloc(bytes);
  (void)domain;
  return (nvtxStringHandle_t)(void *)(copy ? memcpy(copy, text ? text : "", bytes) : 0);
}
PROF_NVTX_COLD_ nvtxStringHandle_t prof_nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *text) {
  char narrow[PROF_NVTX_BYTES_];
  return prof_nvtxDomainRegisterStringA(domain, prof_nvtx_narrow_(narrow, text));
}

/* ---- domains: each has a stack of ranges in each thread; 1 is that of no domain ---- */

extern unsigned prof_nvtx_domains_v1_ PROF_NVTX_SHARED_;
unsigned prof_nvtx_domains_v1_;
extern unsigned long prof_nvtx_ranges_v1_ PROF_NVTX_SHARED_;
unsigned long prof_nvtx_ranges_v1_;

PROF_NVTX_COLD_ nvtxDomainHandle_t prof_nvtxDomainCreateA(const char *name) {
  unsigned *group = (unsigned *)malloc(sizeof *group);
  (void)name;
  if (group)
    *group = 1 + (__atomic_add_fetch(&prof_nvtx_domains_v1_, 1, __ATOMIC_RELAXED) & 0xffffff);
  return (nvtxDomainHandle_t)(void *)group;
}
PROF_NVTX_COLD_ nvtxDomainHandle_t prof_nvtxDomainCreateW(const wchar_t *name) {
  (void)name;
  return prof_nvtxDomainCreateA(0);
}
/* Other threads may still use it. */
PROF_NVTX_INLINE_ void prof_nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  (void)domain;
}
PROF_NVTX_INLINE_ unsigned prof_nvtx_group_(nvtxDomainHandle_t domain) {
  return domain ? *(const unsigned *)(const void *)domain : 1;
}

/* ---- pushed ranges: zones ---- */

PROF_NVTX_COLD_ void prof_nvtx_push_(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  char narrow[PROF_NVTX_BYTES_];
  (void)prof_named_(0x1001, 0, prof_nvtx_message_(attributes, narrow), 0, prof_nvtx_group_(domain));
}
PROF_NVTX_INLINE_ int prof_nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  PROF_GATED_(prof_nvtx_push_(domain, attributes));
  return PROF_NVTX_UNTRACKED_;
}
PROF_NVTX_INLINE_ int prof_nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  return prof_nvtxDomainRangePushEx(0, attributes);
}
PROF_NVTX_INLINE_ int prof_nvtxRangePushA(const char *message) {
  PROF_GATED_((void)prof_named_(0x1001, 0, message, 0, 1));
  return PROF_NVTX_UNTRACKED_;
}
PROF_NVTX_COLD_ void prof_nvtx_push_wide_(const wchar_t *message) {
  char narrow[PROF_NVTX_BYTES_];
  (void)prof_named_(0x1001, 0, prof_nvtx_narrow_(narrow, message), 0, 1);
}
PROF_NVTX_INLINE_ int prof_nvtxRangePushW(const wchar_t *message) {
  PROF_GATED_(prof_nvtx_push_wide_(message));
  return PROF_NVTX_UNTRACKED_;
}
PROF_NVTX_INLINE_ int prof_nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  PROF_GATED_((void)prof_named_(0x1022, 0, "", 0, prof_nvtx_group_(domain)));
  return PROF_NVTX_UNTRACKED_;
}
PROF_NVTX_INLINE_ int prof_nvtxRangePop(void) {
  return prof_nvtxDomainRangePop(0);
}

/* ---- started ranges: spans; the upper 16 bits of a range's number are that of its name ---- */

PROF_NVTX_COLD_ nvtxRangeId_t prof_nvtx_start_(const char *name) {
  const unsigned long span = __atomic_add_fetch(&prof_nvtx_ranges_v1_, 1, __ATOMIC_RELAXED) & 0xffffffffffff;
  const unsigned long number = (unsigned long)prof_named_(0x5026, 6, name, span, 0);
  return number ? number << 48 | span : 0;
}
PROF_NVTX_COLD_ nvtxRangeId_t prof_nvtx_start_ex_(const nvtxEventAttributes_t *attributes) {
  char narrow[PROF_NVTX_BYTES_];
  return prof_nvtx_start_(prof_nvtx_message_(attributes, narrow));
}
PROF_NVTX_COLD_ nvtxRangeId_t prof_nvtx_start_wide_(const wchar_t *message) {
  char narrow[PROF_NVTX_BYTES_];
  return prof_nvtx_start_(prof_nvtx_narrow_(narrow, message));
}
PROF_NVTX_INLINE_ nvtxRangeId_t prof_nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  nvtxRangeId_t range = 0;
  PROF_GATED_(range = prof_nvtx_start_ex_(attributes));
  return range;
}
PROF_NVTX_INLINE_ nvtxRangeId_t prof_nvtxRangeStartA(const char *message) {
  nvtxRangeId_t range = 0;
  PROF_GATED_(range = prof_nvtx_start_(message));
  return range;
}
PROF_NVTX_INLINE_ nvtxRangeId_t prof_nvtxRangeStartW(const wchar_t *message) {
  nvtxRangeId_t range = 0;
  PROF_GATED_(range = prof_nvtx_start_wide_(message));
  return range;
}
PROF_NVTX_INLINE_ nvtxRangeId_t prof_nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                            const nvtxEventAttributes_t *attributes) {
  (void)domain;
  return prof_nvtxRangeStartEx(attributes);
}
PROF_NVTX_INLINE_ void prof_nvtxRangeEnd(nvtxRangeId_t range) {
  PROF_GATED_((void)prof_named_again_(0x5026, 7, (unsigned)(range >> 48), range & 0xffffffffffff));
}
PROF_NVTX_INLINE_ void prof_nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  (void)domain;
  prof_nvtxRangeEnd(range);
}

/* ---- marks, names of threads ---- */

PROF_NVTX_COLD_ void prof_nvtx_mark_(const nvtxEventAttributes_t *attributes) {
  char narrow[PROF_NVTX_BYTES_];
  (void)prof_named_(0x1006, 1, prof_nvtx_message_(attributes, narrow), 0, 0);
}
PROF_NVTX_COLD_ void prof_nvtx_mark_wide_(const wchar_t *message) {
  char narrow[PROF_NVTX_BYTES_];
  (void)prof_named_(0x1006, 1, prof_nvtx_narrow_(narrow, message), 0, 0);
}
PROF_NVTX_INLINE_ void prof_nvtxMarkEx(const nvtxEventAttributes_t *attributes) {
  PROF_GATED_(prof_nvtx_mark_(attributes));
}
PROF_NVTX_INLINE_ void prof_nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  (void)domain;
  prof_nvtxMarkEx(attributes);
}
PROF_NVTX_INLINE_ void prof_nvtxMarkA(const char *message) {
  PROF_GATED_((void)prof_named_(0x1006, 1, message, 0, 0));
}
PROF_NVTX_INLINE_ void prof_nvtxMarkW(const wchar_t *message) {
  PROF_GATED_(prof_nvtx_mark_wide_(message));
}
/* Only of the calling thread. */
PROF_NVTX_COLD_ void prof_nvtxNameOsThreadA(uint32_t thread, const char *name) {
  if (thread == (uint32_t)prof_nvtx_syscall_(186 /* gettid */))
    prof_thread_name(name);
}
PROF_NVTX_COLD_ void prof_nvtxNameOsThreadW(uint32_t thread, const wchar_t *name) {
  char narrow[PROF_NVTX_BYTES_];
  prof_nvtxNameOsThreadA(thread, prof_nvtx_narrow_(narrow, name));
}

/* ---- what takes a domain and has no counterpart ---- */

PROF_NVTX_INLINE_ nvtxResourceHandle_t prof_nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                                                     nvtxResourceAttributes_t *attributes) {
  (void)domain;
  (void)attributes;
  return 0;
}
PROF_NVTX_INLINE_ void prof_nvtxDomainResourceDestroy(nvtxResourceHandle_t resource) {
  (void)resource;
}
PROF_NVTX_INLINE_ void prof_nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name) {
  (void)domain;
  (void)category;
  (void)name;
}
PROF_NVTX_INLINE_ void prof_nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name) {
  (void)domain;
  (void)category;
  (void)name;
}

#ifdef __cplusplus
}
#endif

/* ---- their names ---- */

#define nvtxDomainMarkEx prof_nvtxDomainMarkEx
#define nvtxMarkEx prof_nvtxMarkEx
#define nvtxMarkA prof_nvtxMarkA
#define nvtxMarkW prof_nvtxMarkW
#define nvtxDomainRangeStartEx prof_nvtxDomainRangeStartEx
#define nvtxRangeStartEx prof_nvtxRangeStartEx
#define nvtxRangeStartA prof_nvtxRangeStartA
#define nvtxRangeStartW prof_nvtxRangeStartW
#define nvtxDomainRangeEnd prof_nvtxDomainRangeEnd
#define nvtxRangeEnd prof_nvtxRangeEnd
#define nvtxDomainRangePushEx prof_nvtxDomainRangePushEx
#define nvtxRangePushEx prof_nvtxRangePushEx
#define nvtxRangePushA prof_nvtxRangePushA
#define nvtxRangePushW prof_nvtxRangePushW
#define nvtxDomainRangePop prof_nvtxDomainRangePop
#define nvtxRangePop prof_nvtxRangePop
#define nvtxNameOsThreadA prof_nvtxNameOsThreadA
#define nvtxNameOsThreadW prof_nvtxNameOsThreadW
#define nvtxDomainRegisterStringA prof_nvtxDomainRegisterStringA
#define nvtxDomainRegisterStringW prof_nvtxDomainRegisterStringW
#define nvtxDomainCreateA prof_nvtxDomainCreateA
#define nvtxDomainCreateW prof_nvtxDomainCreateW
#define nvtxDomainDestroy prof_nvtxDomainDestroy
#define nvtxDomainResourceCreate prof_nvtxDomainResourceCreate
#define nvtxDomainResourceDestroy prof_nvtxDomainResourceDestroy
#define nvtxDomainNameCategoryA prof_nvtxDomainNameCategoryA
#define nvtxDomainNameCategoryW prof_nvtxDomainNameCategoryW
#endif

#endif
