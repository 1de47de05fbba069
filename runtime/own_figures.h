/* own_figures.h - a program asks the recorder for figures of its own (prof_read of prof.h). */
#ifndef PROF_RUNTIME_OWN_FIGURES_H
#define PROF_RUNTIME_OWN_FIGURES_H

/* PROF_CONTROL_READ (wire/module.h).  Waits for the answer; 1: `figures` are filled. */
int prof_own_figures_control(const void *question);

#endif
