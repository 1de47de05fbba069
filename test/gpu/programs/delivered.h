/*
 * test/gpu/programs/delivered.h - waits until the collector has taken what is finished, and looked again after that.
 */
#ifndef TEST_GPU_DELIVERED_H
#define TEST_GPU_DELIVERED_H

#include <dlfcn.h>
#include <unistd.h>

/* The collector looks every 100 ms, if the machine lets it.  Of four flushes from here on three began here; what
 * follows a flush, looks at ranges and metrics, was done three times, with 100 ms in between. */
__attribute__((no_instrument_function)) static void wait_until_delivered(void) {
  void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  unsigned (*flushes)(void) = cupti != NULL ? (unsigned (*)(void))dlsym(cupti, "gpu_double_flushes") : NULL;
  if (flushes == NULL) { /* no double */
    usleep(2000000);
    return;
  }
  for (unsigned begin = flushes(); flushes() - begin < 4;)
    usleep(1000);
}

#endif
