# class-find.bash: finds the submissions and their learners. Sourced by grader/class; the rules are in
# class.jq.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

# Fills ENTRIES with the contents of SUBMISSIONS, as "name/type/seconds", without the roster, an output folder
# in it, and the files of file managers.
list_entries() {
  local entry name not=(! -name '._*' ! -name .DS_Store ! -name __MACOSX ! -name Thumbs.db ! -name '.git*')
  ENTRIES=()
  while IFS= read -r -d '' entry; do
    name=${entry%%/*}
    [[ $SUBMISSIONS/$name -ef $OUTPUT || $SUBMISSIONS/$name -ef ${OPTION[roster]:-$OUTPUT} ]] ||
      ENTRIES+=("$entry")
  done < <(find "$SUBMISSIONS" -mindepth 1 -maxdepth 1 "${not[@]}" -printf '%f/%y/%Ts\0' | LC_ALL=C sort -z)
  ((${#ENTRIES[@]})) ||
    stop 2 "$SUBMISSIONS holds no submissions. Give a folder with a folder, an archive or a file for each," \
      "or the unpacked download of Moodle or Canvas."
}

# Groups the entries into submissions. Writes found.json, and found.list: a line for each with its key, the
# numbers of its entries (names may hold newlines) and the time in its name, separated by tabs.
find_submissions() {
  local line
  list_entries
  printf '%s\0' "${ENTRIES[@]}" >"$TMP/entries"
  jq -Rrs -L "$GRADER_LIB" --arg suffix ".${NAME##*.}" 'include "class"; submissions_of($suffix)
    | tojson, (.[] | "\(.key)\t\(.entries | map(tostring) | join(" "))\t\(.stamp // "")")' \
    "$TMP/entries" >"$TMP/found" ||
    stop 3 "the names in $SUBMISSIONS cannot be read (see above)."
  { read -r line && printf '%s\n' "$line" >"$TMP/found.json" && cat >"$TMP/found.list"; } <"$TMP/found"
}

# ---- The roster ----

# Writes roster.json: the class, or null. Rejects a roster with an error as a whole, and names the line.
read_roster() {
  printf 'null' >"$TMP/roster.json"
  local message times file=${OPTION[roster]}
  [[ -n $file ]] || return 0
  [[ -f $file && -r $file ]] || stop 2 "--roster: there is no file $file that can be read."
  if command -v iconv >/dev/null && ! iconv -f UTF-8 -t UTF-8 <"$file" >/dev/null 2>&1; then
    stop 2 "$file is not in UTF-8. In a spreadsheet, save it as \"CSV UTF-8\";" \
      "or: iconv -f WINDOWS-1252 -t UTF-8 $file > roster.csv"
  fi
  if ! LC_ALL=C awk -f "$GRADER_LIB/roster.awk" <"$file" >"$TMP/roster.fields"; then
    stop 2 "$file:$(tail -n 1 "$TMP/roster.fields")"
  fi
  jq -Rrs -L "$GRADER_LIB" 'include "roster"; roster
    | if type == "object" then .error, "", "null" else "", any(.[]; .handed_in), tojson end' \
    "$TMP/roster.fields" >"$TMP/roster" ||
    stop 3 "$file cannot be read (see above)."
  { read -r message && read -r times && cat >"$TMP/roster.json"; } <"$TMP/roster"
  [[ -z $message ]] || stop 2 "$file:$message"
  [[ $times != true ]] || read_times
}

# A roster that fits no submission is that of another class, or names its learners in another way.
compare_roster() { # names of both, or ""
  [[ -n ${OPTION[roster]} && -n $1 ]] || return 0
  [[ $DRY_RUN == no ]] || { note "no submission is in the roster." "$1" && return; }
  stop 2 "no submission belongs to a learner in ${OPTION[roster]}. $1" \
    "Is it the roster of this class? Submissions are found by id, user name, e-mail address or name."
}

# Converts the times of submission to seconds. Moodle's worksheet has "Friday, 20 November 2026, 8:00 PM", in
# the time zone of the person who exported it. Null when there is no time, or date cannot read its language.
read_times() {
  local text
  while IFS= read -r text; do
    [[ $text == *20[0-9][0-9]* ]] && LC_ALL=C date -d "${text//,/}" +%s 2>/dev/null || echo null
  done < <(jq -r '.[].handed_in' "$TMP/roster.json") >"$TMP/times"
  jq --slurpfile times "$TMP/times" 'to_entries | map(.value + {handed_in: $times[.key]})' \
    "$TMP/roster.json" >"$TMP/timed.json"
  mv "$TMP/timed.json" "$TMP/roster.json"
}
