module solver
  implicit none
  interface
    module subroutine refine(x)
      real, intent(inout) :: x
    end subroutine
  end interface
  type :: grid
    real :: v
  contains
    procedure :: scale => grid_scale
  end type
  interface
    module function area(x) result(y)
      real, intent(in) :: x
      real :: y
    end function
  end interface
contains
  recursive function fact(n) result(r)
    integer, intent(in) :: n
    integer :: r
    if (n <= 1) then
      r = 1
    else
      r = n * fact(n - 1)
    end if
  end function
  subroutine grid_scale(this, by)
    class(grid), intent(inout) :: this
    real, intent(in) :: by
    this%v = this%v * by
    call inner()
  contains
    subroutine inner()
      this%v = this%v + 1
    end subroutine
  end subroutine
end module
submodule (solver) details
contains
  module subroutine refine(x)
    real, intent(inout) :: x
    x = x / 2
    call helper(x)
  end subroutine
  module procedure area
    y = x * x
  end procedure
  subroutine helper(x)
    real, intent(inout) :: x
    x = x + 1
  end subroutine
end submodule
subroutine outside(n)
  integer :: n
  n = n + 1
end subroutine
program heat
  use solver
  implicit none
  type(grid) :: g
  real :: x
  integer :: n
  g%v = 1
  x = 2
  n = fact(5)
  call g%scale(2.0)
  call refine(x)
  call outside(n)
  call local()
  print *, n, g%v, x, area(x)
contains
  subroutine local()
    n = n + 1
  end subroutine
end program
