# class-pick.bash: takes the lesson's one file out of a submission. Sourced by grader/class.
#
# A submission is a stranger's: its names, links, sizes and archives are looked at before anything is opened, nothing is unpacked
# but the one file (through a pipe that ends at its limit), and nothing is followed or run.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

readonly MAX_FILE=1048576        # bytes of a lesson file: as grader/check
readonly MAX_UNPACKED=268435456  # bytes of an unpacked tar that are looked at
readonly MAX_ENTRIES=5000        # files of one submission

declare -A PICK_STATE PICK_MESSAGE PICK_FILE PICK_TIME
declare -A OF_OTHERS=() # file names of the other lessons, and which they belong to
LIST=()   # what a folder or archive holds: "t path", t as find's %y
CHOSEN='' # one of them

# Looks at each submission; puts its file into PICKED/key/NAME.
pick_files() {
  local key numbers file
  PICKED=$TMP/picked
  mkdir "$PICKED"
  for file in "$ROOT"/lessons/*/.starter/*.*; do
    [[ ${file##*/} == "$NAME" ]] || OF_OTHERS[${file##*/}]=$(basename "${file%/.starter/*}")
  done
  declare -A STAMPS=()
  while IFS=$'\t' read -r key numbers; do
    STAMPS[$key]=$numbers
  done < <(jq -r '.[] | select(.stamp) | "\(.key)\t\(.stamp)"' "$TMP/found.json")
  for key in "${KEYS[@]}"; do
    PICK_STATE[$key]='' PICK_MESSAGE[$key]='' PICK_FILE[$key]='' PICK_TIME[$key]=0
    mkdir "$PICKED/$key"
    pick "$key"
    [[ -z ${STAMPS[$key]:-} ]] || PICK_TIME[$key]=$(date -d "${STAMPS[$key]}" +%s 2>/dev/null) || PICK_TIME[$key]=0
  done
}

# refuse_pick STATE MESSAGE: what becomes of the submission instead of a grade. Status 1.
refuse_pick() {
  PICK_STATE[$KEY]=$1
  PICK_MESSAGE[$KEY]=${2//[[:cntrl:]]/?}
  return 1
}

# pick KEY
pick() {
  KEY=$1
  local number entry name type
  LIST=()
  for number in ${MEMBERS[$1]}; do
    entry=${ENTRIES[number]}
    type=${entry#*/} name=${entry%%/*}
    LIST+=("${type%%/*} $name")
    [[ ${PICK_TIME[$1]} -ge ${entry##*/} ]] || PICK_TIME[$1]=${entry##*/}
  done
  if ((${#LIST[@]} == 1)) && [[ ${LIST[0]} == d* ]]; then
    pick_from_folder "$SUBMISSIONS/$name" || return 0
  else
    take_one "$SUBMISSIONS" || return 0
  fi
}

pick_from_folder() {
  local folder=$1
  if [[ ! -r $folder || ! -x $folder ]]; then
    refuse_pick refused "its folder cannot be read: see its permissions"
    return
  fi
  # One more than is allowed is enough to know.
  mapfile -d '' -t LIST < <(find "$folder" -mindepth 1 -maxdepth 10 -printf '%y %P\0' 2>/dev/null | LC_ALL=C head -z -n $((MAX_ENTRIES + 1)))
  if ((${#LIST[@]} > MAX_ENTRIES)); then
    refuse_pick refused "it holds more than $MAX_ENTRIES files"
  elif ((${#LIST[@]} == 0)); then
    refuse_pick no_file "its folder is empty"
  else
    take_one "$folder"
  fi
}

# take_one FOLDER: chooses from LIST, whose paths begin at FOLDER, and takes the file, or the file in the archive.
take_one() {
  choose archive || return 1
  local path=$1/${CHOSEN#* } size
  case $CHOSEN in
    l*) refuse_pick refused "${CHOSEN#* } is a symbolic link, and no link is followed" || return ;;
    d*) refuse_pick refused "${CHOSEN#* } is a folder" || return ;;
    f*) ;;
    *) refuse_pick refused "${CHOSEN#* } is not a plain file" || return ;;
  esac
  [[ -r $path ]] || { refuse_pick refused "${CHOSEN#* } cannot be read: see its permissions" || return; }
  PICK_TIME[$KEY]=$(stat -c %Y -- "$path")
  if [[ ${path,,} == *."${NAME##*.}" ]]; then
    size=$(stat -c %s -- "$path")
    if ((size > MAX_FILE)); then
      refuse_pick refused "${CHOSEN#* } has $size bytes; a lesson file has 1 MiB at most"
      return
    fi
    PICK_FILE[$KEY]=${CHOSEN#* }
    cp -- "$path" "$PICKED/$KEY/$NAME" && chmod u+w "$PICKED/$KEY/$NAME"
  else
    take_from_archive "$path" "${CHOSEN#* }"
  fi
}

# choose [archive]: sets CHOSEN to the lesson's file in LIST: the one in lessons/lessonNN, else the one of that name that lies
# highest, else the only one with its ending that has no other lesson's name; with "archive" else the only archive. Status 1,
# and refused, when there is none.
choose() {
  local item path name depth best=99 first=() named=() ending=() archives=() foreign=
  for item in "${LIST[@]}"; do
    path=/${item#* }
    [[ $path != */__MACOSX/* && $path != */.* && ($item != d* || $path == */"$NAME") ]] || continue
    if [[ $path == */lessons/$LESSON/$NAME ]]; then
      first+=("$item")
    elif [[ $path == */"$NAME" || $path == *_assignsubmission_file_"$NAME" ]]; then
      depth=${path//[!\/]/}
      if ((${#depth} < best)); then named=() best=${#depth}; fi
      ((${#depth} > best)) || named+=("$item")
    elif [[ ${path,,} == *."${NAME##*.}" ]]; then
      name=${path##*/}
      # a download puts the learner and numbers in front
      [[ ! $name =~ _([0-9]+|assignsubmission_file)_([^_]+)$ ]] || name=${BASH_REMATCH[2]}
      if [[ -n ${OF_OTHERS[$name]:-} ]]; then foreign="$name belongs to ${OF_OTHERS[$name]}"; else ending+=("$item"); fi
    elif [[ ${path,,} =~ \.(zip|tar|tgz|tar\.(gz|xz|bz2))$ ]]; then
      archives+=("$item")
    elif [[ ${path,,} =~ \.(rar|7z)$ ]]; then
      foreign="${item#* } cannot be unpacked here: zip, tar and tar.gz can"
    fi
  done
  ((${#first[@]} == 0)) || named=("${first[@]}")
  if ((${#named[@]} == 1)); then
    CHOSEN=${named[0]}
  elif ((${#named[@]} > 1)); then
    refuse_pick refused "it holds several files called $NAME, and which is meant cannot be told: ${named[0]#* }, ${named[1]#* }"
  elif ((${#ending[@]} == 1)); then
    CHOSEN=${ending[0]}
  elif ((${#ending[@]} > 1)); then
    refuse_pick refused "it holds ${#ending[@]} files that end in .${NAME##*.}, and none is called $NAME"
  elif [[ ${1-} == archive ]] && ((${#archives[@]} == 1)); then
    CHOSEN=${archives[0]}
  elif [[ ${1-} == archive ]] && ((${#archives[@]} > 1)); then
    refuse_pick refused "it holds ${#archives[@]} archives, and no $NAME beside them"
  else
    refuse_pick no_file "no $NAME in it${foreign:+; $foreign}"
  fi
}

# ---- Archives ----

# take_from_archive PATH SHOWN
take_from_archive() {
  local path=$1 item
  case ${path,,} in
    *.zip) need_unzip && list_zip "$path" || return ;;
    *) list_tar "$path" ;;
  esac
  if ((${#LIST[@]} > MAX_ENTRIES)); then
    refuse_pick refused "$2 holds more than $MAX_ENTRIES files"
    return
  elif ((${#LIST[@]} == 0)); then
    refuse_pick refused "$2 is empty, damaged, or unpacks to more than $((MAX_UNPACKED >> 20)) MiB"
    return
  fi
  for item in "${LIST[@]}"; do
    if [[ /${item#* }/ == */../* || ${item#* } == /* ]]; then
      refuse_pick refused "$2 holds a path that leads out of it: ${item#* }"
      return
    fi
  done
  choose || return
  [[ $CHOSEN == f* ]] || { refuse_pick refused "${CHOSEN#* } in $2 is not a plain file" || return; }
  unpack_one "$path" "${CHOSEN#* }" >"$PICKED/$KEY/$NAME"
  if (($(stat -c %s "$PICKED/$KEY/$NAME") > MAX_FILE)); then
    refuse_pick refused "${CHOSEN#* } in $2 has more than 1 MiB, more than a lesson file has"
  elif [[ ! -s $PICKED/$KEY/$NAME ]]; then
    refuse_pick refused "${CHOSEN#* } in $2 is empty, or cannot be unpacked: is the archive damaged, or locked with a password?"
  else
    PICK_FILE[$KEY]="$2: ${CHOSEN#* }"
  fi
}

need_unzip() {
  command -v unzip >/dev/null || stop 3 "needs unzip for zip archives, not found here. \`./bootstrap\` installs what is missing."
}

# A line of unzip's list: rights, version, system, bytes, kind, method, date, time, name.
list_zip() {
  local line
  LIST=()
  while IFS= read -r line; do
    [[ $line =~ ^([-dlbcps?])[^\ ]{3,9}\ +[0-9.]+\ +[a-z0-9]+\ +[0-9]+\ +[^\ ]+\ +[^\ ]+\ +[^\ ]+\ +[0-9:]+\ (.*)$ ]] || continue
    LIST+=("${BASH_REMATCH[1]/-/f} ${BASH_REMATCH[2]%/}")
  done < <(LC_ALL=C.UTF-8 timeout 20 unzip -Zs -- "$1" 2>/dev/null </dev/null | head -n $((MAX_ENTRIES + 3)))
}

# A line of tar's list: rights, owner, bytes, date, time, name; a link's name is followed by where it leads.
list_tar() {
  local line name
  LIST=()
  while IFS= read -r line; do
    [[ $line =~ ^([-dlhbcps])[^\ ]+\ +[^\ ]+\ +[0-9,]+\ +[0-9-]+\ +[0-9:]+\ (.*)$ ]] || continue
    name=${BASH_REMATCH[2]%/}
    case ${BASH_REMATCH[1]} in l) name=${name% -> *} ;; h) name=${name% link to *} ;; esac
    LIST+=("${BASH_REMATCH[1]/-/f} $name")
  done < <(untar "$1" -tv --quoting-style=escape --numeric-owner | head -n $((MAX_ENTRIES + 1)))
}

# untar PATH OPTION...: tar on what the archive unpacks to, as far as it is looked at.
untar() {
  local through=(cat)
  case ${1,,} in
    *.tgz | *.tar.gz) through=(gzip -dc) ;;
    *.tar.xz) through=(xz -dc) ;;
    *.tar.bz2) through=(bzip2 -dc) ;;
  esac
  { timeout 60 "${through[@]}" <"$1" | head -c "$MAX_UNPACKED" | TAR_OPTIONS='' timeout 60 tar -f - "${@:2}"; } 2>/dev/null || true
}

# unpack_one PATH NAME: that file of the archive, up to just more than is allowed. For unzip a name is a pattern, and letters
# beyond ASCII may be stored in another code than they are listed.
unpack_one() {
  local pattern=$2
  if [[ ${1,,} == *.zip ]]; then
    pattern=$(LC_ALL=C sed 's/[][*?\\]/[&]/g; s/[^ -~]\{1,\}/*/g' <<<"$pattern")
    { LC_ALL=C.UTF-8 timeout 20 unzip -P '' -p -- "$1" "$pattern" 2>/dev/null </dev/null || true; } | head -c $((MAX_FILE + 1))
  else
    untar "$1" -xO --occurrence=1 --no-wildcards -- "$2" | head -c $((MAX_FILE + 1))
  fi
}

# ---- The plan ----

# Joins all of it into plan.json.
make_plan() {
  local key sums=()
  declare -A SHA=()
  for key in "${KEYS[@]}"; do
    [[ -n ${PICK_STATE[$key]} ]] || sums+=("$key/$NAME")
  done
  if ((${#sums[@]})); then
    while read -r sum key; do SHA[${key%/*}]=$sum; done < <(cd "$PICKED" && printf '%s\0' "${sums[@]}" | xargs -0 sha256sum --)
  fi
  for key in "${KEYS[@]}"; do
    printf '%s\0' "$key" "${PICK_STATE[$key]}" "${PICK_MESSAGE[$key]}" "${PICK_FILE[$key]//[[:cntrl:]]/?}" "${SHA[$key]:-}" "${PICK_TIME[$key]}"
  done >"$TMP/picked.list"
  jq -n -L "$GRADER_LIB" --slurpfile found "$TMP/found.json" --slurpfile roster "$TMP/roster.json" --arg due "$DUE" \
    --rawfile picked "$TMP/picked.list" 'include "class";
      ($picked | split("\u0000")) as $p
      | [range(0; ($p | length) - 1; 6) as $i | {key: $p[$i], value: {state: $p[$i + 1], message: $p[$i + 2],
          file: ($p[$i + 3] | if . == "" then null else . end), sha256: ($p[$i + 4] | if . == "" then null else . end),
          time: ($p[$i + 5] | tonumber)}}]
      | from_entries as $picked | plan($found[0]; $picked; $roster[0]; $due)' >"$TMP/plan.json" || stop 3 "the plan cannot be made (see above)."
  tell_of_no_times
}

tell_of_no_times() {
  local unknown
  [[ -n $DUE ]] || return 0
  unknown=$(jq '[.[] | select(.state != "missing" and .submitted == null)] | length' "$TMP/plan.json")
  ((unknown == 0)) || note "--due: of $unknown it is not known when they were handed in, since a download's files have its own date: late is what Canvas marked, or Moodle's worksheet tells (--roster)."
}

# The picked files take their place in OUTPUT/submissions; one that is there and the same stays.
take_files() {
  local key target
  for key in "${KEYS[@]}"; do
    [[ -z ${PICK_STATE[$key]} ]] || continue
    target=$OUTPUT/submissions/$key
    cmp -s "$PICKED/$key/$NAME" "$target/$NAME" ||
      { mkdir -p "$target" && cp "$PICKED/$key/$NAME" "$target/.$NAME" && mv "$target/.$NAME" "$target/$NAME"; } 2>/dev/null ||
      stop 3 "cannot write into $SHOWN_OUTPUT/submissions.$(full "$OUTPUT") Nothing is lost; the same command goes on."
  done
}
