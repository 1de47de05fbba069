/*
 * gpu/places.c - see places.h.
 *
 * The library collects samples by place while kernels run concurrently.  They are read every 100 ms, before a GPU
 * program is unloaded, and when sampling ends; the last ones come into a buffer given at the start.  Names of functions
 * in them are not freed: by the library's manual other records may share them.
 */
#include "places.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture.h"
#include "clock.h"
#include "cubins.h"
#include "stream.h"

enum { PLACES = 2048, CONTEXTS = 64, MOST_REASONS = 256 };

struct places { /* a buffer for the library */
  struct abi_sampled_data data;
  struct abi_sampled_place items[PLACES];
  struct abi_reason reasons[]; /* reason_count for each item */
};

struct context {
  void *handle; /* NULL: none */
  uint64_t since;
  struct prof_gpu_moment moment; /* then */
  struct places *last;           /* gets the last samples */
};

static struct {
  pthread_mutex_t lock;
  const struct prof_gpu_library *library; /* NULL: samples are not wanted or not available */
  size_t reason_count;
  struct places *now;
  struct context contexts[CONTEXTS];
} sampling = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool prof_gpu_places_begin(const struct prof_gpu_library *library) {
  if (!(prof_gpu_stream_control()->flags & PROF_CONTROL_GPU_LINES))
    return false;
  if (library->cuptiPCSamplingEnable == NULL || library->cuptiPCSamplingDisable == NULL ||
      library->cuptiPCSamplingSetConfigurationAttribute == NULL || library->cuptiPCSamplingGetData == NULL ||
      library->cuptiPCSamplingGetNumStallReasons == NULL || library->cuptiPCSamplingGetStallReasons == NULL) {
    prof_gpu_stream_note("GPU lines are not recorded: %.300s has no cuptiPCSampling functions", library->path);
    return false;
  }
  sampling.library = library;
  return true;
}

/* Ends sampling.  The lock is held, here and below. */
static void refuse(const char *action, int result) {
  const char *remedy =
      result == ABI_INSUFFICIENT_RIGHTS
          ? "only root may read GPU counters: put "
            "'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into /etc/modprobe.d, reload the driver"
          : "another tool may use the counters, or this GPU or driver has no samples";
  prof_gpu_stream_note("GPU lines are not recorded: %s: error %d %s: %s; the rest is complete", action, result,
                       prof_gpu_library_text(sampling.library, result), remedy);
  sampling.library = NULL;
}

static struct places *new_places(void) {
  struct places *places = calloc(1, sizeof *places + PLACES * sampling.reason_count * sizeof places->reasons[0]);
  if (places == NULL)
    return NULL;
  places->data = (struct abi_sampled_data){.size = sizeof places->data, .most_places = PLACES, .items = places->items};
  for (size_t i = 0; i < PLACES; i++) {
    places->items[i].size = sizeof places->items[i];
    places->items[i].reasons = places->reasons + i * sampling.reason_count;
  }
  return places;
}

/* Reads the names of the reasons, once for all contexts.  ABI_SUCCESS, or the fault. */
static int learn_reasons(void *context) {
  size_t count = 0;
  struct abi_reason_count asked = {.size = sizeof asked, .context = context, .count = &count};
  int result = sampling.library->cuptiPCSamplingGetNumStallReasons(&asked);
  if (result != ABI_SUCCESS)
    return result;
  count = count < MOST_REASONS ? count : MOST_REASONS;
  char(*texts)[ABI_REASON_BYTES] = calloc(count + 1, sizeof *texts);
  char *names[MOST_REASONS];
  uint32_t numbers[MOST_REASONS] = {0};
  for (size_t i = 0; texts != NULL && i < count; i++)
    names[i] = texts[i];
  struct abi_reason_names told = {
      .size = sizeof told, .context = context, .count = count, .numbers = numbers, .names = names};
  result = texts == NULL ? ABI_OUT_OF_MEMORY : sampling.library->cuptiPCSamplingGetStallReasons(&told);
  for (size_t i = 0; i < count && result == ABI_SUCCESS; i++) {
    struct prof_gpu_name message = {.kind = PROF_GPU_NAMED_REASON, .thing = numbers[i]};
    texts[i][ABI_REASON_BYTES - 1] = 0;
    prof_gpu_stream_record(PROF_GPU_NAMED, &message, sizeof message, texts[i], &message.name);
  }
  free(texts);
  sampling.reason_count = count;
  return result;
}

static void learn_period(void *context) {
  struct abi_sampling_setting period = {.attribute = ABI_SAMPLING_PERIOD};
  struct abi_sampling_settings asked = {.size = sizeof asked, .context = context, .count = 1, .items = &period};
  if (sampling.library->cuptiPCSamplingGetConfigurationAttribute != NULL &&
      sampling.library->cuptiPCSamplingGetConfigurationAttribute(&asked) == ABI_SUCCESS && period.number < 63)
    prof_gpu_stream_raise(PROF_GPU_SAMPLE_CYCLES, (uint64_t)1 << period.number);
}

static void begin(struct context *context, void *handle) {
  struct abi_sampling_switch on = {.size = sizeof on, .context = handle};
  int result = sampling.library->cuptiPCSamplingEnable(&on);
  if (result != ABI_SUCCESS) {
    refuse("cuptiPCSamplingEnable", result);
    return;
  }
  result = sampling.reason_count == 0 ? learn_reasons(handle) : ABI_SUCCESS;
  sampling.now = sampling.now != NULL ? sampling.now : new_places();
  *context = (struct context){
      .handle = handle, .since = prof_gpu_clock_now(), .moment = prof_gpu_capture_now(), .last = new_places()};
  struct abi_sampling_setting wishes[] = {
      {.attribute = ABI_SAMPLING_MODE, .number = ABI_SAMPLING_CONTINUOUS},
      {.attribute = ABI_SAMPLING_DATA_BUFFER, .buffer = context->last},
  };
  struct abi_sampling_settings wanted = {
      .size = sizeof wanted, .context = handle, .count = sizeof wishes / sizeof *wishes, .items = wishes};
  if (result == ABI_SUCCESS)
    result = sampling.now == NULL || context->last == NULL
                 ? ABI_OUT_OF_MEMORY
                 : sampling.library->cuptiPCSamplingSetConfigurationAttribute(&wanted);
  if (result == ABI_SUCCESS) {
    learn_period(handle);
    return;
  }
  sampling.library->cuptiPCSamplingDisable(&on);
  free(context->last);
  *context = (struct context){0};
  refuse("sampling of places", result);
}

/* Writes a buffer's samples into the trace. */
static void take(struct context *context, struct places *places, uint64_t until) {
  const struct abi_sampled_data *data = &places->data;
  if (!prof_gpu_capture_overlaps(context->moment, prof_gpu_capture_now()))
    return;
  prof_gpu_stream_count(PROF_GPU_SAMPLES_ALL, data->samples);
  prof_gpu_stream_count(PROF_GPU_SAMPLES_DROPPED, data->dropped);
  prof_gpu_stream_count(PROF_GPU_SAMPLES_FOREIGN, data->foreign);
  for (size_t i = 0; i < data->places && i < PLACES; i++) {
    const struct abi_sampled_place *place = &places->items[i];
    struct prof_gpu_sample sample = {
        .start = context->since, .end = until, .cubin = place->cubin, .address = place->offset};
    prof_gpu_cubins_need(place->cubin);
    for (size_t j = 0; j < place->reason_count && j < sampling.reason_count; j++) {
      sample.kind = place->reasons[j].reason;
      sample.count = place->reasons[j].samples;
      if (sample.count > 0)
        prof_gpu_stream_record(PROF_GPU_SAMPLE, &sample, sizeof sample, place->function, &sample.name);
    }
  }
}

static void read_context(struct context *context) {
  uint64_t now = prof_gpu_clock_now();
  struct abi_sampling_get get = {.size = sizeof get, .context = context->handle, .data = &sampling.now->data};
  struct abi_sampled_data *data = &sampling.now->data;
  do {
    data->samples = data->dropped = data->foreign = 0;
    data->places = data->remaining = 0;
    data->buffer_full = 0;
    int result = sampling.library->cuptiPCSamplingGetData(&get);
    if (result == ABI_OUT_OF_MEMORY || data->buffer_full != 0)
      prof_gpu_stream_count(PROF_GPU_SAMPLES_FULL, 1);
    if (result != ABI_SUCCESS)
      break;
    take(context, sampling.now, now);
  } while (data->remaining > 0 && data->places > 0);
  context->since = now;
  context->moment = prof_gpu_capture_now();
}

static void end(struct context *context) {
  struct abi_sampling_switch off = {.size = sizeof off, .context = context->handle};
  read_context(context);
  if (sampling.library->cuptiPCSamplingDisable(&off) == ABI_SUCCESS)
    take(context, context->last, prof_gpu_clock_now());
  context->handle = NULL; /* `last` stays: the library may still use it */
}

/*
 * For callbacks.  The library may hold its locks there, and our thread may wait for them while it holds our lock.  So a
 * callback doesn't wait long for our lock.
 */
static bool enter_from_callback(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  return pthread_mutex_timedlock(&sampling.lock, &until) == 0;
}

void prof_gpu_places_context(void *handle) {
  if (!enter_from_callback()) {
    prof_gpu_stream_note("GPU lines of a context are not recorded: the library was busy at its creation");
    return;
  }
  struct context *is_free = NULL;
  for (size_t i = 0; i < CONTEXTS && is_free == NULL; i++)
    is_free = sampling.contexts[i].handle == NULL ? &sampling.contexts[i] : NULL;
  if (sampling.library != NULL && handle != NULL && is_free != NULL)
    begin(is_free, handle);
  pthread_mutex_unlock(&sampling.lock);
}

void prof_gpu_places_context_ends(void *handle) {
  if (!enter_from_callback()) {
    prof_gpu_stream_note("a context's last GPU lines are lost: the library was busy at its end");
    return;
  }
  for (size_t i = 0; i < CONTEXTS && sampling.library != NULL; i++)
    if (handle != NULL && sampling.contexts[i].handle == handle)
      end(&sampling.contexts[i]);
  pthread_mutex_unlock(&sampling.lock);
}

void prof_gpu_places_module_goes(void) {
  if (pthread_mutex_trylock(&sampling.lock) != 0)
    return; /* it is being read */
  for (size_t i = 0; i < CONTEXTS && sampling.library != NULL; i++)
    if (sampling.contexts[i].handle != NULL)
      read_context(&sampling.contexts[i]);
  pthread_mutex_unlock(&sampling.lock);
}

void prof_gpu_places_read(bool is_last) {
  pthread_mutex_lock(&sampling.lock);
  for (size_t i = 0; i < CONTEXTS && sampling.library != NULL; i++) {
    if (sampling.contexts[i].handle != NULL && is_last)
      end(&sampling.contexts[i]);
    else if (sampling.contexts[i].handle != NULL)
      read_context(&sampling.contexts[i]);
  }
  pthread_mutex_unlock(&sampling.lock);
}
