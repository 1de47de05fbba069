with Ada.Text_IO; use Ada.Text_IO;
with Shapes; use Shapes;
procedure Figures is
   package G is new Shapes.Gen (Integer);
   S : Shape := (Size => 3);
   task type Worker is entry Go; end Worker;
   task body Worker is begin accept Go do Put_Line ("go"); end Go; end Worker;
   W : Worker;
begin
   S := S + S;
   Put_Line (Integer'Image (Area (S)) & Integer'Image (Area (4)));
   Inner.Deep;
   G.Put (3);
   W.Go;
end Figures;
