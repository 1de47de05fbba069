/*
 * queries.c - statements of SQLite in all the ways that they are run, and of PostgreSQL by a double of its library.
 * Says "want LIBRARY CALLS FAILED ROWS PREPARED STATEMENT".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

struct pg_conn;
struct pg_result;
struct pg_result *PQexec(struct pg_conn *, const char *);
struct pg_result *PQexecParams(struct pg_conn *, const char *, int, const unsigned *, const char *const *, const int *,
                               const int *, int);
struct pg_result *PQprepare(struct pg_conn *, const char *, const char *, int, const unsigned *);
struct pg_result *PQexecPrepared(struct pg_conn *, const char *, int, const char *const *, const int *, const int *,
                                 int);
int PQsendQuery(struct pg_conn *, const char *);
struct pg_result *PQgetResult(struct pg_conn *);

static void need(int good, const char *what) {
  if (good)
    return;
  printf("failed: %s\n", what);
  exit(1);
}

static __attribute__((noinline)) void insert(sqlite3 *db, int count) {
  sqlite3_stmt *statement;
  need(sqlite3_prepare_v2(db, "INSERT INTO t  VALUES(?, ?)", -1, &statement, NULL) == SQLITE_OK, "prepare insert");
  for (int i = 0; i < count; i++) {
    sqlite3_bind_int(statement, 1, i);
    sqlite3_bind_text(statement, 2, "text", -1, SQLITE_STATIC);
    need(sqlite3_step(statement) == SQLITE_DONE, "insert");
    sqlite3_reset(statement);
  }
  need(sqlite3_finalize(statement) == SQLITE_OK, "finalize insert");
}

/* Values in the text: still one statement. */
static __attribute__((noinline)) int find(sqlite3 *db, int id) {
  char sql[100];
  sqlite3_stmt *statement;
  snprintf(sql, sizeof sql, "SELECT b FROM t WHERE a < %d AND b = 'text' -- %d", id, id);
  need(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, "prepare select");
  int rows = 0;
  while (sqlite3_step(statement) == SQLITE_ROW)
    rows++;
  sqlite3_finalize(statement);
  return rows;
}

/* Of ten rows it takes two. */
static __attribute__((noinline)) void leave_early(sqlite3 *db) {
  sqlite3_stmt *statement;
  need(sqlite3_prepare_v2(db, "SELECT a FROM t", -1, &statement, NULL) == SQLITE_OK, "prepare early");
  need(sqlite3_step(statement) == SQLITE_ROW && sqlite3_step(statement) == SQLITE_ROW, "rows");
  sqlite3_finalize(statement);
}

static int visit(void *db, int columns, char **values, char **names) {
  (void)columns, (void)values, (void)names;
  return find(db, 1) != 1;
}

static __attribute__((noinline)) void sqlite(void) {
  sqlite3 *db;
  need(sqlite3_open(":memory:", &db) == SQLITE_OK, "open");
  need(sqlite3_exec(db, "CREATE TABLE t(a INTEGER PRIMARY KEY, b)", NULL, NULL, NULL) == SQLITE_OK, "create");
  insert(db, 10);
  int rows = 0;
  for (int id = 1; id <= 5; id++)
    rows += find(db, id);
  leave_early(db);
  need(sqlite3_exec(db, "SELECT a FROM t WHERE a IN (1, 2, 3)", visit, db, NULL) == SQLITE_OK, "exec");
  need(sqlite3_exec(db, "INSERT INTO t VALUES(1, 'again')", NULL, NULL, NULL) == SQLITE_CONSTRAINT, "constraint");
  char **table;
  int table_rows, columns;
  need(sqlite3_get_table(db, "SELECT b FROM t WHERE a > 7", &table, &table_rows, &columns, NULL) == SQLITE_OK, "table");
  sqlite3_free_table(table);
  sqlite3_stmt *statement;
  need(sqlite3_prepare_v2(db, "SELECT nothing FROM nowhere", -1, &statement, NULL) == SQLITE_ERROR, "error");
  need(sqlite3_close(db) == SQLITE_OK, "close");
  printf("want sqlite 1 0 0 0 CREATE TABLE t(a INTEGER PRIMARY KEY, b)\n");
  printf("want sqlite 11 1 0 1 INSERT INTO t VALUES(?, ...)\n");
  printf("want sqlite 8 0 %d 8 SELECT b FROM t WHERE a < ? AND b = ?\n", rows + 3);
  printf("want sqlite 1 0 2 1 SELECT a FROM t\n");
  printf("want sqlite 1 0 3 0 SELECT a FROM t WHERE a IN (?, ...)\n");
  printf("want sqlite 1 0 2 0 SELECT b FROM t WHERE a > ?\n");
}

static __attribute__((noinline)) void postgres(struct pg_conn *connection) {
  need(PQexec(connection, "SELECT 3 /* rows */") != NULL, "PQexec");
  need(PQexecParams(connection, "SELECT 2 + $1", 0, NULL, NULL, NULL, NULL, 0) != NULL, "PQexecParams");
  need(PQexec(connection, "fail 'this'") != NULL, "PQexec fails");
  need(PQprepare(connection, "named", "UPDATE t SET a = 5 WHERE b = $1", 0, NULL) != NULL, "PQprepare");
  for (int i = 0; i < 4; i++)
    need(PQexecPrepared(connection, "named", 0, NULL, NULL, NULL, 0) != NULL, "PQexecPrepared");
  need(PQsendQuery(connection, "SELECT 7") == 1, "PQsendQuery");
  while (PQgetResult(connection) != NULL)
    ;
  printf("want postgresql 2 0 6 0 SELECT ?\n");
  printf("want postgresql 1 0 3 0 SELECT ? + $1\n");
  printf("want postgresql 1 1 0 0 fail ?\n");
  printf("want postgresql 4 0 20 1 UPDATE t SET a = ? WHERE b = $1\n");
}

int main(void) {
  sqlite();
  postgres((struct pg_conn *)&(int){1});
  return 0;
}
