/*
 * tools/study/called.h - which functions a recording calls, without its events.
 */
#ifndef PROF_STUDY_CALLED_H
#define PROF_STUDY_CALLED_H

#include "study/recording.h"

/*
 * For views that have no fold: tells functions of one name apart (prof_names_apart) that are called in the threads and
 * the time of the filter.  Reads the heads of chunks, and those only if two functions of the recording have one name.
 * Without memory they are not told apart.
 */
void prof_recording_view_called(const struct prof_recording *);

#endif
