/*
 * tools/record/machine/sources.c - see sources.h.
 *
 * Formats: proc(5), Documentation/admin-guide/iostats.rst, Documentation/power/powercap and
 * Documentation/ABI/testing/sysfs-class-thermal of Linux.
 */
#include "sources.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/process_stat.h"

enum { SECTOR_BYTES = 512, NS_PER_S = 1000000000 };

static FILE *open_file(const struct prof_machine_place *place, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/%s", place->root, name);
  return length > 0 && (size_t)length < sizeof path ? fopen(path, "re") : NULL;
}

/* The number that a file of /sys has. */
static bool read_number(const struct prof_machine_place *place, const char *folder, const char *entry, const char *name,
                        uint64_t *value) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/%s/%s", folder, entry, name);
  FILE *file = length > 0 && (size_t)length < sizeof path ? open_file(place, path) : NULL;
  bool good = file != NULL && fscanf(file, "%" SCNu64, value) == 1;
  if (file != NULL)
    fclose(file);
  return good;
}

static uint64_t clock_ns(uint64_t steps) {
  long per_second = sysconf(_SC_CLK_TCK);
  return per_second > 0 ? steps * (NS_PER_S / (uint64_t)per_second) : 0;
}

/* ---- the machine ---- */

/* user, nice, system, irq, softirq and steal of all processors. */
static bool read_cpu(const struct prof_machine_place *place, uint64_t *value) {
  uint64_t user, nice, system, idle, wait, irq, soft, steal;
  FILE *file = open_file(place, "proc/stat");
  bool good =
      file != NULL &&
      fscanf(file, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
             &user, &nice, &system, &idle, &wait, &irq, &soft, &steal) == 8;
  if (file != NULL)
    fclose(file);
  if (good)
    *value = clock_ns(user + nice + system + irq + soft + steal);
  return good;
}

static bool read_memory(const struct prof_machine_place *place, uint64_t *value) {
  FILE *file = open_file(place, "proc/meminfo");
  char line[160];
  uint64_t total = 0, available = 0, number;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "MemTotal: %" SCNu64, &number) == 1)
      total = number;
    else if (sscanf(line, "MemAvailable: %" SCNu64, &number) == 1)
      available = number;
  if (file != NULL)
    fclose(file);
  *value = (total - available) * 1024;
  return total > 0 && available <= total;
}

/* A whole disk that is no other disk's: partitions, loops and the like would count twice. */
static bool is_disk(const struct prof_machine_place *place, const char *name) {
  static const char *const others[] = {"loop", "ram", "zram", "dm-", "md"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(name, others[i], strlen(others[i])) == 0)
      return false;
  snprintf(path, sizeof path, "%s/sys/block/%s", place->root, name);
  return access(path, F_OK) == 0;
}

static bool sum_disks(const struct prof_machine_place *place, bool written, uint64_t *value) {
  FILE *file = open_file(place, "proc/diskstats");
  char line[512], name[64];
  uint64_t in, out;
  bool any = false;
  *value = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, " %*u %*u %63s %*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64, name, &in, &out) == 3 &&
        is_disk(place, name)) {
      *value += (written ? out : in) * SECTOR_BYTES;
      any = true;
    }
  if (file != NULL)
    fclose(file);
  return any;
}

static bool read_disk_read(const struct prof_machine_place *place, uint64_t *value) {
  return sum_disks(place, false, value);
}

static bool read_disk_written(const struct prof_machine_place *place, uint64_t *value) {
  return sum_disks(place, true, value);
}

static bool sum_network(const struct prof_machine_place *place, bool sent, uint64_t *value) {
  FILE *file = open_file(place, "proc/net/dev");
  char line[512];
  uint64_t in, out;
  bool any = false;
  *value = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    char *colon = strchr(line, ':'), *name = line + strspn(line, " ");
    if (colon == NULL || strncmp(name, "lo:", 3) == 0 ||
        sscanf(colon + 1, "%" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &in, &out) != 2)
      continue;
    *value += sent ? out : in;
    any = true;
  }
  if (file != NULL)
    fclose(file);
  return any;
}

static bool read_received(const struct prof_machine_place *place, uint64_t *value) {
  return sum_network(place, false, value);
}

static bool read_sent(const struct prof_machine_place *place, uint64_t *value) {
  return sum_network(place, true, value);
}

struct found {
  uint64_t sum, most;
  unsigned count;
};

/* Reads a file in each entry of a folder whose name begins so, and that `wants` (NULL: each). */
static struct found visit(const struct prof_machine_place *place, const char *folder, const char *prefix,
                          const char *name,
                          bool (*wants)(const struct prof_machine_place *, const char *folder, const char *entry)) {
  struct found found = {0};
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", place->root, folder);
  DIR *directory = opendir(path);
  uint64_t value;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
        (wants != NULL && !wants(place, folder, entry->d_name)) ||
        !read_number(place, folder, entry->d_name, name, &value))
      continue;
    found.sum += value;
    found.most = value > found.most ? value : found.most;
    found.count++;
  }
  if (directory != NULL)
    closedir(directory);
  return found;
}

/* The hottest place. */
static bool read_temperature(const struct prof_machine_place *place, uint64_t *value) {
  struct found found = visit(place, "sys/class/thermal", "thermal_zone", "temp", NULL);
  if (found.count == 0)
    found = visit(place, "sys/class/hwmon", "hwmon", "temp1_input", NULL);
  *value = found.most;
  return found.count > 0 && found.most < 1000000;
}

static uint64_t mean_of_cpuinfo(const struct prof_machine_place *place) {
  FILE *file = open_file(place, "proc/cpuinfo");
  char line[512];
  double megahertz, sum = 0;
  unsigned count = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "cpu MHz : %lf", &megahertz) == 1 && megahertz > 0 && megahertz < 1e6) {
      sum += megahertz;
      count++;
    }
  if (file != NULL)
    fclose(file);
  return count > 0 ? (uint64_t)(sum / count * 1e6) : 0;
}

/* The mean of all processors. */
static bool read_frequency(const struct prof_machine_place *place, uint64_t *value) {
  struct found found = visit(place, "sys/devices/system/cpu", "cpu", "cpufreq/scaling_cur_freq", NULL);
  *value = found.count > 0 ? found.sum / found.count * 1000 : mean_of_cpuinfo(place);
  return *value > 0;
}

/* Of a zone of RAPL: a package, not a part of one. */
static bool is_package(const struct prof_machine_place *place, const char *folder, const char *entry) {
  char path[PATH_MAX], name[32] = "";
  snprintf(path, sizeof path, "%s/%s/name", folder, entry);
  FILE *file = open_file(place, path);
  bool good = file != NULL && fgets(name, sizeof name, file) != NULL;
  if (file != NULL)
    fclose(file);
  return good && strncmp(name, "package", 7) == 0;
}

/* A counter of a package begins anew now and then, so the sum may fall: readers leave such a step out. */
static bool read_energy(const struct prof_machine_place *place, uint64_t *value) {
  struct found found = visit(place, "sys/class/powercap", "intel-rapl:", "energy_uj", is_package);
  *value = found.sum;
  return found.count > 0;
}

const struct prof_machine_source prof_machine_sources[] = {
    {PROF_READS_CPU, true, NS_PER_S, "CPU", "cores", read_cpu},
    {PROF_READS_MEMORY, false, 1, "memory in use", "bytes", read_memory},
    {PROF_READS_DISK_READ, true, 1, "disk read", "bytes/s", read_disk_read},
    {PROF_READS_DISK_WRITTEN, true, 1, "disk written", "bytes/s", read_disk_written},
    {PROF_READS_RECEIVED, true, 1, "network received", "bytes/s", read_received},
    {PROF_READS_SENT, true, 1, "network sent", "bytes/s", read_sent},
    {PROF_READS_TEMPERATURE, false, 1000, "temperature", "C", read_temperature},
    {PROF_READS_FREQUENCY, false, NS_PER_S, "CPU frequency", "GHz", read_frequency},
    {PROF_READS_ENERGY, true, 1000000, "power", "W", read_energy},
    {.read = NULL},
};

/* ---- a process ---- */

static bool read_stat(const struct prof_machine_place *place, struct prof_process_stat *out) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/proc/%ld/stat", place->root, (long)place->pid);
  return length > 0 && (size_t)length < sizeof path && prof_process_stat_read(path, out);
}

static bool read_process_cpu(const struct prof_machine_place *place, uint64_t *value) {
  struct prof_process_stat stat;
  bool good = read_stat(place, &stat);
  if (good)
    *value = stat.user_ns + stat.system_ns;
  return good;
}

static bool read_process_faults(const struct prof_machine_place *place, uint64_t *value) {
  struct prof_process_stat stat;
  bool good = read_stat(place, &stat);
  if (good)
    *value = stat.minor_faults + stat.major_faults;
  return good;
}

static bool read_process_memory(const struct prof_machine_place *place, uint64_t *value) {
  char name[40];
  uint64_t pages = 0;
  snprintf(name, sizeof name, "proc/%ld/statm", (long)place->pid);
  FILE *file = open_file(place, name);
  bool good = file != NULL && fscanf(file, "%*u %" SCNu64, &pages) == 1;
  if (file != NULL)
    fclose(file);
  *value = pages * (uint64_t)sysconf(_SC_PAGESIZE);
  return good && pages > 0; /* a zombie has none */
}

const struct prof_machine_source prof_process_sources[] = {
    {PROF_READS_CPU, true, NS_PER_S, "CPU", "cores", read_process_cpu},
    {PROF_READS_MEMORY, false, 1, "resident memory", "bytes", read_process_memory},
    {PROF_READS_FAULTS, true, 1, "page faults", "faults/s", read_process_faults},
    {.read = NULL},
};
