/* measures.h - loads the library of measures, where the recorder asks for one (wire/measure.h). */
#ifndef PROF_RUNTIME_MEASURES_H
#define PROF_RUNTIME_MEASURES_H

/* After a module was attached: loads the library if it is wanted, and lets it wrap the functions of new objects. */
void prof_measures_attach(void);

#endif
