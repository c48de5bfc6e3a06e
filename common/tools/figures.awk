# figures.awk: looks for the figures of paragraphs in the results that they name. Reads pages; run in the
# checkout.
#
# A paragraph with a figure needs a source when it names an H200, or stands in a section "What an H200
# measured":
#   <!-- from: PATH PATTERN -->       lines of that file in which PATTERN is found (all lines, without one)
#   <!-- derived: 1.8 = 1 / 0.558 --> reckoned from left to right; of the right side, decimals are looked for
# on lines right below it. A figure is a number with a decimal point or with a unit of time or speed. It is
# found where a number of the source, rounded to as many places, is the same.

FNR == 1 { end_of_paragraph(); code = generated = measured = 0 }
/^<!-- (results: |measured -->|lessons -->|counters -->)/ { generated = 1 }
/^<!-- (end of results|\/measured|\/lessons|\/counters) -->/ { generated = 0; next }
generated { next }
/^ *```/ { end_of_paragraph(); code = !code; next }
code { next }
/<summary>What an H200 measured/ { measured = 1; next }
/^<\/details>/ { end_of_paragraph(); measured = 0; next }
/^<!-- from: / { sources[++source_count] = inside_mark($0, "from"); next }
/^<!-- derived: / { derived[++derived_count] = inside_mark($0, "derived"); next }
/^$/ { end_of_paragraph(); next }
{ if (text == "") { page = FILENAME; first = FNR }; text = text " " $0 }
END { end_of_paragraph(); exit bad }

function inside_mark(line, word) { sub("^<!-- " word ": ", "", line); sub(/ -->$/, "", line); return line }

function complain(words) { printf "figures: %s:%d: %s\n", page, first, words; bad = 1 }

function end_of_paragraph(   i, n, side, wanted, count) {
  if (text != "" && (text ~ /H200/ || measured || source_count)) {
    count = figures_of(text, wanted)
    read_sources()
    for (i = 1; i <= derived_count; i++) {
      split(derived[i], side, " = ")
      if (!same(reckon(side[2]), side[1])) complain(side[2] " is " reckon(side[2]) ", not " side[1])
      known[++known_count] = side[1]
      n = split(side[2], side, " ")
      for (; n > 0; n--) if (side[n] ~ /^[0-9]+\.[0-9]+$/) wanted[++count] = side[n]
    }
    for (i = 1; i <= count; i++) {
      if (!source_count && !derived_count) {
        complain(wanted[i] " has no source: below the paragraph a line like " \
          "<!-- from: results/... --> says where it comes from")
        break
      }
      if (!is_known(wanted[i])) complain(wanted[i] " is not in what the paragraph names as its source")
    }
  }
  text = ""
  source_count = derived_count = known_count = 0
}

# figures_of TEXT: into wanted[1..].
function figures_of(text, wanted,   count, number, rest, before) {
  gsub(/\]\([^)]*\)/, "", text)
  gsub(/`[^`]*`/, "", text)
  gsub(/(driver|CUDA) [0-9.]+[0-9]/, "", text)
  rest = text
  while (match(rest, /[0-9][0-9,]*(\.[0-9]+)?/)) {
    before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : " "
    number = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    sub(/,+$/, "", number)
    if (before !~ /[A-Za-z0-9^]/ && (number ~ /\./ ||
      rest ~ /^(–[0-9.]+)? ?(ms|µs|[GT]B\/s|[GT]FLOP\/s)([^A-Za-z]|$)/ || rest ~ /^ times/ ||
        rest ~ /^ ×( [^0-9]|,|\.|$)/)) {
      gsub(/,/, "", number)
      wanted[++count] = number
    }
  }
  return count + 0
}

function read_sources(   i, path, pattern, line, lines, number, command) {
  for (i = 1; i <= source_count; i++) {
    path = pattern = sources[i]
    sub(/ .*/, "", path)
    if (!sub(/^[^ ]+ /, "", pattern)) pattern = ""
    lines = 0
    # JSON is kept as one line; a pattern picks members of it
    command = (path ~ /\.json$/ ? "jq . '" : "cat '") path "' 2>/dev/null"
    while ((command | getline line) > 0) {
      if (line !~ pattern) continue
      lines++
      while (match(line, /[0-9]+(\.[0-9]+)?/)) {
        known[++known_count] = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
      }
    }
    close(command)
    if (!lines) complain("no such line: " sources[i])
  }
}

# A op B op C..., from left to right.
function reckon(expression,   n, i, word, value) {
  n = split(expression, word, " ")
  value = word[1] + 0
  for (i = 2; i < n; i += 2) {
    if (word[i] == "*") value *= word[i + 1]
    else if (word[i] == "/") value /= word[i + 1]
    else if (word[i] == "+") value += word[i + 1]
    else value -= word[i + 1]
  }
  return value
}

# Whether the value, rounded to the places of what stands in the text, is that.
function same(value, written,   places, unit, apart) {
  places = written ~ /\./ ? length(written) - index(written, ".") : 0
  unit = 10 ^ -places
  apart = value - written
  return (apart < 0 ? -apart : apart) <= unit / 2 * 1.000001
}

function is_known(number,   i) {
  for (i = 1; i <= known_count; i++) if (same(known[i] + 0, number)) return 1
  return 0
}
