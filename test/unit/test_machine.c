/*
 * test_machine.c - figures of the machine, from a copy of /proc and /sys; through the trace to rates and energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/gpu/gpu_energy.h"
#include "analysis/machine.h"
#include "record/machine/machine.h"
#include "trace/write/write_gpu.h"
#include "trace/write/write_part.h"
#include "trace/write/write_readings.h"
#include "trace_folder.h"

#define SECOND 1000000000ull

struct double_root { /* of /proc and /sys */
  char path[64];
};

static void put(const struct double_root *root, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root->path, name);
  for (char *slash = path + strlen(root->path) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void begin(struct double_root *root) {
  strcpy(root->path, "/tmp/prof-test.XXXXXX");
  assert_non_null(mkdtemp(root->path));
}

static void end(const struct double_root *root) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", root->path);
  assert_int_equal(system(command), 0);
}

/* -1: can't be read. */
static int64_t value_of(const struct double_root *root, enum prof_reads what, pid_t pid) {
  const struct prof_machine_source *source = pid == 0 ? prof_machine_sources : prof_process_sources;
  const struct prof_machine_place place = {root->path, pid};
  uint64_t value;
  while (source->what != what)
    source++;
  return source->read(&place, &value) ? (int64_t)value : -1;
}

static void nothing_can_be_read(void **state) {
  (void)state;
  struct double_root root;
  begin(&root);
  for (const struct prof_machine_source *source = prof_machine_sources; source->read != NULL; source++)
    assert_int_equal(value_of(&root, source->what, 0), -1);
  for (const struct prof_machine_source *source = prof_process_sources; source->read != NULL; source++)
    assert_int_equal(value_of(&root, source->what, 7), -1);
  end(&root);
}

static void figures_are_read(void **state) {
  (void)state;
  struct double_root root;
  begin(&root);
  const int64_t step = (int64_t)SECOND / sysconf(_SC_CLK_TCK);
  put(&root, "proc/stat", "cpu  100 1 20 5000 9 3 4 2 50 0\ncpu0 1 2 3\n");
  put(&root, "proc/meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable:    400 kB\n");
  put(&root, "proc/diskstats",
      " 8 0 sda 1 0 10 0 1 0 3 0 0 0 0\n 8 1 sda1 1 0 9 0 1 0 2 0 0 0 0\n 7 0 loop0 1 0 8 0 1 0 2 0 0\n"
      " 259 0 nvme0n1 1 0 100 0 1 0 7 0 0 0 0\n");
  put(&root, "sys/block/sda/size", "1\n");
  put(&root, "sys/block/loop0/size", "1\n");
  put(&root, "sys/block/nvme0n1/size", "1\n");
  put(&root, "proc/net/dev",
      "Inter-| Receive\n face |bytes\n    lo: 5 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0\n"
      "  eth0:1000 1 0 0 0 0 0 0 30 0 0 0 0 0 0 0\n wlan0: 2 1 0 0 0 0 0 0 4 0 0 0 0 0 0 0\n");
  put(&root, "sys/class/thermal/thermal_zone0/temp", "41000\n");
  put(&root, "sys/class/thermal/thermal_zone1/temp", "62500\n");
  put(&root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
  put(&root, "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
  put(&root, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
  put(&root, "sys/class/powercap/intel-rapl:0/energy_uj", "5000000\n");
  put(&root, "sys/class/powercap/intel-rapl:0:0/name", "core\n");
  put(&root, "sys/class/powercap/intel-rapl:0:0/energy_uj", "4000000\n");
  put(&root, "sys/class/powercap/intel-rapl:1/name", "package-1\n");
  put(&root, "sys/class/powercap/intel-rapl:1/energy_uj", "250\n");
  put(&root, "proc/7/stat", "7 (a ) b) R 1 1 1 0 -1 0 11 0 2 0 30 12 0 0 20 0 1 0 1 1 1\n");
  put(&root, "proc/7/statm", "100 25 3 1 0 1 0\n");
  assert_int_equal(value_of(&root, PROF_READS_CPU, 0), 130 * step);
  assert_int_equal(value_of(&root, PROF_READS_MEMORY, 0), 600 * 1024);
  assert_int_equal(value_of(&root, PROF_READS_DISK_READ, 0), 110 * 512);
  assert_int_equal(value_of(&root, PROF_READS_DISK_WRITTEN, 0), 10 * 512);
  assert_int_equal(value_of(&root, PROF_READS_RECEIVED, 0), 1002);
  assert_int_equal(value_of(&root, PROF_READS_SENT, 0), 34);
  assert_int_equal(value_of(&root, PROF_READS_TEMPERATURE, 0), 62500);
  assert_int_equal(value_of(&root, PROF_READS_FREQUENCY, 0), 2500000000);
  assert_int_equal(value_of(&root, PROF_READS_ENERGY, 0), 5000250);
  assert_int_equal(value_of(&root, PROF_READS_CPU, 7), 42 * step);
  assert_int_equal(value_of(&root, PROF_READS_MEMORY, 7), 25 * sysconf(_SC_PAGESIZE));
  assert_int_equal(value_of(&root, PROF_READS_FAULTS, 7), 13);
  end(&root);
}

static prof_writer *open_writer(const struct trace_folder *folder) {
  prof_writer *writer;
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  const struct prof_clock_record clock = {.ticks = SECOND, .frequency_hz = SECOND, .step_ticks = 1, .source = 1};
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  return writer;
}

static prof_trace *reopen(prof_writer *writer, const struct trace_folder *folder) {
  prof_trace *trace;
  const struct prof_end_record last = {
      .reason = 1, .minor_faults = 5, .major_faults = 4, .waits = 3, .preemptions = 2, .peak_bytes = 1, .attach_ns = 6};
  assert_int_equal(prof_writer_end(writer, &last), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

/* Two readings of a machine whose counter of energy begins anew at the third one. */
static void rates_come_back(void **state) {
  (void)state;
  struct double_root root;
  struct trace_folder folder;
  struct prof_machine_watch machine = {.interval_ns = SECOND, .root = root.path};
  const struct prof_processes none = {0};
  static const char *const joules[] = {"1000000\n", "31000000\n", "500000\n", "12500000\n"};
  begin(&root);
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  put(&root, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
  put(&root, "proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n");
  for (uint64_t i = 0; i < 4; i++) {
    put(&root, "sys/class/powercap/intel-rapl:0/energy_uj", joules[i]);
    prof_machine_turn(&machine, &none, writer, (3 * i + 1) * SECOND, (3 * i + 2) * SECOND);
    prof_machine_turn(&machine, &none, writer, (3 * i + 1) * SECOND + 1, (3 * i + 2) * SECOND + 1); /* not yet */
    if (i == 1)
      prof_machine_flush(&machine, writer); /* series go on in the next chunk */
  }
  prof_machine_flush(&machine, writer);
  prof_trace *trace = reopen(writer, &folder);
  const struct prof_trace_info *info = prof_trace_info(trace);
  assert_true(info->minor_faults == 5 && info->major_faults == 4 && info->waits == 3 && info->preemptions == 2 &&
              info->peak_bytes == 1 && info->attach_ns == 6);
  struct prof_machine_rows rows;
  assert_int_equal(prof_machine_sum(trace, NULL, &rows), PROF_OK);
  assert_int_equal(rows.items.count, 2);
  assert_string_equal(rows.items.items[0].series->name, "memory in use");
  assert_int_equal(rows.items.items[0].count, 4);
  assert_true(rows.items.items[0].mean == 4096 && rows.items.items[0].total == 0);
  assert_int_equal(rows.items.items[1].count, 2); /* without the step down */
  assert_true(rows.items.items[1].max == 10 && rows.items.items[1].min == 4 && rows.items.items[1].mean == 7);
  assert_true(rows.energy_joules == 42);
  prof_machine_rows_fini(&rows);
  prof_trace_close(trace);
  prof_machine_fini(&machine);
  trace_folder_remove(&folder);
  end(&root);
}

static struct prof_machine_row row_of(const prof_trace *trace, enum prof_reads what) {
  struct prof_machine_rows rows;
  struct prof_machine_row found = {.count = 0};
  assert_int_equal(prof_machine_sum(trace, NULL, &rows), PROF_OK);
  for (size_t i = 0; i < rows.items.count; i++)
    if (rows.items.items[i].series->what == what)
      found = rows.items.items[i];
  prof_machine_rows_fini(&rows);
  return found;
}

/* Two files of a recording: each joule is in one of them. */
static void parts_have_each_step_once(void **state) {
  (void)state;
  struct double_root root;
  struct trace_folder folder;
  struct prof_machine_watch machine = {.interval_ns = SECOND, .root = root.path};
  const struct prof_processes none = {0};
  static const char *const joules[] = {"1000000\n", "4000000\n", "9000000\n", "16000000\n"};
  static const double totals[] = {3, 12};
  begin(&root);
  put(&root, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
  put(&root, "proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n");
  for (uint64_t i = 0; i < 4; i++) {
    static prof_writer *writer;
    if (i % 2 == 0) {
      const struct prof_part part = {.begin_ticks = (2 * i + 1) * SECOND, .end_ticks = UINT64_MAX};
      trace_folder_make(&folder);
      writer = open_writer(&folder);
      assert_int_equal(prof_writer_part(writer, &part), PROF_OK);
    }
    put(&root, "sys/class/powercap/intel-rapl:0/energy_uj", joules[i]);
    prof_machine_turn(&machine, &none, writer, 2 * i * SECOND, (2 * i + 2) * SECOND);
    if (i % 2 == 0)
      continue;
    prof_machine_cut(&machine, writer);
    prof_trace *trace = reopen(writer, &folder);
    struct prof_machine_row row = row_of(trace, PROF_READS_ENERGY);
    assert_true(row.total == totals[i / 2]);
    assert_int_equal(row.count, i / 2 + 1);
    assert_int_equal(row_of(trace, PROF_READS_MEMORY).count, 2); /* not that of the file before */
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
  prof_machine_fini(&machine);
  end(&root);
}

/* The kernel counts CPU time in ticks of 10 ms: one of them in 3 ms is no 3.3 cores. */
static void no_rate_of_a_moment(void **state) {
  (void)state;
  static const uint64_t after_ms[][4] = {{0, 1000, 1003, 1003}, {0, 3, 1003, 1006}, {0, 3, 3, 3}};
  const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
  for (size_t at = 0; at < sizeof after_ms / sizeof *after_ms; at++) {
    struct trace_folder folder;
    trace_folder_make(&folder);
    prof_writer *writer = open_writer(&folder);
    const struct prof_reading_head head = {.what = PROF_READS_CPU,
                                           .is_sum = true,
                                           .divisor = SECOND,
                                           .name = prof_span("CPU"),
                                           .unit = prof_span("cores")};
    uint64_t values[8];
    for (uint64_t i = 0; i < 4; i++) {
      values[2 * i] = SECOND + after_ms[at][i] * (SECOND / 1000);
      values[2 * i + 1] = (uint64_t)((after_ms[at][i] >= 1000 ? 1 : 0) * SECOND) + i * (uint64_t)(tick * 1e9);
    }
    const struct prof_readings_record record = {.heads = &head, .head_count = 1, .count = 4, .values = values};
    assert_int_equal(prof_writer_readings(writer, &record), PROF_OK);
    prof_trace *trace = reopen(writer, &folder);
    struct prof_machine_row row = row_of(trace, PROF_READS_CPU);
    assert_int_equal(row.count > 0, at < 2);
    assert_true(row.max <= 1 + 4 * tick && row.min <= row.mean && row.mean <= row.max);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

/* Of a malformed chunk nothing is taken: no divisor; more readings than bytes. */
static void malformed_chunks_count_as_damage(void **state) {
  (void)state;
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  const uint64_t values[] = {SECOND, 1};
  struct prof_reading_head head = {.what = 77, .name = prof_span("x"), .unit = prof_span("y")};
  const struct prof_readings_record record = {.heads = &head, .head_count = 1, .count = 1, .values = values};
  assert_int_equal(prof_writer_readings(writer, &record), PROF_OK);
  head.divisor = 1;
  assert_int_equal(prof_writer_readings(writer, &record), PROF_OK);
  prof_trace *trace = reopen(writer, &folder);
  struct prof_damage damage;
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(trace, &count);
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, 1);
  assert_int_equal(count, 1);
  assert_int_equal(series->count, 1); /* of a later version: by its name */
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* ---- energy of GPUs ---- */

struct gpu_reading {
  uint64_t seconds, device, energy, power; /* millijoules, milliwatts */
};

static void put_gpu_readings(prof_writer *writer, const struct gpu_reading *readings, uint32_t count) {
  const struct prof_gpu_source_record source = {.source = 1, .process = PROF_NONE, .pid = 7};
  uint64_t values[4][16];
  const uint64_t *columns[PROF_GPU_COLUMN_COUNT] = {[PROF_GPU_START] = values[0],
                                                    [PROF_GPU_DEVICE_ID] = values[1],
                                                    [PROF_GPU_ENERGY] = values[2],
                                                    [PROF_GPU_POWER] = values[3]};
  for (uint32_t i = 0; i < count; i++) {
    values[0][i] = readings[i].seconds * SECOND;
    values[1][i] = readings[i].device;
    values[2][i] = readings[i].energy;
    values[3][i] = readings[i].power;
  }
  assert_int_equal(prof_writer_gpu_source(writer, &source), PROF_OK);
  assert_int_equal(prof_writer_gpu_records(writer, 1, PROF_GPU_METRICS, columns, count), PROF_OK);
}

static struct prof_gpu_energy energy_of(const struct gpu_reading *readings, uint32_t count,
                                        const struct prof_part *part) {
  struct trace_folder folder;
  struct prof_gpu_energy energy;
  trace_folder_make(&folder);
  prof_writer *writer = open_writer(&folder);
  if (part != NULL)
    assert_int_equal(prof_writer_part(writer, part), PROF_OK);
  if (count > 0)
    put_gpu_readings(writer, readings, count);
  prof_trace *trace = reopen(writer, &folder);
  assert_int_equal(prof_gpu_energy_sum(trace, &energy), PROF_OK);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  return energy;
}

/* A counter that two processes read, in another order than their times, and that begins anew; power alone; both
 * unknown; read for too short a time. */
static void gpu_energy_is_summed(void **state) {
  (void)state;
  static const struct gpu_reading readings[] = {
      {2, 0, 5000000, 1}, {4, 0, 5030000, 1}, {4, 0, 5029000, 1}, {6, 0, 5060000, 1}, {8, 0, 1000, 1}, {9, 0, 3000, 1},
      {2, 1, 0, 100000},  {4, 1, 0, 200000},  {2, 2, 0, 0},       {4, 2, 0, 0},       {2, 3, 10, 100}, {2, 3, 20, 100},
  };
  struct prof_gpu_energy energy = energy_of(readings, sizeof readings / sizeof *readings, NULL);
  assert_true(energy.joules > 361.999 && energy.joules < 362.001); /* 60 and 2; 2 s of 150 W */
  assert_int_equal(energy.devices, 2);
  assert_int_equal(energy.by_power, 1);
  assert_int_equal(energy.unknown, 2);
  assert_true(energy.has_gpus);
}

static void gpu_energy_of_a_part(void **state) {
  (void)state;
  static const struct gpu_reading readings[] = {{2, 0, 1000, 0}, {4, 0, 2000, 0}, {6, 0, 4000, 0}};
  static const struct prof_part parts[] = {{.begin_ticks = 0, .end_ticks = 5 * SECOND},
                                           {.begin_ticks = 5 * SECOND, .end_ticks = UINT64_MAX}};
  assert_true(energy_of(readings, 3, &parts[0]).joules == 1);
  assert_true(energy_of(readings, 3, &parts[1]).joules == 2);
}

static void no_gpu_has_no_energy(void **state) {
  (void)state;
  struct prof_gpu_energy energy = energy_of(NULL, 0, NULL);
  assert_true(energy.joules == 0 && energy.devices == 0 && energy.unknown == 0 && !energy.has_gpus);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_can_be_read),  cmocka_unit_test(figures_are_read),
      cmocka_unit_test(rates_come_back),      cmocka_unit_test(parts_have_each_step_once),
      cmocka_unit_test(no_rate_of_a_moment),  cmocka_unit_test(malformed_chunks_count_as_damage),
      cmocka_unit_test(gpu_energy_is_summed), cmocka_unit_test(gpu_energy_of_a_part),
      cmocka_unit_test(no_gpu_has_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
