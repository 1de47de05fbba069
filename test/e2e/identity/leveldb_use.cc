/* leveldb_use.cc - the main program of leveldb in test_identity.py: writes, deletes, reads, iterates, compacts, opens
 * again. */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

static const int KEYS = 4000;

static std::string key(int number) {
  char text[32];
  std::snprintf(text, sizeof text, "key-%08d", number);
  return text;
}

static leveldb::DB *open(const char *folder) {
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 * 1024; /* so that tables are written and compacted by the other thread */
  leveldb::DB *db = nullptr;
  leveldb::Status status = leveldb::DB::Open(options, folder, &db);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    std::exit(2);
  }
  return db;
}

static void write(leveldb::DB *db) {
  for (int i = 0; i < KEYS; i += 100) {
    leveldb::WriteBatch batch;
    for (int j = i; j < i + 100; j++)
      batch.Put(key(j * 7919 % KEYS), std::string(static_cast<size_t>(j % 150), static_cast<char>('a' + j % 26)));
    db->Write(leveldb::WriteOptions(), &batch);
  }
  for (int i = 0; i < KEYS; i += 3)
    db->Delete(leveldb::WriteOptions(), key(i));
}

static void read(leveldb::DB *db) {
  unsigned long found = 0, bytes = 0, sum = 0;
  std::string value;
  for (int i = 0; i < KEYS; i++)
    if (db->Get(leveldb::ReadOptions(), key(i), &value).ok()) {
      found++;
      bytes += value.size();
    }
  std::unique_ptr<leveldb::Iterator> all(db->NewIterator(leveldb::ReadOptions()));
  for (all->SeekToFirst(); all->Valid(); all->Next())
    for (size_t i = 0; i < all->value().size(); i++)
      sum = sum * 31 + static_cast<unsigned char>(all->value()[i]);
  std::printf("%lu found, %lu bytes, sum %lu\n", found, bytes, sum);
}

int main(int count, char **arguments) {
  if (count < 2)
    return 1;
  std::unique_ptr<leveldb::DB> db(open(arguments[1]));
  write(db.get());
  read(db.get());
  db->CompactRange(nullptr, nullptr);
  db.reset();
  db.reset(open(arguments[1]));
  read(db.get());
  return 0;
}
