/* tasks.c - marked by the ITT API; C and C++. */
#include <ittnotify.h>
#include <pthread.h>
#include <stdio.h>

static __itt_domain *outer, *inner;
static __itt_counter queue, load;

static void *work(void *argument) {
  int thread = *(int *)argument;
  char name[32];
  snprintf(name, sizeof name, "worker %d", thread);
  __itt_thread_set_name(name);
  for (int i = 0; i < 5; i++) {
    snprintf(name, sizeof name, "task %d", i % 2);
    __itt_task_begin(outer, __itt_null, __itt_null, __itt_string_handle_create(name));
    __itt_task_begin(inner, __itt_null, __itt_null, __itt_string_handle_create("part"));
    __itt_counter_inc_delta(queue, 2);
    __itt_counter_dec(queue);
    __itt_task_end(inner);
    __itt_task_end(outer);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  double half = 0.5;
  outer = __itt_domain_create("outer");
  inner = __itt_domain_create("inner");
  if (outer != __itt_domain_create("outer") || __itt_string_handle_create("a") != __itt_string_handle_create("a"))
    return 1;
  queue = __itt_counter_create("queue", "outer");
  load = __itt_counter_create_typed("load", "outer", __itt_metadata_double);
  __itt_counter_set_value(load, &half);
  for (int i = 0; i < 3; i++) {
    __itt_id id = __itt_id_make(&numbers[0], (unsigned long long)i),
             other = __itt_id_make(&numbers[1], (unsigned long long)i);
    __itt_frame_begin_v3(outer, NULL);
    __itt_task_begin_overlapped(outer, id, __itt_null, __itt_string_handle_create("request"));
    __itt_task_begin_overlapped(outer, other, __itt_null, __itt_string_handle_create("reply"));
    __itt_task_end_overlapped(outer, id);
    __itt_task_end_overlapped(outer, other);
    __itt_marker(outer, __itt_null, __itt_string_handle_create("here"), __itt_scope_global);
    __itt_frame_end_v3(outer, NULL);
  }
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  __itt_pause();
  work(&numbers[0]);
  __itt_resume();
  outer->flags = 0; /* switched off */
  __itt_task_begin(outer, __itt_null, __itt_null, __itt_string_handle_create("off"));
  __itt_task_end(outer);
  return 0;
}
