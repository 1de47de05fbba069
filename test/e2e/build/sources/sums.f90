! sums.f90 - a module procedure, called five times.
module sums
contains
  integer function half(n)
    integer, intent(in) :: n
    half = n / 2
  end function
end module

program main
  use sums
  integer :: i, total
  total = 0
  do i = 1, 5
    total = total + half(2 * i)
  end do
  print '(i0)', total
end program
