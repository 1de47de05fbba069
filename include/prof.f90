! prof.f90 - prof.h for Fortran: recording on and off, anew, snapshots, names of threads, own figures.
!
! Compile it with the program and the plugin; nothing is linked.  Without the plugin or a recording the procedures do
! nothing, and functions are false.  See prof-control(3).
module prof
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: prof_start, prof_stop, prof_is_recording, prof_clear, prof_snapshot, prof_thread_name
  public :: prof_read, prof_figures

  enum, bind(C) ! of the runtime
    enumerator :: stop_it = 0, start_it, ask, name_thread, clear_it, take_snapshot, take_name, read_it
  end enum

  type, bind(C) :: prof_figures ! struct prof_figures of prof.h: times in ns; of a function's calls in this process
    integer(c_int64_t) :: time_ns = 0, functions = 0
    integer(c_int64_t) :: calls = 0, calls_low = 0, calls_high = 0 ! calls_high -1: no upper bound
    integer(c_int64_t) :: total_ns = 0, running_ns = 0, waiting_ns = 0
    integer(c_int64_t) :: self_ns = 0, self_running_ns = 0, self_waiting_ns = 0
    integer(c_int64_t) :: min_ns = 0, avg_ns = 0, max_ns = 0, p50_ns = 0, p95_ns = 0, p99_ns = 0
  end type

  type, bind(C) :: question_type ! struct prof_question_ of prof.h
    type(c_ptr) :: name, figures
    integer(c_long) :: bytes
  end type

  type, bind(C) :: hooks_type ! struct prof_public_hooks of prof.h; filled by the runtime
    integer(c_int64_t) :: wire_version = 0
    type(c_funptr) :: control = c_null_funptr
  end type
  type(hooks_type), bind(C, name="__prof_hooks_v1") :: hooks

  abstract interface
    function control_function(operation, argument) bind(C)
      import
      integer(c_int), value :: operation
      type(c_ptr), value :: argument
      integer(c_int) :: control_function
    end function
  end interface

contains

  logical function control(operation, argument)
    integer(c_int), intent(in) :: operation
    type(c_ptr), intent(in) :: argument
    procedure(control_function), pointer :: call_runtime
    control = .false.
    if (hooks%wire_version /= 1) return
    call c_f_procpointer(hooks%control, call_runtime)
    control = call_runtime(operation, argument) == 1
  end function

  ! Stops recording in the whole process.
  subroutine prof_stop()
    logical :: ignored
    ignored = control(stop_it, c_null_ptr)
  end subroutine

  ! Goes on with it.  False: nothing can be recorded.
  logical function prof_start()
    prof_start = control(start_it, c_null_ptr)
  end function

  logical function prof_is_recording()
    prof_is_recording = control(ask, c_null_ptr)
  end function

  ! Names the calling thread, in up to 43 bytes; trailing blanks are no part of the name.
  subroutine prof_thread_name(name)
    character(*), intent(in) :: name
    character(len=len_trim(name) + 1, kind=c_char), target :: text
    logical :: ignored
    text = trim(name) // c_null_char
    ignored = control(name_thread, c_loc(text))
  end subroutine

  ! The recording begins here: readers show nothing from before.  False: nothing is recorded, or in several files.
  logical function prof_clear()
    prof_clear = control(clear_it, c_null_ptr)
  end function

  ! With --mode=ring: what is kept is written as a recording.  False: nothing is recorded, or in one file.
  logical function prof_snapshot()
    prof_snapshot = control(take_snapshot, c_null_ptr)
  end function

  ! The program's own figures of a function or zone.  False: there are none; the figures are zeros then.
  logical function prof_read(name, figures)
    character(*), intent(in) :: name
    type(prof_figures), intent(out), target :: figures
    character(len=len_trim(name) + 1, kind=c_char), target :: text
    type(question_type), target :: question
    text = trim(name) // c_null_char
    question = question_type(c_loc(text), c_loc(figures), int(c_sizeof(figures), c_long))
    prof_read = control(read_it, c_loc(question))
  end function

end module
