! prof.f90 - prof.h for Fortran: recording on and off, anew, snapshots, names of threads; zones, requests, frames,
! marks, counters, values, spans; own figures.
!
! Compile it with the program and the plugin; nothing is linked.  Without the plugin or a recording the procedures do
! nothing, and functions are false.  See prof-control(3), prof-zone(3), prof-points(3).  Trailing blanks are no part of
! a name.
module prof
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: prof_start, prof_stop, prof_is_recording, prof_clear, prof_snapshot, prof_thread_name
  public :: prof_read, prof_figures
  public :: prof_zone_begin, prof_zone_end, prof_request_begin, prof_request_end
  public :: prof_frame, prof_mark, prof_counter, prof_value, prof_span_begin, prof_span_end

  enum, bind(C) ! of the runtime
    enumerator :: stop_it = 0, start_it, ask, name_thread, clear_it, take_snapshot, name_it, read_it
  end enum

  ! Kinds and classes of struct prof_named_event of prof.h.
  integer(c_int), parameter :: enter_zone = int(z'1001'), leave_zone = int(z'1022'), point = int(z'1006'), &
    whole_point = int(z'1026'), real_point = int(z'3026'), id_point = int(z'5026'), zones = int(z'20000000')
  integer(c_int), parameter :: a_zone = 0, a_mark = 1, a_frame = 2, a_counter = 3, a_value = 4, a_request = 5, &
    a_begin = 6, an_end = 7

  type, bind(C) :: named_type
    type(c_ptr) :: rows, name
    integer(c_int64_t) :: value
    integer(c_int) :: kind, what, group, number
  end type

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
  type(hooks_type), bind(C, name="__prof_hooks_v1"), target :: hooks

  abstract interface
    function control_function(operation, argument) bind(C)
      import
      integer(c_int), value :: operation
      type(c_ptr), value :: argument
      integer(c_int) :: control_function
    end function
  end interface

  interface prof_counter
    module procedure count_long, count_whole, count_double, count_single
  end interface

  interface prof_value
    module procedure value_long, value_whole, value_double, value_single
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

  ! An event with a name.
  recursive subroutine put(kind, what, name, value, group)
    integer(c_int), intent(in) :: kind, what, group
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    character(len=len_trim(name) + 1, kind=c_char), target :: text
    type(named_type), target :: named
    logical :: ignored
    text = trim(name) // c_null_char
    named = named_type(c_loc(hooks), c_loc(text), value, kind, what, group, 0)
    ignored = control(name_it, c_loc(named))
  end subroutine

  logical function is_heard()
    is_heard = hooks%wire_version == 1
  end function

  ! The zone ends at prof_zone_end, which ends the thread's innermost one.
  subroutine prof_zone_begin(name)
    character(*), intent(in) :: name
    if (is_heard()) call put(enter_zone, a_zone, name, 0_c_int64_t, zones)
  end subroutine

  subroutine prof_zone_end()
    if (is_heard()) call put(leave_zone, a_zone, "", 0_c_int64_t, zones)
  end subroutine

  ! What follows works for the request, job or message of this number, of which other threads may do parts: a zone
  ! "request" that has the number.  It ends at prof_request_end, or prof_zone_end, as a zone does.
  subroutine prof_request_begin(id)
    integer(c_int64_t), intent(in) :: id
    if (.not. is_heard()) return
    call put(enter_zone, a_zone, "request", 0_c_int64_t, zones)
    call put(id_point, a_request, "request", id, 0)
  end subroutine

  subroutine prof_request_end()
    call prof_zone_end()
  end subroutine

  ! A frame of this name ends here, and the next one begins: at the same place of a loop, always by the same thread.
  subroutine prof_frame(name)
    character(*), intent(in) :: name
    if (is_heard()) call put(point, a_frame, name, 0_c_int64_t, 0)
  end subroutine

  ! Something happened now.
  subroutine prof_mark(text)
    character(*), intent(in) :: text
    if (is_heard()) call put(point, a_mark, text, 0_c_int64_t, 0)
  end subroutine

  ! Something with a number begins, and ends, in any procedure and thread.
  subroutine prof_span_begin(name, id)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: id
    if (is_heard()) call put(id_point, a_begin, name, id, 0)
  end subroutine

  subroutine prof_span_end(name, id)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: id
    if (is_heard()) call put(id_point, an_end, name, id, 0)
  end subroutine

  ! The value of a counter from now on: prof_counter(name, value) for integers and reals of 4 and 8 bytes.
  subroutine count_long(name, value)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    if (is_heard()) call put(whole_point, a_counter, name, value, 0)
  end subroutine

  subroutine count_whole(name, value)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call count_long(name, int(value, c_int64_t))
  end subroutine

  subroutine count_double(name, value)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: value
    if (is_heard()) call put(real_point, a_counter, name, transfer(value, 0_c_int64_t), 0)
  end subroutine

  subroutine count_single(name, value)
    character(*), intent(in) :: name
    real(c_float), intent(in) :: value
    call count_double(name, real(value, c_double))
  end subroutine

  ! A value that belongs to the call or zone that is open: prof_value(name, value), as prof_counter.
  subroutine value_long(name, value)
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    if (is_heard()) call put(whole_point, a_value, name, value, 0)
  end subroutine

  subroutine value_whole(name, value)
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call value_long(name, int(value, c_int64_t))
  end subroutine

  subroutine value_double(name, value)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: value
    if (is_heard()) call put(real_point, a_value, name, transfer(value, 0_c_int64_t), 0)
  end subroutine

  subroutine value_single(name, value)
    character(*), intent(in) :: name
    real(c_float), intent(in) :: value
    call value_double(name, real(value, c_double))
  end subroutine

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
