package Shapes is
   type Shape is tagged record Size : Integer; end record;
   function Area (S : Shape) return Integer;
   function Area (N : Integer) return Integer;
   package Inner is
      procedure Deep;
   end Inner;
   function "+" (L, R : Shape) return Shape;
   generic
      type T is private;
   package Gen is
      procedure Put (X : T);
   end Gen;
end Shapes;
