# class-find.bash: which submissions there are and whose they are. Sourced by grader/class; class.jq does the thinking.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

# What lies in SUBMISSIONS, in ENTRIES: "name/type/seconds". The roster, an output folder in it and what file managers leave are
# none.
list_entries() {
  local entry name
  ENTRIES=()
  while IFS= read -r -d '' entry; do
    name=${entry%%/*}
    [[ $SUBMISSIONS/$name -ef $OUTPUT || (-n $ROSTER && $SUBMISSIONS/$name -ef $ROSTER) ]] || ENTRIES+=("$entry")
  done < <(find "$SUBMISSIONS" -mindepth 1 -maxdepth 1 ! -name '._*' ! -name .DS_Store ! -name __MACOSX ! -name Thumbs.db ! -name '.git*' -printf '%f/%y/%Ts\0' | LC_ALL=C sort -z)
  ((${#ENTRIES[@]})) ||
    stop 2 "$SUBMISSIONS holds no submissions: it should have a folder, an archive or a file for each, or a download of Moodle or Canvas."
}

# Groups the entries into submissions. Sets KEYS, and MEMBERS[key]: the numbers of its entries.
find_submissions() {
  local key members
  list_entries
  printf '%s\0' "${ENTRIES[@]}" >"$TMP/entries"
  jq -Rs -L "$GRADER_LIB" --arg suffix ".${NAME##*.}" 'include "class"; submissions_of($suffix)' "$TMP/entries" >"$TMP/found.json" ||
    stop 3 "the names in $SUBMISSIONS cannot be read (see above)."
  KEYS=()
  declare -gA MEMBERS=()
  while read -r key members; do
    KEYS+=("$key")
    MEMBERS[$key]=$members
  done < <(jq -r '.[] | "\(.key) \(.entries | map(tostring) | join(" "))"' "$TMP/found.json")
}

# ---- The roster ----

# Writes roster.json: the class, or null. A roster with a fault is refused as a whole, with the line.
read_roster() {
  printf 'null' >"$TMP/roster.json"
  [[ -n $ROSTER ]] || return 0
  local message
  [[ -f $ROSTER && -r $ROSTER ]] || stop 2 "--roster: there is no file $ROSTER that can be read."
  if command -v iconv >/dev/null && ! iconv -f UTF-8 -t UTF-8 <"$ROSTER" >/dev/null 2>&1; then
    stop 2 "$ROSTER is not in UTF-8. In a spreadsheet, save it as \"CSV UTF-8\"; or: iconv -f WINDOWS-1252 -t UTF-8 $ROSTER > roster.csv"
  fi
  if ! csv_fields <"$ROSTER" >"$TMP/roster.fields"; then
    stop 2 "$ROSTER:$(tail -n 1 "$TMP/roster.fields")"
  fi
  jq -Rs -L "$GRADER_LIB" 'include "roster"; roster' "$TMP/roster.fields" >"$TMP/roster.json" || stop 3 "$ROSTER cannot be read (see above)."
  message=$(jq -r 'if type == "object" then .error else "" end' "$TMP/roster.json")
  [[ -z $message ]] || stop 2 "$ROSTER:$message"
  read_times
}

# When something was handed in, as Moodle writes it into its worksheet ("Friday, 20 November 2026, 8:00 PM", the zone of whoever
# exported it), in seconds; null where it is not told, or in a language that date does not read.
read_times() {
  local text
  [[ $(jq -r 'any(.[]; .handed_in)' "$TMP/roster.json") == true ]] || return 0
  while IFS= read -r text; do
    [[ $text == *20[0-9][0-9]* ]] && LC_ALL=C date -d "${text//,/}" +%s 2>/dev/null || echo null
  done < <(jq -r '.[].handed_in' "$TMP/roster.json") >"$TMP/times"
  jq --slurpfile times "$TMP/times" 'to_entries | map(.value + {handed_in: $times[.key]})' "$TMP/roster.json" >"$TMP/timed.json"
  mv "$TMP/timed.json" "$TMP/roster.json"
}

# CSV from standard input, a line a record: the number of its line and its fields, each after a \037. Commas, semicolons
# or tabs, whichever the first line has most of; quotes as spreadsheets write them, with newlines in them too.
csv_fields() {
  LC_ALL=C awk '
    function end_field() { record = record "\037" field; field = ""; was_quoted = 0 }
    function end_record() { end_field(); if (record !~ /^\037*$/) print first record; record = ""; first = NR + 1 }
    function separator_of(line,   n, best, i, c, most) {
      gsub(/"[^"]*"/, "", line)
      most = -1
      for (i = 1; i <= 3; i++) {
        c = substr(",;\t", i, 1)
        n = split(line, parts, c)
        if (n > most) { most = n; best = c }
      }
      return best
    }
    NR == 1 { sub(/^\357\273\277/, ""); separator = separator_of($0); first = 1 }
    {
      sub(/\r$/, "")
      gsub(/[\001-\010\013-\037\177]/, " ")
      n = length($0)
      for (i = 1; i <= n; i++) {
        c = substr($0, i, 1)
        if (quoted) {
          if (c != "\"") field = field c
          else if (substr($0, i + 1, 1) == "\"") { field = field "\""; i++ }
          else quoted = 0
        } else if (c == separator) end_field()
        else if (c == "\"" && field ~ /^ *$/ && !was_quoted) { quoted = 1; was_quoted = 1; opened = NR; field = "" }
        else if (was_quoted && c != " ") { print NR ": text after a closing quotation mark; a quotation mark in a field is written twice"; failed = 1; exit 1 }
        else field = field c
      }
      if (quoted) field = field " "
      else end_record()
    }
    END { if (!failed && quoted) { print opened ": a quotation mark is opened here and never closed"; exit 1 } }'
}
