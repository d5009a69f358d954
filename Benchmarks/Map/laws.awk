# What every row must keep, whatever the machine. Reads the list of rows and the counted figures.
#
# - No row needs more than eight times what it should, and none more than three times without a reason. The rows in `beyond`
#   are exceptions, each with its reason.
# - At most 60 rows need more than three times what they should: a number that may fall, and does not rise.
# - No other library needs less.
# - Types and key paths are not looked up, and nothing is allocated, but where a row says why.
# - What is counted does not grow with what the row is repeated for, but where a row says why.
BEGIN {
  FS = "\t"
  # The compiler (6.3) leaves generic what a loop over a parameter pack calls. Up to eight streams have a row type each.
  beyond["combineLatest.9"] = 1
}
FNR == 1 { part += 1 }
part == 1 {
  operation[$1] = $2; should[$1] = $3; repeatable[$1] = $4; note[$1] = $6; peer[$1] = $7; needed[$1] = $8
  next
}
{
  if (!($1 in first)) { first[$1] = $3; order[++count] = $1; size[$1] = $2 }
  last[$1] = $3; end[$1] = $2
  if ($4 > 0.05) allocations[$1] = $4
  if ($5 > 0.05) metadata[$1] = $5
  if ($6 > 0.05) paths[$1] = $6
}
function broken(row, text) { printf "costs: %s %s\n", row, text; failed = 1 }
END {
  for (i = 1; i <= count; i++) {
    row = order[i]
    # What tasks and threads take differs from run to run: it is shown.
    if (repeatable[row] != "yes") continue
    factor = first[row] / should[row]
    if (factor > 8 && !(row in beyond)) broken(row, sprintf("needs %d instructions, %.1f times the %d that it should", first[row], factor, should[row]))
    else if (factor > 3) {
      dear += 1
      if (note[row] == "") broken(row, sprintf("needs %.1f times what it should, and has no note that says why", factor))
    }
    if (needed[row] != "" && first[row] > needed[row]) broken(row, sprintf("needs %d instructions, and %s %d", first[row], peer[row], needed[row]))
    if (note[row] == "") {
      if (row in metadata) broken(row, sprintf("looks up %.2f types for each value, and has no note that says why", metadata[row]))
      if (row in paths) broken(row, sprintf("makes %.2f key paths for each value, and has no note that says why", paths[row]))
      if (row in allocations) broken(row, sprintf("allocates %.2f times for each value, and has no note that says why", allocations[row]))
      growth = last[row] / (first[row] > 0 ? first[row] : 1)
      if (end[row] != size[row] && growth > 1.5) broken(row, sprintf("grows by %.1f from %d to %d, and has no note that says why", growth, size[row], end[row]))
    }
  }
  if (dear > 60) broken("the map", sprintf("has %d rows above three times what they should need, and 60 are the limit", dear))
  printf "%d rows, %d of them above three times what they should need.\n", count, dear
  exit failed
}
