/*
 * tools/command/decide/machine_load.c - see machine_load.h.  Source: proc(5), /proc/stat.
 */
#include "command/decide/machine_load.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define FREQUENCY "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

static bool read_now(struct prof_machine_load *now) {
  uint64_t fields[FIELDS] = {0};
  FILE *file = fopen("/proc/stat", "re");
  if (!file)
    return false;
  const int read =
      fscanf(file, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
             &fields[USER], &fields[NICE], &fields[SYSTEM], &fields[IDLE], &fields[IOWAIT], &fields[IRQ],
             &fields[SOFTIRQ], &fields[STEAL]);
  fclose(file);
  for (int i = 0; i < FIELDS; i++) {
    now->all += fields[i];
    now->busy += i == IDLE || i == IOWAIT ? 0 : fields[i];
  }
  now->stolen = fields[STEAL];
  return read >= SOFTIRQ;
}

void prof_machine_load_look(struct prof_machine_load *machine) {
  uint64_t khz;
  FILE *file = fopen(FREQUENCY, "re");
  if (!file)
    return;
  if (fscanf(file, "%" SCNu64, &khz) == 1 && khz) {
    machine->low_khz = !machine->low_khz || khz < machine->low_khz ? khz : machine->low_khz;
    machine->high_khz = khz > machine->high_khz ? khz : machine->high_khz;
  }
  fclose(file);
}

void prof_machine_load_begin(struct prof_machine_load *machine) {
  read_now(machine);
  prof_machine_load_look(machine);
}

struct prof_machine_use prof_machine_load_end(const struct prof_machine_load *begin, uint64_t own_ns) {
  struct prof_machine_load now = {0};
  const double second = (double)sysconf(_SC_CLK_TCK);
  struct prof_machine_use use = {0};
  if (!read_now(&now) || now.all <= begin->all || second <= 0)
    return use;
  const double all = (double)(now.all - begin->all), busy = (double)(now.busy - begin->busy);
  const double others = busy - (double)own_ns / 1e9 * second;
  use.known = true;
  use.others = others > 0 ? others / all : 0;
  use.stolen = now.stolen > begin->stolen ? (double)(now.stolen - begin->stolen) / all : 0;
  use.frequencies = begin->high_khz ? (double)begin->low_khz / (double)begin->high_khz : 0;
  return use;
}
