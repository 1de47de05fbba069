/*
 * test/gpu/double/places.c - libcupti's double: samples of places in kernels (cupti_pcsampling.h).
 *
 * Every launch of a kernel gives the samples that the test asks for, so that it knows every number:
 *
 *    GPU_DOUBLE_PLACES=KERNEL:OFFSET:REASON:COUNT,...   per launch of KERNEL; OFFSET in hex
 *    GPU_DOUBLE_PLACES_RESULT=N      cuptiPCSamplingEnable returns N (35: not permitted)
 *    GPU_DOUBLE_PLACES_DROPPED=N     so many samples are said to be dropped, once
 *    GPU_DOUBLE_PLACES_FOREIGN=N     ... to lie in kernels that aren't the program's
 *    GPU_DOUBLE_PLACES_FULL=1        the hardware's buffer is full at the first reading
 *    GPU_DOUBLE_PLACES_FEW=1         a reading hands out one place at a time: there is more
 *    GPU_DOUBLE_PLACES_LATE=1        readings hand out nothing: all comes when sampling ends
 *
 * The checksum of a GPU program is a sum of its bytes; GPU_DOUBLE_CUBIN_SUM=N: samples say another one.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

int cuptiPCSamplingEnable(struct abi_sampling_switch *);
int cuptiPCSamplingDisable(struct abi_sampling_switch *);
int cuptiPCSamplingSetConfigurationAttribute(struct abi_sampling_settings *);
int cuptiPCSamplingGetConfigurationAttribute(struct abi_sampling_settings *);
int cuptiPCSamplingGetData(struct abi_sampling_get *);
int cuptiPCSamplingGetNumStallReasons(struct abi_reason_count *);
int cuptiPCSamplingGetStallReasons(struct abi_reason_names *);
int cuptiGetCubinCrc(struct abi_cubin_sum *);

static const char *const reasons[] = {
    "smsp__pcsamp_warps_issue_stalled_selected", "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_barrier", "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"};
enum { REASONS = sizeof reasons / sizeof *reasons, WANTED = 2048, INVALID_OPERATION = 3, FIRST_REASON = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wanted {
  char kernel[200];
  uint64_t offset, waiting;
  uint32_t reason, count;
} wanted[WANTED];
static size_t wanted_count;
static int is_on, was_said;
static uint64_t cubin;
static struct abi_sampled_data *last;

static void parse(void) {
  const char *knob = double_knob("PLACES");
  static int is_done;
  for (; knob != NULL && !is_done && wanted_count < WANTED; knob = strchr(knob, ',')) {
    struct wanted *to = &wanted[wanted_count];
    knob += *knob == ',';
    if (sscanf(knob, "%199[^:]:%lx:%u:%u", to->kernel, &to->offset, &to->reason, &to->count) != 4)
      break;
    wanted_count++;
  }
  is_done = 1;
}

void double_places_ran(const char *kernel) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; is_on && i < wanted_count; i++)
    if (strcmp(wanted[i].kernel, kernel) == 0)
      wanted[i].waiting += wanted[i].count;
  pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static void hand_out(struct abi_sampled_data *data, size_t most) {
  size_t waiting = 0;
  most = most < data->most_places ? most : data->most_places;
  data->places = 0;
  data->samples = 0;
  for (size_t i = 0; i < wanted_count; i++) {
    if (wanted[i].waiting == 0)
      continue;
    if (data->places == most) {
      waiting++;
      continue;
    }
    struct abi_sampled_place *place = &data->items[data->places++];
    place->cubin = double_knob("CUBIN_SUM") != NULL ? double_knob_number("CUBIN_SUM") : cubin;
    place->offset = wanted[i].offset;
    place->function = wanted[i].kernel;
    place->reason_count = 1;
    place->reasons[0] = (struct abi_reason){wanted[i].reason, (uint32_t)wanted[i].waiting};
    data->samples += wanted[i].waiting;
    wanted[i].waiting = 0;
  }
  data->remaining = waiting;
  if (!was_said) {
    data->dropped = double_knob_number("PLACES_DROPPED");
    data->foreign = double_knob_number("PLACES_FOREIGN");
    data->samples += data->dropped + data->foreign;
    was_said = 1;
  }
}

int cuptiPCSamplingEnable(struct abi_sampling_switch *given) {
  if (double_knob("PLACES_RESULT") != NULL)
    return (int)double_knob_number("PLACES_RESULT");
  if (given->size != sizeof *given || given->context == NULL)
    return 1;
  parse();
  is_on = 1;
  return ABI_SUCCESS;
}

int cuptiPCSamplingDisable(struct abi_sampling_switch *given) {
  (void)given;
  pthread_mutex_lock(&lock);
  if (is_on && last != NULL)
    hand_out(last, last->most_places);
  is_on = 0;
  pthread_mutex_unlock(&lock);
  return ABI_SUCCESS;
}

int cuptiPCSamplingSetConfigurationAttribute(struct abi_sampling_settings *given) {
  if (!is_on)
    return INVALID_OPERATION;
  for (size_t i = 0; i < given->count; i++) {
    if (given->items[i].attribute == ABI_SAMPLING_MODE && given->items[i].number != ABI_SAMPLING_CONTINUOUS)
      return 1;
    if (given->items[i].attribute == ABI_SAMPLING_DATA_BUFFER)
      last = given->items[i].buffer;
  }
  return ABI_SUCCESS;
}

int cuptiPCSamplingGetConfigurationAttribute(struct abi_sampling_settings *given) {
  given->items[0].number = 12;
  return given->items[0].attribute == ABI_SAMPLING_PERIOD ? ABI_SUCCESS : 1;
}

int cuptiPCSamplingGetData(struct abi_sampling_get *given) {
  static int was_full;
  if (!is_on)
    return INVALID_OPERATION;
  if (double_knob("PLACES_FULL") != NULL && !was_full++)
    return ABI_OUT_OF_MEMORY;
  if (double_knob("PLACES_LATE") != NULL)
    return ABI_SUCCESS;
  pthread_mutex_lock(&lock);
  hand_out(given->data, double_knob("PLACES_FEW") != NULL ? 1 : given->data->most_places);
  pthread_mutex_unlock(&lock);
  return ABI_SUCCESS;
}

int cuptiPCSamplingGetNumStallReasons(struct abi_reason_count *given) {
  *given->count = REASONS;
  return ABI_SUCCESS;
}

int cuptiPCSamplingGetStallReasons(struct abi_reason_names *given) {
  for (size_t i = 0; i < given->count && i < REASONS; i++) {
    given->numbers[i] = FIRST_REASON + (uint32_t)i;
    strcpy(given->names[i], reasons[i]);
  }
  return ABI_SUCCESS;
}

int cuptiGetCubinCrc(struct abi_cubin_sum *given) {
  given->sum = 0;
  for (size_t i = 0; i < given->cubin_bytes; i++)
    given->sum = given->sum * 31 + ((const uint8_t *)given->cubin)[i];
  cubin = given->sum;
  return ABI_SUCCESS;
}
