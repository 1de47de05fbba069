# Puts the lists of `prof --dump-lists` (first file) where a man page (second file) has "@NAME@" on a line of its own.
BEGIN { FS = "\t" }
FILENAME == ARGV[1] {
  title = "*" $2 "*" ($1 == "commands" ? "(1)" : "")
  lists[$1] = lists[$1] title "\n\t" toupper(substr($3, 1, 1)) substr($3, 2) ".\n\n"
  next
}
/^@.*@$/ {
  name = substr($0, 2, length($0) - 2)
  if (!(name in lists))
    exit 1
  printf "%s", lists[name]
  next
}
{ print }
