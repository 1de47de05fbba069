module animals;
import std.stdio;
class Animal { int legs() { return 4; } this(int n) { this.n = n; } int n; static int made(T)(T x) { return cast(int) x + 1; } ~this() {} }
class Bird : Animal { this() { super(2); } override int legs() { return 2; } }
struct Pair(T) { T a, b; T sum() const { return a + b; } T opBinary(string op)(T r) { return a + r; } }
int outer(int n) { int inner(int k) { return k + n; } auto f = (int x) => inner(x) * 2; return f(n); }
int thrower(int n) { if (n == 0) throw new Exception("x"); return thrower(n - 1); }
void main() {
  Animal a = new Bird; int n = a.legs() + Animal.made(3.5);
  auto p = Pair!int(1, 2); n += p.sum() + (p + 3); n += outer(3);
  try { thrower(3); } catch (Exception e) { n++; }
  writeln(n);
}
