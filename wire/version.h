/*
 * wire/version.h - two versions: of the contents of objects, and of the memory that programs and recorder share.
 *
 * Objects and runtime agree on PROF_WIRE_VERSION.  The names of the sections and of the entry point contain it, so
 * objects of two versions can be linked into one program: each runtime sees only the rows of its own version.
 *
 * Runtime, GPU collector and recorder agree on PROF_REGION_VERSION (wire/control.h, wire/event.h, wire/gpu.h).  They
 * come from one release; objects may be older, and need not be compiled again when only this one changes.
 *   1: kinds of events in 4 bits
 *   2: kinds of events in 6 bits
 *   3: text that the recorder switches
 *   4: sites that count in counters of their threads
 *   5: measures
 *   6: names of threads that the program gives, prof_clear
 *   7: recorders of programs that run already
 *   8: snapshots that the program asks for
 *   9: since when a thread waits; prof_clear in a summary
 *   10: names that the program makes while it runs
 *   11: requests of programs for their own figures
 *   12: CPU time that attaching took
 */
#ifndef PROF_WIRE_VERSION_H
#define PROF_WIRE_VERSION_H

#define PROF_WIRE_VERSION 1
#define PROF_REGION_VERSION 12

/* Rows, one per sled; allocated, read-only, no dynamic relocation.  C identifiers: linkers define their begin and
 * end. */
#define PROF_ROWS_SECTION "prof_rows_v1"
#define PROF_ROWS_PREFIX "prof_rows_v" /* of any version */
#define PROF_ROWS_START "__start_prof_rows_v1"
#define PROF_ROWS_STOP "__stop_prof_rows_v1"

/* Static facts; never loaded, read by tools from the file. */
#define PROF_FACTS_SECTION ".prof_facts_v1"

/* Units whose code was generated at an LTO link without the plugin (row.h); never loaded. */
#define PROF_LTO_SECTION ".prof_lto_v1"
#define PROF_LTO_WARNED "__prof_lto_without_plugin_v1" /* weak, never defined: GNU ld warns of references to it */

/* COMDAT group with the start-up text of a module, and the hooks that prof.h reads. */
#define PROF_START_GROUP "__prof_start_v1"
#define PROF_HOOKS_SYMBOL "__prof_hooks_v1"

/* The runtime: file name, and the function that the start-up text calls (see wire/module.h). */
#define PROF_RUNTIME_FILE "libprof-runtime.so.1"
#define PROF_ATTACH_SYMBOL "prof_runtime_attach_v1"
#define PROF_DETACH_SYMBOL "prof_runtime_detach_v1"

/* void (int inside): called by the GPU collector when a capture begins or ends. */
#define PROF_CAPTURE_SYMBOL "prof_runtime_capture_v1"

#endif
