! solve.f90 - controls its own recording: what comes before prof_clear, and between prof_stop and prof_start, isn't shown.
program solve
  use prof
  implicit none
  logical :: cleared, on, known
  type(prof_figures) :: figures
  call prof_thread_name("solver   ")
  call setup()
  cleared = prof_clear()
  call work(3)
  call prof_stop()
  on = prof_is_recording()
  call hidden()
  print *, cleared, on, prof_start(), prof_is_recording(), prof_snapshot()
  call work(2)
  known = prof_read("solve::work  ", figures)
  print *, known, figures%calls == 2, figures%total_ns > 0, prof_read("nothing", figures), figures%calls > 0
contains
  subroutine setup()
    print *, "setup"
  end subroutine
  subroutine hidden()
    print *, "hidden"
  end subroutine
  subroutine work(n)
    integer, intent(in) :: n
    print *, "work", n
  end subroutine
end program
