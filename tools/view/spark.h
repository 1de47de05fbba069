/*
 * tools/view/spark.h - a row of numbers as a picture of one line.
 */
#ifndef PROF_VIEW_SPARK_H
#define PROF_VIEW_SPARK_H

#include <stdbool.h>
#include <stddef.h>

#define PROF_SPARK_BYTES 3 /* of a number, at most */

/*
 * A character for each number, as high as it lies between `least` and `most`: one of eight levels; not a number: a
 * blank.  Without UTF-8 the levels are _ . : - = + * #.  Writes at most PROF_SPARK_BYTES for each, and NUL.
 */
void prof_spark(const double *numbers, size_t count, double least, double most, bool utf8, char *out);

#endif
