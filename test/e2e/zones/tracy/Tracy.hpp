/* Stands where the real header does: with prof_tracy.h before it, its contents are skipped. */
#ifndef __TRACYHPP__
#define __TRACYHPP__
#error "the contents of tracy/Tracy.hpp are not skipped"
#endif
