/*
 * source_place.h - a line and column of the source, for the backends (C++).
 */
#ifndef PROF_PLUGIN_SOURCE_PLACE_H
#define PROF_PLUGIN_SOURCE_PLACE_H

struct prof_source_place {
  unsigned line, column; /* each counts from 1; line 0: none */
  bool operator<(const prof_source_place &other) const {
    return line < other.line || (line == other.line && column < other.column);
  }
  bool operator==(const prof_source_place &other) const { return line == other.line && column == other.column; }
};

#endif
