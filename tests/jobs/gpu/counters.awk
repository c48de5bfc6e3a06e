# Prints the table of tests/jobs/gpu/counters. Reads ncu's figures (program, metric, value), counters.names,
# and cucc's figures (program, name, value). Exit status 1 if one differs by more than a percent or is
# missing.

FNR == 1 { file++ }
file == 1 { gpu[$1, $2] += $3; seen[$1, $2] = 1; next }
file == 2 { if ($3 != "-") metrics[$1] = $3; next }
{
  if (!($1 in known)) { known[$1] = 1; programs[++count] = $1 }
  here[$1, $2] = $3
}

# ncu's figure for a name: the sum of its metrics, or "" if it gave none of them.
function there(program, name,    n, part, i, sum, any) {
  n = split(metrics[name], part, "+")
  for (i = 1; i <= n; i++) if ((program, part[i]) in seen) { any = 1; sum += gpu[program, part[i]] }
  return any ? sum : ""
}

function absolute(x) { return x < 0 ? -x : x }

# A cell "ours / theirs". The difference is relative to `scale`.
function cell(ours, theirs, form, scale,    difference) {
  if (theirs == "") { if (ours == 0) return "–"; worst = 100; return sprintf(form " / ?", ours) }
  if (ours == 0 && theirs == 0) return "–"
  if (scale == 0) scale = theirs ? theirs : ours
  difference = 100 * absolute(ours - theirs) / absolute(scale)
  if (difference > worst) worst = difference
  return sprintf(form " / " form, ours, theirs)
}

function ratio(x, y) { return y == "" || x == "" ? "" : y ? x / y : 0 }

function each(program, op) {
  return cell(ratio(here[program, op ".sectors"], here[program, op ".requests"]), \
              ratio(there(program, op ".sectors"), there(program, op ".requests")), "%.2f", 0)
}

# The difference of conflicts is relative to all wavefronts: 0 here and one in a thousand there agree within a
# percent.
function conflicts(program, op) {
  return cell(here[program, op ".conflicts"], there(program, op ".conflicts"), "%d",
    there(program, op ".wavefronts"))
}

function plain(program, name) { return cell(here[program, name], there(program, name), "%d", 0) }

END {
  print "Each cell: cucc / ncu. Differences of conflicts are percent of all wavefronts."
  print ""
  printf "| program | load requests | sectors a load | store requests | sectors a store "
  printf "| shared load wavefronts | conflicts | shared store wavefronts | conflicts "
  print "| global atomics | shared atomics | largest difference |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= count; i++) {
    p = programs[i]; worst = 0
    row = "| " p " | " plain(p, "ld.requests") " | " each(p, "ld") " | " plain(p,
      "st.requests") " | " each(p, "st") \
      " | " plain(p, "shared_ld.wavefronts") " | " conflicts(p, "shared_ld") " | " plain(p,
        "shared_st.wavefronts") \
      " | " conflicts(p, "shared_st") " | " plain(p, "atomics.global") " | " plain(p, "atomics.shared")
    printf "%s | %.2f %% |\n", row, worst
    if (worst > 1) bad++
  }
  printf "\n%d of %d programs within 1 %%.\n", count - bad, count
  exit bad > 0 || count == 0
}
