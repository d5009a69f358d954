# Compares counted figures with the kept ones: fails with the names of the rows that need more than 3 % more, or, where the time
# is asked for, a fifth more.
# Reads the list of rows, the kept figures and the counted ones.
#
# The runtime finds a type in a table by the addresses of what it is made of, which differ from build to build. So the number of
# steps of each search differs: a row may need 64 instructions more for each type that it looks up.
BEGIN { FS = "\t" }
FNR == 1 { part += 1 }
/^#/ { next }
part == 1 { repeatable[$1] = $4; next }
part == 2 { instructions[$1, $2] = $3; allocations[$1, $2] = $4; lookups[$1, $2] = $5; kept[$1, $2] = 1; next }
repeatable[$1] != "yes" { next }
{
  counted[$1, $2] = 1
  rows += 1
  if (!(($1, $2) in kept)) {
    print "costs: " $1 " at " $2 " has no kept figure: Benchmarks/costs write"
    failed = 1
    next
  }
  was = instructions[$1, $2]
  # What is recorded asks for the time. If a thread is just writing it, that takes an instruction; otherwise it asks the system.
  share = $1 ~ /^(ins|jrn)\.|record/ ? 1.2 : 1.03
  # A large table of objects finds them by their addresses, too. At its smaller sizes the row is held to the 3 %.
  if ($2 > 1000 && share < 1.1) share = 1.1
  # A row of few instructions may differ by two, where the program around it is laid out in another way.
  if ($3 > was * share + 64 * lookups[$1, $2] && $3 > was + 2) {
    printf "costs: %s at %s needs %d instructions, and %d were kept (%+.1f %%)\n", $1, $2, $3, was, ($3 / was - 1) * 100
    failed = 1
  }
  if ($4 > allocations[$1, $2] + 0.02) {
    printf "costs: %s at %s allocates %.2f times, and %.2f were kept\n", $1, $2, $4, allocations[$1, $2]
    failed = 1
  }
  if (was > $3 * 1.03 && was > $3 + 2) less += 1
}
END {
  for (key in kept) {
    split(key, parts, SUBSEP)
    if (!(parts[1] in repeatable)) { print "costs: " parts[1] " is kept, and is no row any more: Benchmarks/costs write"; failed = 1 }
  }
  if (failed) {
    print "A deliberate change is kept by Benchmarks/costs write, which rewrites the figures and the page."
    exit 1
  }
  printf "%d figures are as they were kept", rows
  if (less) printf ", %d of them are lower by more than 3 %%: Benchmarks/costs write keeps them", less
  print "."
}
