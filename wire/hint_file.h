/*
 * wire/hint_file.h - a list of functions that an earlier recording found dense and dull; `prof hints` writes it, the
 * plugin's argument `hints` reads it.
 *
 * A text.  Its first line is PROF_HINTS_HEAD.  Each further line is a function: its name for the linker, a tab, and its
 * source file as the recording has it, which may be empty.  Names with a tab or a newline are left out.
 */
#ifndef PROF_WIRE_HINT_FILE_H
#define PROF_WIRE_HINT_FILE_H

#define PROF_HINTS_FILE "hints" /* in the folder of the recording */
#define PROF_HINTS_HEAD "prof hints 1"

#endif
