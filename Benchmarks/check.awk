# Compares what was measured with the goals: fails with the names of the rows that miss theirs by more than a tenth,
# that allocate more than they may, or that a peer has for less. Reads goals.tsv and the measured rows.
#
# Instructions are those of one toolchain and one architecture, which stand in the first line of goals.tsv: elsewhere
# they are shown.
BEGIN { FS = "\t" }
function broken(text) { printf "goals: %s %s\n", $1, text; failed = 1 }
FNR == 1 { part += 1 }
part == 1 && FNR == 1 {
  same = $0 == "# " here
  if (!same) print $0 " is not " here ": instructions are shown, and do not fail."
}
/^#/ { next }
part == 1 { goals[$1] = $5; units[$1] = $3; allocated[$1] = $6; peer[$1] = $7; needs[$1] = $8; next }
{
  measured[$1] = 1
  if (!($1 in goals)) { broken("was measured, and has no line in goals.tsv"); next }
  line = sprintf("%-26s %10s %-12s goal %s", $1, $2, units[$1], goals[$1] == "" ? "–" : goals[$1])
  if (peer[$1] != "") line = line ", " peer[$1] " " needs[$1]
  print line
  if (units[$1] == "instructions" && !same) next
  if (goals[$1] != "" && $2 > goals[$1] * 1.1) broken("is " $2 " " units[$1] ", and its goal is " goals[$1])
  if (needs[$1] != "" && $2 >= needs[$1]) broken("is " $2 " " units[$1] ", and " peer[$1] " has it for " needs[$1])
  if ($3 != "" && allocated[$1] != "" && $3 > allocated[$1] * 1.1 + 0.05)
    broken("allocates " $3 " times, and may " allocated[$1])
}
END {
  for (name in goals) if (!(name in measured)) { printf "goals: %s was not measured\n", name; failed = 1 }
  exit failed
}
