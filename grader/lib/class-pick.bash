# class-pick.bash: takes the lesson's one file out of a submission. Sourced by grader/class.
#
# A submission is untrusted: its names, links, sizes and archives are checked before anything is opened. Only
# the one file is unpacked, through a pipe that ends at its limit; no link is followed, and nothing is run.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

readonly MAX_FILE=1048576        # bytes of a lesson file: as grader/check
readonly MAX_UNPACKED=268435456  # bytes of an unpacked tar that are looked at
readonly MAX_ENTRIES=5000        # files of one submission

declare -A PICK_STATE PICK_MESSAGE PICK_FILE PICK_TIME
declare -A OF_OTHERS=() # file names of the other lessons -> their lesson
LIST=()   # the contents of a folder or archive: "t path", t as find's %y
CHOSEN='' # one of them

# Examines each submission of found.list and copies its file to PICKED/key/NAME. Sets KEYS.
pick_files() {
  local key members stamp file lesson
  PICKED=$TMP/picked
  mkdir "$PICKED"
  for file in "$ROOT"/lessons/*/.starter/*.*; do
    lesson=${file%/.starter/*}
    [[ ${file##*/} == "$NAME" ]] || OF_OTHERS[${file##*/}]=${lesson##*/}
  done
  KEYS=()
  while IFS=$'\t' read -r key members stamp <&4; do
    KEYS+=("$key")
    PICK_STATE[$key]='' PICK_MESSAGE[$key]='' PICK_FILE[$key]='' PICK_TIME[$key]=0
    mkdir "$PICKED/$key"
    pick "$key" "$members"
    [[ -z $stamp ]] || take_time "$key" "$stamp"
  done 4<"$TMP/found.list"
}

# take_time KEY STAMP: the time in a submission's name, unless there is no such time: 30 February, or an hour
# that the change to summer time leaves out.
take_time() {
  local time
  if time=$(date -d "$2" +%s 2>/dev/null); then
    PICK_TIME[$1]=$time
  else
    PICK_MESSAGE[$1]+="${PICK_MESSAGE[$1]:+; }there is no time $2, so its file's date counts"
  fi
}

# refuse_pick STATE MESSAGE: gives the submission this state instead of a grade. Returns 1.
refuse_pick() {
  PICK_STATE[$KEY]=$1
  PICK_MESSAGE[$KEY]=${2//[[:cntrl:]]/?}
  return 1
}

# pick KEY NUMBERS: the numbers of its entries.
pick() {
  KEY=$1
  local number entry name type
  LIST=()
  for number in $2; do
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
  # One more than the limit is enough to see that there are too many.
  mapfile -d '' -t LIST < <(find "$folder" -mindepth 1 -maxdepth 10 -printf '%y %P\0' 2>/dev/null |
    LC_ALL=C head -z -n $((MAX_ENTRIES + 1)) | LC_ALL=C sort -z)
  if ((${#LIST[@]} > MAX_ENTRIES)); then
    refuse_pick refused "it holds more than $MAX_ENTRIES files"
  elif ((${#LIST[@]} == 0)); then
    refuse_pick no_file "its folder is empty"
  else
    take_one "$folder"
  fi
}

# take_one FOLDER: chooses from LIST, whose paths start at FOLDER, and takes the file, or the file in the
# archive.
take_one() {
  choose archive || return 1
  local path=$1/${CHOSEN#* } time size
  case $CHOSEN in
    l*) refuse_pick refused "${CHOSEN#* } is a symbolic link, which is not followed" || return ;;
    d*) refuse_pick refused "${CHOSEN#* } is a folder" || return ;;
    f*) ;;
    *) refuse_pick refused "${CHOSEN#* } is not a plain file" || return ;;
  esac
  [[ -r $path ]] || { refuse_pick refused "${CHOSEN#* } cannot be read: see its permissions" || return; }
  read -r time size < <(stat -c '%Y %s' -- "$path")
  PICK_TIME[$KEY]=$time
  if [[ ${path,,} == *."${NAME##*.}" ]]; then
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

# choose [archive]: sets CHOSEN to the lesson's file in LIST. That is the one in lessons/lessonNN, else the
# one of that name nearest to the top, else the only one with its ending that has no other lesson's name,
# else, with "archive", the only archive. Refuses the submission and returns 1 when there is none.
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
      # a download prefixes the learner and numbers
      [[ ! $name =~ _([0-9]+|assignsubmission_file)_([^_]+)$ ]] || name=${BASH_REMATCH[2]}
      if [[ -n ${OF_OTHERS[$name]:-} ]]; then
        foreign="$name belongs to ${OF_OTHERS[$name]}"
      else
        ending+=("$item")
      fi
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
    refuse_pick refused \
      "it holds several files called $NAME, so the right one is unclear: ${named[0]#* }, ${named[1]#* }"
  elif ((${#ending[@]} == 1)); then
    CHOSEN=${ending[0]}
  elif ((${#ending[@]} > 1)); then
    refuse_pick refused "it holds ${#ending[@]} files that end in .${NAME##*.}, and none is called $NAME"
  elif [[ ${1-} == archive ]] && ((${#archives[@]} == 1)); then
    CHOSEN=${archives[0]}
  elif [[ ${1-} == archive ]] && ((${#archives[@]} > 1)); then
    refuse_pick refused "it holds ${#archives[@]} archives and no $NAME"
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
      refuse_pick refused "$2 holds a path that leads outside it: ${item#* }"
      return
    fi
  done
  choose || return
  [[ $CHOSEN == f* ]] || { refuse_pick refused "${CHOSEN#* } in $2 is not a plain file" || return; }
  unpack_one "$path" "${CHOSEN#* }" >"$PICKED/$KEY/$NAME"
  if (($(stat -c %s "$PICKED/$KEY/$NAME") > MAX_FILE)); then
    refuse_pick refused "${CHOSEN#* } in $2 is larger than 1 MiB, the limit for a lesson file"
  elif [[ ! -s $PICKED/$KEY/$NAME ]]; then
    refuse_pick refused \
      "${CHOSEN#* } in $2 is empty or cannot be unpacked: is the archive damaged or protected by a password?"
  else
    PICK_FILE[$KEY]="$2: ${CHOSEN#* }"
  fi
}

need_unzip() {
  command -v unzip >/dev/null ||
    stop 3 "zip archives need unzip, which is not installed here. \`./bootstrap\` installs it."
}

# A line of unzip's list: permissions, version, system, bytes, kind, method, date, time, name. The permissions
# begin with "?" if the program that made the archive wrote no kind of file, as Python's zipfile does.
list_zip() {
  local line name type
  local form='^([-dlbcps?])[^ ]{3,9} +[0-9.]+ +[a-z0-9]+ +[0-9]+ +[^ ]+ +[^ ]+ +[^ ]+ +[0-9:]+ (.*)$'
  LIST=()
  while IFS= read -r line; do
    [[ $line =~ $form ]] || continue
    name=${BASH_REMATCH[2]} type=${BASH_REMATCH[1]}
    if [[ $type == '?' && $name == */ ]]; then type=d; fi
    LIST+=("${type/[-?]/f} ${name%/}")
  done < <(LC_ALL=C.UTF-8 timeout 20 unzip -Zs -- "$1" 2>/dev/null </dev/null | head -n $((MAX_ENTRIES + 3)))
}

# A line of tar's list: permissions, owner, bytes, date, time, name; a link's name is followed by its target.
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

# untar PATH OPTION...: calls tar on the decompressed archive, up to the limit.
untar() {
  local through=(cat)
  case ${1,,} in
    *.tgz | *.tar.gz) through=(gzip -dc) ;;
    *.tar.xz) through=(xz -dc) ;;
    *.tar.bz2) through=(bzip2 -dc) ;;
  esac
  { timeout 60 "${through[@]}" <"$1" | head -c "$MAX_UNPACKED" |
    TAR_OPTIONS='' timeout 60 tar -f - "${@:2}"; } 2>/dev/null || true
}

# unpack_one PATH NAME: prints that file of the archive, up to one byte over the limit.
unpack_one() {
  if [[ ${1,,} == *.zip ]]; then
    unzip_one "$1" "$2" | head -c $((MAX_FILE + 1))
  else
    untar "$1" -xO --occurrence=1 --no-wildcards -- "$2" | head -c $((MAX_FILE + 1))
  fi
}

# unzip_one PATH NAME: for unzip a name is a pattern, and one that begins with "-" is an option. Letters
# beyond ASCII may have another encoding in the archive than in its list: if there is no file of that name
# (status 11), they may be any.
unzip_one() {
  local pattern status=0
  pattern=$(LC_ALL=C sed 's/[][*?\\]/[&]/g; s/^-/[-]/' <<<"$2")
  LC_ALL=C.UTF-8 timeout 20 unzip -P '' -p -- "$1" "$pattern" 2>/dev/null </dev/null || status=$?
  ((status == 11)) || return 0
  pattern=$(printf '%s' "$pattern" | LC_ALL=C sed 's/[^ -~]\{1,\}/*/g')
  LC_ALL=C.UTF-8 timeout 20 unzip -P '' -p -- "$1" "$pattern" 2>/dev/null </dev/null || true
}

# ---- The plan ----

# Writes plan.json: the submissions, their learners and their files; and gradable.list: key and name of those
# with a file, separated by tabs.
make_plan() {
  local key line timeless strangers sums=()
  declare -A SHA=()
  for key in "${KEYS[@]}"; do
    [[ -n ${PICK_STATE[$key]} ]] || sums+=("$key/$NAME")
  done
  if ((${#sums[@]})); then
    while read -r sum key; do
      SHA[${key%/*}]=$sum
    done < <(cd "$PICKED" && printf '%s\0' "${sums[@]}" | xargs -0 sha256sum --)
  fi
  for key in "${KEYS[@]}"; do
    printf '%s\0' "$key" "${PICK_STATE[$key]}" "${PICK_MESSAGE[$key]}" "${PICK_FILE[$key]//[[:cntrl:]]/?}" \
      "${SHA[$key]:-}" "${PICK_TIME[$key]}"
  done >"$TMP/picked.list"
  jq -nr -L "$GRADER_LIB" --slurpfile found "$TMP/found.json" --slurpfile roster "$TMP/roster.json" \
    --arg due "${OPTION[due]}" --rawfile picked "$TMP/picked.list" 'include "class";
      ($picked | split("\u0000")) as $p
      | [range(0; ($p | length) - 1; 6) as $i | {key: $p[$i], value: {state: $p[$i + 1], message: $p[$i + 2],
          file: ($p[$i + 3] | if . == "" then null else . end),
          sha256: ($p[$i + 4] | if . == "" then null else . end), time: ($p[$i + 5] | tonumber)}}]
      | from_entries as $picked | plan($found[0]; $picked; $roster[0]; $due)
      | tojson, timeless, strangers, (.[] | select(.state == "") | "\(.key)\t\(.name)")' >"$TMP/plan" ||
    stop 3 "the plan cannot be made (see above)."
  {
    read -r line && printf '%s\n' "$line" >"$TMP/plan.json"
    read -r timeless
    read -r strangers
    cat >"$TMP/gradable.list"
  } <"$TMP/plan"
  [[ -z ${OPTION[due]} || $timeless == 0 ]] ||
    note "--due: $timeless submissions have no known time, since a download's files have its own date." \
      "Only those are late that Canvas marked, or that Moodle's worksheet (--roster) shows."
  compare_roster "$strangers"
}

# Copies the picked files to OUTPUT/submissions, unless they are there already.
take_files() {
  local key target
  for key in "${KEYS[@]}"; do
    [[ -z ${PICK_STATE[$key]} ]] || continue
    target=$OUTPUT/submissions/$key
    cmp -s "$PICKED/$key/$NAME" "$target/$NAME" ||
      { mkdir -p "$target" && cp "$PICKED/$key/$NAME" "$target/.$NAME" &&
        mv "$target/.$NAME" "$target/$NAME"; } 2>/dev/null ||
      stop 3 "cannot write into $SHOWN_OUTPUT/submissions.$(full "$OUTPUT")" \
        "Nothing is lost; the same command continues."
  done
}
