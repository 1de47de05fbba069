/* birds.m - methods of instances and classes, a super call, a category; no header, since each runtime has others. */
int printf(const char *, ...);
id objc_getClass(const char *);
id class_createInstance(Class, unsigned long);

@interface Animal {
  Class isa;
}
- (int)legs;
- (int)legsTimes:(int)count plus:(int)more;
+ (int)made;
@end

@implementation Animal
- (int)legs {
  return 4;
}
- (int)legsTimes:(int)count plus:(int)more {
  return [self legs] * count + more;
}
+ (int)made {
  return 7;
}
@end

@interface Bird : Animal
@end

@implementation Bird
- (int)legs {
  return [super legs] - 2;
}
@end

@interface Bird (Wings)
- (int)wings;
@end

@implementation Bird (Wings)
- (int)wings {
  return 2;
}
@end

static int outer(Animal *animal) {
  return [animal legsTimes:3 plus:1];
}

int main(void) {
  Animal *animal = class_createInstance(objc_getClass("Animal"), 0);
  Bird *bird = class_createInstance(objc_getClass("Bird"), 0);
  printf("%d %d %d %d\n", outer(animal), outer(bird), [bird wings], [Animal made]);
  return 0;
}
