# Writes the page of the documentation. Reads the list of rows and the counted figures.
BEGIN { FS = "\t" }
FNR == 1 { part += 1 }
part == 1 {
  operation[$1] = $2; should[$1] = $3; repeatable[$1] = $4; unit[$1] = $5; note[$1] = $6; peer[$1] = $7; needed[$1] = $8
  next
}
{
  if (!($1 in first)) { first[$1] = $3; order[++count] = $1; allocations[$1] = $4; sizes[$1] = $2 ": " $3 }
  else { sizes[$1] = sizes[$1] ", " $2 ": " $3 }
}
function number(value, text, result) {
  text = sprintf("%d", value)
  while (length(text) > 3) { result = "," substr(text, length(text) - 2) result; text = substr(text, 1, length(text) - 3) }
  return text result
}
function allocated(value) { return value > 0.05 ? sprintf("%.1f", value) : "0" }
function printRow(row, others) {
  others = peer[row] == "" ? "" : number(needed[row]) " " peer[row]
  printf "| %s | `%s` | %s | %s | %s | %s | %s |\n", operation[row], row, number(first[row]), allocated(allocations[row]),
    unit[row] == "" ? "" : unit[row] " " sizes[row], others, note[row]
}
END {
  print "# What every operation costs"
  print ""
  print "Instructions and allocations of every public operation on the way of an event or a read, counted one by one."
  print ""
  print "## Overview"
  print ""
  print "Each row repeats one operation in a release build, from a module outside of the libraries, and callgrind counts: instructions"
  print "and heap allocations for each value, in the steady state. Counts repeat where times do not. The figures are of " toolchain "."
  print "On another system the figures differ; what is cheap and what is dear does not."
  print ""
  print "`Benchmarks/costs` writes this page, and `.ci/full` fails if an operation needs more than 3 % more than it did. Where another library has"
  print "the operation, its count stands beside ours: the newest releases of OpenCombine, RxSwift and ReactiveSwift in autumn 2026, with"
  print "the same closures. A size stands before its figure where the cost might grow with it."
  print ""
  head = "| operation | row | instructions | allocations | by size | another library | why |\n|---|---|--:|--:|---|---|---|"
  print "## On one thread"
  print ""
  print head
  for (i = 1; i <= count; i++) if (repeatable[order[i]] == "yes") printRow(order[i])
  print ""
  print "## With tasks and threads"
  print ""
  print "These counts differ from run to run, because it depends on the threads who waits for whom."
  print ""
  print head
  for (i = 1; i <= count; i++) if (repeatable[order[i]] != "yes") printRow(order[i])
}
