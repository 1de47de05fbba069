package body Shapes is
   Count : Integer := 0;
   function Area (S : Shape) return Integer is begin return S.Size * S.Size; end Area;
   function Area (N : Integer) return Integer is begin return N * N; end Area;
   package body Inner is
      procedure Deep is
         procedure Nested is begin Count := Count + 1; end Nested;
      begin Nested; raise Constraint_Error;
      exception when Constraint_Error => Count := Count + 1;
      end Deep;
   end Inner;
   function "+" (L, R : Shape) return Shape is begin return (Size => L.Size + R.Size); end "+";
   package body Gen is
      procedure Put (X : T) is begin Count := Count + 1; end Put;
   end Gen;
end Shapes;
