/*
 * test/gpu/double/libcupti.c - a double of libcupti.so.13: subscription, callbacks, clocks; faults on request.
 *
 * The faults are variables of the environment, read once when the library is loaded:
 *
 *    GPU_DOUBLE_SUBSCRIBE=N     cuptiSubscribe returns N (39: somebody else is there; 999: no driver; 14, 35)
 *    GPU_DOUBLE_ENABLE=K:N      cuptiActivityEnable of kind K returns N
 *    GPU_DOUBLE_NO_CLOCK=1      the timestamp callback is refused: times are CLOCK_REALTIME's nanoseconds
 *    GPU_DOUBLE_HANG=last|any   a forced flush never returns; or none does
 *    GPU_DOUBLE_SUBSCRIBE_AGAIN=N  so it does from the second time on
 *    GPU_DOUBLE_FINALIZE=N      the Nth call ends with cuptiFinalize, as if another tool in the program did it
 *    GPU_DOUBLE_OTHER=NAME      who is there, for cuptiSubscribe_v2
 *    and those of records.c places.c and replay.c
 *
 * Without libcuda's double in the process cuptiSubscribe returns 999, as the real one does without a driver.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "double.h"
#include "records.h"

enum { IDS = 1024, DOMAINS = 4 };

static abi_callback *callback;
static void *callback_user;
static uint8_t enabled[DOMAINS][IDS];
static int refused_again; /* the second subscription */
static abi_timestamp *clock_callback;
static uint32_t next_correlation;
static unsigned flushes;

const char *double_knob(const char *name) {
  char whole[64];
  snprintf(whole, sizeof whole, "GPU_DOUBLE_%s", name);
  const char *value = getenv(whole);
  return value != NULL && *value != 0 ? value : NULL;
}

unsigned double_knob_number(const char *name) {
  const char *value = double_knob(name);
  return value != NULL ? (unsigned)strtoul(value, NULL, 10) : 0;
}

uint64_t double_now(void) {
  struct timespec now;
  abi_timestamp *given = __atomic_load_n(&clock_callback, __ATOMIC_SEQ_CST); /* cuptiFinalize may come between */
  if (given != NULL)
    return given();
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void call(int domain, uint32_t id, const char *name, uint32_t correlation, enum abi_site site,
                 const int *result) {
  if (callback == NULL || !enabled[domain][id])
    return;
  const struct abi_callback_data data = {
      .site = site, .function_name = name, .return_value = result, .context_uid = 1, .correlation = correlation};
  callback(callback_user, domain, id, &data);
}

static void resource(uint32_t id, const void *data) {
  if (callback != NULL && enabled[ABI_RESOURCES][id])
    callback(callback_user, ABI_RESOURCES, id, data);
}

int cuptiGetGraphNodeId(void *node, uint64_t *number) {
  *number = ((const struct double_node *)node)->number;
  return ABI_SUCCESS;
}

void double_call(int domain, uint32_t id, const char *name, uint32_t correlation, enum abi_site site) {
  static const int success;
  call(domain, id, name, correlation, site, site == ABI_EXIT ? &success : NULL);
}

static __thread uint64_t call_began; /* the outermost one of those that the thread is in */
static __thread unsigned open_calls;

uint64_t double_call_began(void) {
  return call_began;
}

static uint32_t enter(int domain, uint32_t id, const char *name) {
  uint32_t correlation = __atomic_add_fetch(&next_correlation, 1, __ATOMIC_RELAXED);
  if (open_calls++ == 0)
    call_began = double_now();
  call(domain, id, name, correlation, ABI_ENTER, NULL);
  return correlation;
}

static void leave(int domain, uint32_t id, const char *name, uint32_t correlation, int result) {
  call(domain, id, name, correlation, ABI_EXIT, &result);
  open_calls--;
  if (correlation != 0 && correlation == double_knob_number("FINALIZE"))
    cuptiFinalize();
}

/* Delivers what there is; then there is no state: no subscription, no callbacks, no kinds, no clock. */
int cuptiFinalize(void) {
  double_records_flush();
  double_records_forget();
  memset(enabled, 0, sizeof enabled);
  callback = NULL;
  __atomic_store_n(&clock_callback, NULL, __ATOMIC_SEQ_CST);
  return ABI_SUCCESS;
}

/* For test programs: whether a launch would be recorded, with its calls in the driver; or never again. */
int gpu_double_listens(void) {
  enum { LAST_WANTED = 800 };
  return __atomic_load_n(&enabled[ABI_DRIVER_API][LAST_WANTED], __ATOMIC_SEQ_CST) ||
         __atomic_load_n(&refused_again, __ATOMIC_SEQ_CST);
}

int cuptiGetVersion(uint32_t *version) {
  *version = double_knob("VERSION") != NULL ? double_knob_number("VERSION") : 130001;
  return ABI_SUCCESS;
}

int cuptiGetResultString(int result, const char **text) {
  *text = result == ABI_SUCCESS               ? "CUPTI_SUCCESS"
          : result == ABI_SECOND_SUBSCRIBER   ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
          : result == ABI_INSUFFICIENT_RIGHTS ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                              : "CUPTI_ERROR_UNKNOWN";
  return ABI_SUCCESS;
}

int cuptiGetTimestamp(uint64_t *time) {
  *time = double_now();
  return ABI_SUCCESS;
}

int cuptiActivityRegisterTimestampCallback(abi_timestamp *given) {
  if (double_knob("NO_CLOCK") != NULL)
    return ABI_UNKNOWN;
  __atomic_store_n(&clock_callback, given, __ATOMIC_SEQ_CST);
  return ABI_SUCCESS;
}

int cuptiSubscribe(void **subscriber, abi_callback *given, void *user) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  struct double_hooks *hooks = driver != NULL ? dlsym(driver, "double_hooks") : NULL;
  static int again;
  if (__atomic_fetch_add(&again, 1, __ATOMIC_SEQ_CST) > 0 && double_knob("SUBSCRIBE_AGAIN") != NULL) {
    refused_again = 1;
    return (int)double_knob_number("SUBSCRIBE_AGAIN");
  }
  if (double_knob("SUBSCRIBE") != NULL)
    return (int)double_knob_number("SUBSCRIBE");
  if (hooks == NULL)
    return ABI_UNKNOWN;
  if (callback != NULL)
    return ABI_SECOND_SUBSCRIBER;
  callback = given;
  callback_user = user;
  *subscriber = &callback;
  *hooks = (struct double_hooks){.enter = enter,
                                 .leave = leave,
                                 .work = double_records_work,
                                 .resource = resource,
                                 .replay = double_replay,
                                 .reset = double_records_reset};
  return ABI_SUCCESS;
}

/* GPU_DOUBLE_OTHER: the name of who is attached already. */
int cuptiSubscribe_v2(void **subscriber, abi_callback *given, void *user, struct abi_subscriber *parameters) {
  int result = cuptiSubscribe(subscriber, given, user);
  const char *other = double_knob("OTHER");
  if (result == ABI_SECOND_SUBSCRIBER && other != NULL && parameters->other != NULL)
    snprintf(parameters->other, parameters->other_bytes, "%s", other);
  return result;
}

int cuptiGetStreamIdEx(void *context, void *stream, uint8_t per_thread, uint32_t *number) {
  (void)context, (void)per_thread;
  if (stream == NULL)
    return 1;
  memcpy(number, stream, sizeof *number); /* a stream of libcudart's double begins with its number */
  return ABI_SUCCESS;
}

int cuptiUnsubscribe(void *subscriber) {
  (void)subscriber;
  callback = NULL;
  return ABI_SUCCESS;
}

int cuptiEnableCallback(uint32_t enable, void *subscriber, int domain, uint32_t id) {
  (void)subscriber;
  if (domain <= 0 || domain >= DOMAINS || id >= IDS)
    return 1;
  enabled[domain][id] = enable != 0;
  return ABI_SUCCESS;
}

int cuptiActivitySetAttribute(int attribute, size_t *bytes, void *value) {
  return attribute == ABI_DEVICE_BUFFER_POOL_LIMIT && *bytes == sizeof(size_t) && *(size_t *)value > 0 ? ABI_SUCCESS
                                                                                                       : 1;
}

int cuptiActivityEnable(int kind) {
  int refused, result;
  const char *knob = double_knob("ENABLE");
  if (knob != NULL && sscanf(knob, "%d:%d", &refused, &result) == 2 && refused == kind)
    return result;
  return double_records_enable(kind);
}

int cuptiActivityFlushAll(uint32_t flag) {
  const char *hang = double_knob("HANG");
  if (hang != NULL && (flag == ABI_FLUSH_FORCED || strcmp(hang, "any") == 0))
    for (;;)
      pause();
  double_records_flush();
  __atomic_add_fetch(&flushes, 1, __ATOMIC_SEQ_CST);
  return ABI_SUCCESS;
}

/* For test programs: how often what was there has been delivered. */
unsigned gpu_double_flushes(void) {
  return __atomic_load_n(&flushes, __ATOMIC_SEQ_CST);
}
