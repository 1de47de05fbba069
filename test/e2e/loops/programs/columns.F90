! DO loops of Fortran, with counters by hand as in by_hand.h.
module by_hand
  implicit none
  integer, parameter :: most = 8
  character(len=8) :: names(most) = ' '
  integer(8) :: entries(most) = 0, iterations(most) = 0, least(most) = 0, greatest(most) = 0, empty(most) = 0
contains
  subroutine visit(at, name, made)
    integer, intent(in) :: at
    character(len=*), intent(in) :: name
    integer(8), intent(in) :: made
    names(at) = name
    if (made == 0) then
      empty(at) = empty(at) + 1
    else
      entries(at) = entries(at) + 1
      if (entries(at) == 1 .or. made < least(at)) least(at) = made
    end if
    iterations(at) = iterations(at) + made
    greatest(at) = max(greatest(at), made)
  end subroutine
  subroutine visits_write()
    character(len=512) :: path
    integer :: i, unit
    call get_environment_variable('LOOPS_OUT', path)
    open(newunit=unit, file=trim(path), action='write')
    do i = 1, most
      if (names(i) /= ' ') write(unit, '(a,5(1x,i0))') trim(names(i)), entries(i), iterations(i), least(i), greatest(i), empty(i)
    end do
    close(unit)
  end subroutine
end module

#ifdef COUNT_BY_HAND
#define LOOP_IN(made) made = 0
#define LOOP_IT(made) made = made + 1
#define LOOP_OUT(at, name, made) call visit(at, name, made)
#else
#define LOOP_IN(made)
#define LOOP_IT(made)
#define LOOP_OUT(at, name, made)
#endif

program columns
  use by_hand
  implicit none
  integer, volatile :: nothing = 0
  integer :: sizes(5) = (/ 0, 1, 6, 17, 100 /), turn
  real(8) :: total = 0, field(100, 100)
  field = 1
  do turn = 1, 5
    call stepped(sizes(turn) + nothing)
    call filled(sizes(turn) + nothing)
    call halved(real(sizes(turn) + nothing, 8))
    call at_once(sizes(turn) + nothing)
    call by_ways(sizes(turn) + nothing)
  end do
  print '(f0.3)', total
#ifdef COUNT_BY_HAND
  call visits_write()
#endif
contains
  subroutine stepped(n)
    integer, intent(in) :: n
    integer :: i
    integer(8) :: stepped_made
    LOOP_IN(stepped_made)
    do i = n, 1, -2 ! loop stepped
      LOOP_IT(stepped_made)
      if (mod(i, 5) == 4) cycle
      total = total + field(i, 1)
    end do
    LOOP_OUT(1, 'stepped', stepped_made)
  end subroutine
  subroutine filled(n)
    integer, intent(in) :: n
    integer :: i, j
    integer(8) :: outer_made, inner_made
    LOOP_IN(outer_made)
    do j = 1, n ! loop outer
      LOOP_IT(outer_made)
      LOOP_IN(inner_made)
      do i = 1, j ! loop inner depth=2
        LOOP_IT(inner_made)
        field(i, j) = field(i, j) * 0.5 + i
      end do
      LOOP_OUT(3, 'inner', inner_made)
    end do
    LOOP_OUT(2, 'outer', outer_made)
  end subroutine
  subroutine halved(x)
    real(8), value :: x
    integer(8) :: halved_made
    LOOP_IN(halved_made)
    do while (x > 0.5) ! loop halved
      LOOP_IT(halved_made)
      x = x / 2
      if (x > 40) exit
      total = total + x
    end do
    LOOP_OUT(4, 'halved', halved_made)
  end subroutine
  subroutine at_once(n)
    integer, intent(in) :: n
    integer :: i
    integer(8) :: concurrent_made
    LOOP_IN(concurrent_made)
    do concurrent (i = 1:n) ! loop at_once lines=3
      LOOP_IT(concurrent_made)
      field(i, 2) = field(i, 2) + i
    end do
    LOOP_OUT(5, 'at_once', concurrent_made)
  end subroutine
  subroutine by_ways(n)
    integer, intent(in) :: n
    integer :: i
    integer(8) :: ways_made
    i = 0
    LOOP_IN(ways_made)
    do while (i < n) ! loop by_ways
      LOOP_IT(ways_made)
      if (mod(i, 4) == 0) then
        i = i + 1
        cycle
      end if
      i = i + 2
      total = total + field(i, 2)
    end do
    LOOP_OUT(6, 'by_ways', ways_made)
  end subroutine
end program
