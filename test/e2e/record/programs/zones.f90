! zones.f90 - a Fortran program with zones, frames, marks, counters and spans.
program steps
  use, intrinsic :: iso_c_binding
  use prof
  implicit none
  integer :: step
  real :: residual
  residual = 8.0
  do step = 1, 3
    call prof_frame("step  ")
    call prof_span_begin("exchange", int(step, c_int64_t))
    call prof_zone_begin("assemble " // achar(iachar("0") + step))
    call assemble(step)
    call prof_zone_begin("inner")
    call assemble(step)
    call prof_zone_end()
    call prof_zone_end()
    residual = residual / 2
    call prof_counter("residual", residual)
    call prof_counter("error", 0.5d0)
    call prof_counter("cells", 1000 * step)
    call prof_counter("bytes", 5000000000_c_int64_t)
    call prof_span_end("exchange", int(step, c_int64_t))
  end do
  call prof_mark("solved")
  print *, "done"
contains
  subroutine assemble(n)
    integer, intent(in) :: n
    if (n < 0) print *, n
  end subroutine
end program
