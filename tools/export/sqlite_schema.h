/*
 * tools/export/sqlite_schema.h - tables and views of the SQLite export.  docs/exports.md describes them.
 */
#ifndef PROF_EXPORT_SQLITE_SCHEMA_H
#define PROF_EXPORT_SQLITE_SCHEMA_H

#define PROF_SQLITE_VERSION 1 /* PRAGMA user_version; grows when a table or column changes its meaning */

/* Times that several tables have. */
#define PROF_SQLITE_TIMES                                                                                              \
  "calls INTEGER NOT NULL, total_ns INTEGER NOT NULL, self_ns INTEGER NOT NULL,"                                       \
  " running_ns INTEGER, waiting_ns INTEGER, preempted_ns INTEGER,"                                                     \
  " self_running_ns INTEGER, self_waiting_ns INTEGER, self_preempted_ns INTEGER, estimated INTEGER NOT NULL"

#define PROF_SQLITE_TABLES                                                                                             \
  "CREATE TABLE recording(name TEXT PRIMARY KEY, value) WITHOUT ROWID;"                                                \
  "CREATE TABLE process(id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, parent INTEGER REFERENCES process,"              \
  " name TEXT NOT NULL, program TEXT NOT NULL);"                                                                       \
  "CREATE TABLE thread(id INTEGER PRIMARY KEY, process INTEGER NOT NULL REFERENCES process, tid INTEGER NOT NULL,"     \
  " name TEXT NOT NULL, events INTEGER NOT NULL, lost_events INTEGER NOT NULL, stall_ns INTEGER NOT NULL);"            \
  "CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT NOT NULL, linkage TEXT NOT NULL, module TEXT NOT NULL,"     \
  " file TEXT NOT NULL, line INTEGER NOT NULL, is_loop INTEGER NOT NULL, " PROF_SQLITE_TIMES ","                       \
  " min_ns INTEGER, max_ns INTEGER);"                                                                                  \
  "CREATE TABLE path(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES path, thread INTEGER NOT NULL"                  \
  " REFERENCES thread, function INTEGER NOT NULL REFERENCES function, depth INTEGER NOT NULL, " PROF_SQLITE_TIMES ");" \
  "CREATE TABLE call(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES call, thread INTEGER NOT NULL"                  \
  " REFERENCES thread, function INTEGER NOT NULL REFERENCES function, depth INTEGER NOT NULL,"                         \
  " begin_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, self_ns INTEGER NOT NULL, cut INTEGER NOT NULL);"

#define PROF_SQLITE_VIEWS                                                                                              \
  "CREATE VIEW hot AS SELECT name, calls, total_ns, self_ns,"                                                          \
  " round(100.0 * self_ns / (SELECT sum(self_ns) FROM function), 2) AS self_percent, module, file, line"               \
  " FROM function ORDER BY self_ns DESC;"                                                                              \
  "CREATE VIEW stack AS WITH RECURSIVE below(id, thread, depth, text) AS ("                                            \
  "SELECT path.id, path.thread, 1, function.name FROM path JOIN function ON function.id = path.function"               \
  " WHERE path.parent IS NULL UNION ALL"                                                                               \
  " SELECT path.id, path.thread, below.depth + 1, below.text || ';' || function.name FROM below"                       \
  " JOIN path ON path.parent = below.id JOIN function ON function.id = path.function)"                                 \
  " SELECT below.text AS stack, thread.tid, thread.name AS thread, path.calls, path.total_ns, path.self_ns"            \
  " FROM below JOIN path USING (id) JOIN thread ON thread.id = below.thread;"                                          \
  "CREATE VIEW named_call AS SELECT call.id, call.parent, process.pid, thread.tid, thread.name AS thread,"             \
  " function.name, call.depth, call.begin_ns, call.duration_ns, call.self_ns, call.cut FROM call"                      \
  " JOIN function ON function.id = call.function JOIN thread ON thread.id = call.thread"                               \
  " JOIN process ON process.id = thread.process;"                                                                      \
  "CREATE VIEW percentile AS WITH ranked AS (SELECT thread, function, duration_ns,"                                    \
  " row_number() OVER of_both AS rank, count(*) OVER (PARTITION BY thread, function) AS calls FROM call"               \
  " WHERE NOT cut WINDOW of_both AS (PARTITION BY thread, function ORDER BY duration_ns))"                             \
  " SELECT thread.tid, thread.name AS thread, function.name, max(ranked.calls) AS calls,"                              \
  " max(CASE WHEN rank = (ranked.calls + 1) / 2 THEN duration_ns END) AS p50_ns,"                                      \
  " max(CASE WHEN rank = (ranked.calls * 95 + 99) / 100 THEN duration_ns END) AS p95_ns,"                              \
  " max(CASE WHEN rank = (ranked.calls * 99 + 99) / 100 THEN duration_ns END) AS p99_ns,"                              \
  " max(duration_ns) AS max_ns FROM ranked JOIN function ON function.id = ranked.function"                             \
  " JOIN thread ON thread.id = ranked.thread GROUP BY ranked.thread, ranked.function;"

/* After the rows, which are quicker to write without them. */
#define PROF_SQLITE_INDEXES                                                                                            \
  "CREATE INDEX call_by_function ON call(function, duration_ns);"                                                      \
  "CREATE INDEX call_by_begin ON call(thread, begin_ns);"                                                              \
  "CREATE INDEX path_by_parent ON path(parent);"

#endif
