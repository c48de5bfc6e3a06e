# Prints the tables of tests/jobs/gpu/agreement. Reads the remarks, programs.tsv, here.tsv and the results of
# the runs. Exit status 1 if a row that needs a remark has none: a finding there and not here, or any finding
# for right code.

FNR == 1 { file++ }
file == 1 { if (!/^#/ && NF > 1) remark[$1] = $2; next }
file == 2 { order[++count] = $1; fault[$1] = $3; binary[$1] = $4; next }
file == 3 { status[$1] = $2; tools[$1] = $3; sentence[$1] = $4; next }
{ ran[$1] = 1; code[$1, $2] = $3; errors[$1, $2] = $4; words[$1, $2] = $5 }

function shortened(text, most) { return length(text) > most ? substr(text, 1, most - 1) "…" : text }

function here(p) {
  if (status[p] == "compile") return "does not compile"
  if (tools[p] != "") return tools[p]
  return status[p] == 0 ? "–" : "status " status[p]
}

function plain(p) {
  if (!(p in ran)) return binary[p] == "yes" ? "not run" : shortened(binary[p], 60)
  if (code[p, "plain"] ~ /^[0-9]+$/ && code[p, "plain"] == 0) return words[p,
    "plain"] == "" ? "–" : "prints: " shortened(words[p, "plain"], 40)
  if (code[p, "plain"] ~ /^[0-9]+$/) return "status " code[p,
    "plain"] (words[p, "plain"] == "" ? "" : ": " shortened(words[p, "plain"], 50))
  return code[p, "plain"]
}

function tool(p, t) {
  if (!(p in ran)) return ""
  if (errors[p, t] > 0) return errors[p, t] " × " shortened(words[p, t], 48)
  if (code[p, t] !~ /^[0-9]+$/) return code[p, t]
  return "–"
}

function found_there(p) {
  return errors[p, "memcheck"] > 0 || errors[p, "racecheck"] > 0 || errors[p, "initcheck"] > 0 ||
    errors[p, "synccheck"] > 0
}

function clean_there(p) {
  return !(p in ran) || code[p, "plain"] ~ /^needs/ || (plain(p) == "–" && !found_there(p))
}

function row(p, wants) {
  if (wants && !(p in remark)) { remark[p] = "**no remark yet**"; missing++ }
  printf "| %s | %s%s | %s | %s | %s | %s | %s | %s |\n", p, p in fault &&
    fault[p] != "" ? fault[p] " | " : "", here(p), plain(p), \
    tool(p, "memcheck"), tool(p, "racecheck"), tool(p, "initcheck"), tool(p, "synccheck"), remark[p]
}

function heading(with_fault) {
  printf "\n| program | %shere | plain run | memcheck | racecheck | initcheck | synccheck | remark |\n",
    with_fault ? "fault | " : ""
  printf "|---|%s---|---|---|---|---|---|---|\n", with_fault ? "---|" : ""
}

function kind(p) { return substr(p, 1, index(p, "/") - 1) }

# Prints the right or the corrected programs that have findings, and the number of all.
function quiet(p) { return here(p) == "–" && clean_there(p) && p in ran && code[p, "plain"] !~ /^needs/ &&
  !(p in remark) }

function silent_ones(which, what,    i, p, n, here_clean, there_clean, of, began, silent) {
  for (i = 1; i <= count; i++) if (kind(order[i]) == which) {
    p = order[i]; n++
    here_clean += here(p) == "–"
    if (p in ran) { of++; there_clean += clean_there(p) }
    if (quiet(p)) silent = silent (silent == "" ? " " : ", ") substr(p, length(which) + 2)
  }
  printf "\n## %s\n\n%d programs; here %d end well and without a finding; ", what, n, here_clean
  printf "on the hardware %d of %d, plainly and under all tools.\n", there_clean, of
  if (silent != "") printf "\nSilent everywhere:%s.\n", silent
  for (i = 1; i <= count; i++) {
    p = order[i]
    if (kind(p) != which || quiet(p)) continue
    if (!began++) heading(0)
    row(p, here(p) != "–" || !clean_there(p))
  }
}

END {
  for (i = 1; i <= count; i++) if (kind(order[i]) == "faulty") {
    p = order[i]; faulty++
    ours = tools[p] != ""
    mine += ours
    if (!(p in ran)) continue
    measured++
    theirs += found_there(p)
    shows += found_there(p) || plain(p) != "–"
    both += ours && found_there(p)
    only_here += ours && !found_there(p)
    only_there += !ours && found_there(p)
  }
  printf "# Findings here and on the hardware\n\n"
  printf "Of %d faulty programs cucc finds %d. Of the %d that ran on the hardware, ", faulty, mine, measured
  printf "compute-sanitizer's four tools find %d: %d that cucc finds too, %d that it does not; ", \
    theirs, both, only_there
  printf "%d are found by cucc alone. %d show themselves on the hardware at all, ", only_here, shows
  print "the plain run included (a wrong result, an error, a hang)."
  printf "\n–: nothing. N × words: errors that the tool counts, and its first. "
  printf "memcheck runs with --leak-check full; racecheck is about shared memory only, "
  print "initcheck about global memory."
  print "\n## Faulty programs"
  heading(1)
  for (i = 1; i <= count; i++) if (kind(order[i]) == "faulty") row(order[i], tools[order[i]] == "" ||
    binary[order[i]] != "yes")
  silent_ones("fixed", "Their mended twins")
  silent_ones("right", "Right programs")
  silent_ones("semantics", "What calls and faults return (plain runs only)")
  if (missing) printf "\n%d rows want a remark in tests/jobs/gpu/agreement.remarks.\n", missing
  exit missing > 0
}
