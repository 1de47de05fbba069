/*
 * orders.c - fills a table of SQLite: 100,000 orders, or as many as the first argument says, in one transaction.
 *
 * Each order is a text of SQL, which SQLite parses anew.  With a second argument there is one prepared statement for
 * all.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static void check(int status) {
  if (status != SQLITE_OK && status != SQLITE_DONE) {
    fprintf(stderr, "orders: %s\n", sqlite3_errstr(status));
    exit(1);
  }
}

static void run(sqlite3 *database, const char *text) {
  check(sqlite3_exec(database, text, NULL, NULL, NULL));
}

static void add_texts(sqlite3 *database, int count) {
  char text[100];
  for (int i = 0; i < count; i++) {
    snprintf(text, sizeof text, "INSERT INTO orders VALUES (%d, %d, %d)", i, i * 7919 % 1000, i % 100 * 25);
    run(database, text);
  }
}

static void add_prepared(sqlite3 *database, int count) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, "INSERT INTO orders VALUES (?, ?, ?)", -1, &statement, NULL));
  for (int i = 0; i < count; i++) {
    check(sqlite3_bind_int(statement, 1, i));
    check(sqlite3_bind_int(statement, 2, i * 7919 % 1000));
    check(sqlite3_bind_int(statement, 3, i % 100 * 25));
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
  }
  check(sqlite3_finalize(statement));
}

static int print(void *context, int count, char **values, char **names) {
  (void)context, (void)names;
  for (int i = 0; i < count; i++)
    printf("%s\n", values[i]);
  return 0;
}

int main(int count, char **words) {
  sqlite3 *database;
  check(sqlite3_open(":memory:", &database));
  run(database, "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, price INTEGER)");
  run(database, "BEGIN");
  if (count > 2)
    add_prepared(database, atoi(words[1]));
  else
    add_texts(database, count > 1 ? atoi(words[1]) : 100000);
  run(database, "COMMIT");
  check(sqlite3_exec(database, "SELECT sum(price) FROM orders", print, NULL, NULL));
  check(sqlite3_close(database));
  return 0;
}
