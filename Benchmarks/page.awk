# Writes the page of the documentation. Reads goals.tsv: rows that have the same words before a colon are one line of the
# table.
BEGIN { FS = "\t" }
function number(value, result) {
  if (value !~ /^[0-9]+$/) return value == "" ? "–" : value
  while (length(value) > 3) {
    result = "," substr(value, length(value) - 2) result
    value = substr(value, 1, length(value) - 3)
  }
  return value result
}
function finish() {
  if (group != "") printf "| %s | %s | %s | %s |\n", group, costs, goals, hasPeer ? peers : ""
  costs = goals = peers = hasPeer = ""
}
FNR == 1 {
  toolchain = substr($0, 3)
  print "# What costs what"
  print ""
  print "What an application has in its hot path, what each of it may cost, and what another library needs for the same."
  print ""
  print "## Overview"
  print ""
  print "Figures without a sign are instructions, for each value or event in a release build, outside of the libraries:"
  print "they repeat where times do not. A × is a ratio of times in one process. A goal has room for a library that stays"
  print "simple: `.ci/full` fails where a goal is missed by more than a tenth, or where another library is cheaper."
  print "`Benchmarks/goals.tsv` has the rows; `Benchmarks/goals` measures them and makes this page. Measured with"
  print toolchain ". On other systems the figures differ, and what is dear does not."
  print ""
  print "| what | costs | goal | other libraries |"
  print "|---|---|---|---|"
}
/^#/ { next }
{
  place = index($2, ": ")
  name = place ? substr($2, 1, place - 1) : $2
  if (name != group) finish()
  group = name
  join = costs == "" ? "" : ", "
  sign = $3 == "instructions" ? "" : $3 == "bytes" ? " bytes" : " ×"
  costs = costs join (place ? substr($2, place + 2) ": " : "") number($4) ($4 == "" ? "" : sign)
  goals = goals join number($5) ($5 == "" ? "" : sign)
  peers = peers join ($7 == "" || $3 == "×" ? "–" : number($8) " " $7)
  if ($7 != "" && $3 != "×") hasPeer = 1
}
END { finish() }
