/* Stands where the real header does: with prof_tracy.h before it, its contents are skipped. */
#ifndef __TRACYC_HPP__
#define __TRACYC_HPP__
#error "the contents of tracy/TracyC.h are not skipped"
#endif
