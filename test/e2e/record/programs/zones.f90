! zones.f90 - a Fortran program with zones, requests, frames, marks, counters, values and spans.
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
    call prof_value("cells", 10 * step)
    call prof_value("share", 0.25 * step)
    call prof_zone_end()
    call prof_zone_end()
    call serve(int(7 + mod(step, 2), c_int64_t))
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
  subroutine serve(id)
    integer(c_int64_t), intent(in) :: id
    call prof_request_begin(id)
    call assemble(3)
    call prof_value("long", 6000000000_c_int64_t)
    call prof_value("double", -0.5d0)
    call prof_request_end()
  end subroutine

  subroutine assemble(n)
    integer, intent(in) :: n
    if (n < 0) print *, n
  end subroutine
end program
