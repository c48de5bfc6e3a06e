#!/usr/bin/env bats
# grader/class: what a submission may be, whose it is, and what is refused. The grader is a stub
# (tests/class/check-stub).
# bats file_tags=long

bats_require_minimum_version 1.5.0

setup_file() {
  load class_helper
  stub_checkout
}

setup() {
  load class_helper
  class_setup
}

# pack NAME FILE...: an archive of files of the folder P.
pack() {
  local archive=$S/$1
  shift
  mkdir -p "$BATS_TEST_TMPDIR/p"
  case $archive in
    *.zip) (cd "$BATS_TEST_TMPDIR/p" && zip -qry "$archive" "$@") ;;
    *.tar) tar -C "$BATS_TEST_TMPDIR/p" -cf "$archive" "$@" ;;
    *) tar -C "$BATS_TEST_TMPDIR/p" -caf "$archive" "$@" ;;
  esac
}
in_pack() { # PATH WORDS...
  local path=$BATS_TEST_TMPDIR/p/$1
  mkdir -p "${path%/*}"
  printf '// %s\n' "${*:2}" >"$path"
}

@test "accepts folders, files, zip, tar and tar.gz; finds the file deep down, renamed, or in a checkout" {
  hand_in ann/kernels.cu points 1
  hand_in ben/Lesson/src/kernels.cu points 2
  hand_in cas/my-answer.cu points 3
  hand_in dee.cu points 4
  hand_in eli/lessons/lesson02/kernels.cu points 5
  hand_in eli/solutions/lesson02/kernels.cu points 10
  in_pack kernels.cu points 6
  pack fay.zip kernels.cu
  in_pack "a folder/kernels (1).cu" points 7
  pack gil.tar "a folder"
  in_pack x/kernels.cu points 8
  in_pack __MACOSX/x/._kernels.cu points 0
  pack hal.tar.gz x __MACOSX
  mkdir "$S/ida" && cp "$S/fay.zip" "$S/ida/answer.ZIP"
  class 0
  holds "$O/class.json" '[.submissions[].points] == [1, 2, 3, 4, 5, 6, 7, 8, 6]' \
    '.submissions[7].file == "hal.tar.gz: x/kernels.cu"'
}

@test "refuses a submission with two files of the right name or two checkouts, and grades the others" {
  hand_in ann/a/kernels.cu points 1
  hand_in ann/b/kernels.cu points 2
  hand_in ben/one/lessons/lesson02/kernels.cu points 1
  hand_in ben/two/lessons/lesson02/kernels.cu points 2
  hand_in ben/kernels.cu points 3
  hand_in cas/kernels.cu points 4
  class 0
  holds "$O/class.json" '[.submissions[].state] == ["refused", "refused", "graded"]' \
    '.submissions[1].message | test("one/lessons/lesson02/kernels.cu, two/lessons/lesson02/kernels.cu")'
}

@test "reads the downloads of Moodle (folders and flat) and Canvas, with names, numbers and late marks" {
  hand_in "Jane Doe_123456_assignsubmission_file_/kernels.cu" points 1
  hand_in "Åsa Öberg_123457_assignsubmission_file_kernels.cu" points 2
  hand_in "Åsa Öberg_123457_assignsubmission_file_notes.txt" points 0
  hand_in "Åsa Öberg_123457_assignsubmission_onlinetext_/onlinetext.html" points 0
  hand_in "Kim Li_123458_assignsubmission_file_/kernels.cu" points 1
  hand_in "Kim Li_123458_assignsubmission_file_ attempt 2/kernels.cu" points 2
  hand_in doejohn_LATE_12_345_kernels.cu points 3
  hand_in doejohn_12_340_kernels-1.cu points 4
  hand_in doejohn_12_346_report.pdf points 0
  class 0
  [ "$(gradings)" = 6 ]
  are_entries "Kim Li_123458" '.attempt == 1 and .points == 1 and (.counts | not)' \
    "Kim Li_123458 attempt 2" '.attempt == 2 and .points == 2 and .counts' \
    "Jane Doe_123456" '.student.name == "Jane Doe" and .student.id == null and .points == 1' \
    "Åsa Öberg_123457" '.student.name == "Åsa Öberg" and .points == 2' \
    doejohn_12_345 '.late and .attempt == 2 and (.counts | not) and .student.id == "12"' \
    doejohn_12_340 '(.late | not) and .attempt == 1 and .counts'
  holds "$O/class.json" '.submissions | length == 6' \
    'all(.submissions[]; .key | test("^[A-Za-z0-9_][A-Za-z0-9._~-]*$"))'
}

@test "reports submissions without a gradable file: empty, other files, two, a link, a FIFO, a bad name" {
  mkdir "$S/empty"
  hand_in other/readme.txt points 1
  hand_in two/a/kernels.cu points 1
  hand_in two/b/kernels.cu points 2
  mkdir "$S"/{link,fifo,folder} "$S/folder/kernels.cu"
  ln -s /etc/passwd "$S/link/kernels.cu"
  mkfifo "$S/fifo/kernels.cu"
  ln -s "$S/two" "$S/whole-link"
  head -c 1100000 /dev/zero >"$S/large.cu"
  printf x >"$S/old.rar"
  class 1
  are_entries empty '.state == "no_file" and .message == "its folder is empty"' \
    other '.state == "no_file" and .message == "no kernels.cu in it"' \
    two '.state == "refused" and (.message | test("several files called kernels.cu"))' \
    link '.state == "refused" and (.message | test("is a symbolic link"))' \
    fifo '.state == "refused" and (.message | test("is not a plain file"))' \
    folder '.state == "refused" and (.message | test("is a folder"))' \
    whole-link '.state == "no_file"' \
    large.cu '.state == "refused" and (.message | test("1 MiB at most"))' \
    old.rar '.state == "no_file"
    and .message == "no kernels.cu in it; old.rar cannot be unpacked here: zip, tar and tar.gz can"'
  [ "$(gradings)" = 0 ]
}

@test "refuses hostile archives (outside paths, links, bombs, passwords, damage) and grades the rest" {
  in_pack kernels.cu points 5
  (cd "$BATS_TEST_TMPDIR/p" && mkdir sub && cd sub && zip -q "$S/up.zip" ../kernels.cu &&
    zip -qP secret "$S/locked.zip" ../kernels.cu)
  tar -C "$BATS_TEST_TMPDIR/p" -cPf "$S/absolute.tar" "$BATS_TEST_TMPDIR/p/kernels.cu"
  tar -C "$BATS_TEST_TMPDIR/p" -acPf "$S/up.tar.gz" --transform 's|^|../../|' kernels.cu
  sed -i 's|\.\./kernels|aa/kernels|g' "$S/locked.zip"
  mkdir "$BATS_TEST_TMPDIR/p/l" && ln -s /etc/passwd "$BATS_TEST_TMPDIR/p/l/kernels.cu"
  pack link.tar l
  pack link.zip l
  head -c 290000000 /dev/zero | gzip -1 >"$BATS_TEST_TMPDIR/big" # as the file itself
  (cd "$BATS_TEST_TMPDIR/p" && truncate -s 2G bomb.cu && tar -cSf "$S/sparse.tar" bomb.cu && rm bomb.cu)
  (cd "$BATS_TEST_TMPDIR/p" && truncate -s 60M bomb.cu && zip -q "$S/bomb.zip" bomb.cu && rm bomb.cu)
  mv "$BATS_TEST_TMPDIR/big" "$S/noise.tar.gz"
  # one file, 5100 times in the list
  yes kernels.cu | head -n 5100 | tar -C "$BATS_TEST_TMPDIR/p" --hard-dereference -caf "$S/many.tar.gz" -T -
  mkdir "$S/crowd" && (cd "$S/crowd" && seq 5100 | xargs touch)
  head -c 3000 /dev/urandom >"$S/damaged.zip"
  hand_in good.cu points 7
  class 0
  for name in up.zip absolute.tar up.tar.gz; do
    is_entry "$name" '.state == "refused" and (.message | test("a path that leads outside it"))'
  done
  are_entries link.tar '.state == "refused" and (.message | test("not a plain file"))' \
    link.zip '.state == "refused" and (.message | test("not a plain file"))' \
    sparse.tar '.state == "refused" and (.message | test("larger than 1 MiB"))' \
    bomb.zip '.state == "refused" and (.message | test("larger than 1 MiB"))' \
    noise.tar.gz '.state == "refused"' \
    locked.zip '.state == "refused"' \
    many.tar.gz '.state == "refused" and (.message | test("more than 5000 files"))' \
    crowd '.state == "refused" and (.message | test("more than 5000 files"))' \
    damaged.zip '.state == "refused" and (.message | test("damaged"))' \
    good.cu '.points == 7'
  [ "$(gradings)" = 1 ]
  [ "$(find "$O/submissions" -type f | wc -l)" = 1 ]
}

@test "names with newlines, quotes, dashes and escapes get safe keys, and none is lost" {
  odd=("-rf" $'new\nline' "it's \"quoted\" \$(touch owned)" $'esc\e[31m' ".. dots" "CON" "con" \
    "a*b?[c]" $'bad\xff bytes')
  for name in "${odd[@]}"; do hand_in "$name/kernels.cu" points 3; done
  class 0
  holds "$O/class.json" '.submissions | length == 9' 'all(.submissions[]; .points == 3)' \
    '[.submissions[].key | ascii_downcase] | length == (unique | length)' \
    'all(.submissions[]; (.key | test("^[A-Za-z0-9_][A-Za-z0-9._~-]*$"))
    and (.name | test("[\\x00-\\x1f]") | not))'
  [ ! -e owned ] && [ -z "$(find "$BATS_TEST_TMPDIR" -name owned)" ]
}

roster() { printf '%b' "$@" >"$BATS_TEST_TMPDIR/class.csv"; }

@test "matches a roster with BOM, semicolons and quotes by number, user name, e-mail and name" {
  roster '\xef\xbb\xbfFirst name;Surname;ID number;Email address;Group\r\n' \
    'Jane;"Doe; Jr";1001;jane@uni.se;A\r\nÅsa;Öberg;1002;asa@uni.se;B\r\n' \
    '"Bo ""B""";Berg;1003;bo@uni.se;A\r\n"Multi\nline";Miss;1004;miss@uni.se;C\r\n'
  hand_in "jane@uni.se/kernels.cu" points 1
  hand_in 1002.cu points 2
  hand_in "bo/kernels.cu" points 3
  hand_in "stranger.cu" points 4
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  shows "5 entries: 4 graded, 1 missing, 1 not in the roster."
  are_entries \
    "jane@uni.se" '.student == {id: "1001", name: "Jane Doe; Jr", email: "jane@uni.se", section: "A"}' \
    1002.cu '.student.name == "Åsa Öberg"' \
    bo '.student.id == "1003" and .student.name == "Bo \"B\" Berg"' \
    stranger.cu '.message == "not in the roster" and .student.name == null and .state == "graded"' \
    "Multi line Miss" '.state == "missing" and .student.id == "1004" and .points == 0 and .counts
    and .message != ""'
}

@test "a roster that fits no submission stops the run before grading; --dry-run only says so" {
  roster 'name,id\nJane Doe,1001\nÅsa Öberg,1002\n'
  hand_in ann.cu points 1
  hand_in bo.cu points 1
  class 2 --roster "$BATS_TEST_TMPDIR/class.csv"
  shows "no submission belongs to a learner in $BATS_TEST_TMPDIR/class.csv" \
    "The roster has Jane Doe, Åsa Öberg; the submissions are ann.cu, bo.cu."
  [ "$(gradings)" = 0 ]
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv" --dry-run
  shows "no submission is in the roster."
}

@test "a file named like another learner's submission stays its owner's, whatever downloads it" {
  roster 'name,id,email\nJane Doe,101,jane@uni.se\nBo Berg,999,bo@uni.se\nKim Li,777,kim@uni.se\n'
  hand_in "Jane Doe_101_assignsubmission_file_- Bo Berg_999_assignsubmission_file_kernels.cu" points 1
  hand_in "doejane_101_4711_- Kim Li_777_assignsubmission_file_kernels.cu" points 2
  hand_in "missing-999/kernels.cu" points 3
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  holds "$O/class.json" '[.submissions[] | select(.student.id == "101") | .points] == [1, 2]' \
    '.submissions[] | select(.student.id == "999") | .state == "missing" and .points == 0' \
    '.submissions[] | select(.student.id == "777") | .state == "missing"' \
    '[.submissions[].key] | length == (unique | length)'
}

@test "the rosters that Moodle and Canvas export match their own downloads" {
  roster 'Identifier,"Full name","Email address",Status,Grade\n' \
    'Participant 123456,"Jane Doe",jane@uni.se,,\nParticipant 123457,"Jane Doe",jane2@uni.se,,\n'
  hand_in "Jane Doe_123457_assignsubmission_file_/kernels.cu" points 1
  class 0
  run -3 "$STUB/grader/report" --format moodle "$O" # the number in the folder's name is no ID number
  shows "no learner's e-mail address or ID number is known"
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  is_entry "Jane Doe_123457" '.student == {id: null, name: "Jane Doe", email: "jane2@uni.se", section: null}'
  rm -rf "$S" "$O"
  roster 'Student,ID,SIS User ID,SIS Login ID,Section,Lesson 2 (99)\n    Points Possible,,,,,10\n' \
    '"Doe, Jane",12,s1,jdoe,Monday,\n"Roe, Ann",13,s2,aroe,Monday,\n"Student, Test",14,,x,Monday,\n'
  hand_in doejane_12_345_kernels.cu points 1
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  are_entries doejane_12_345 '.student.name == "Doe, Jane" and .student.section == "Monday"' \
    "Roe, Ann" '.state == "missing"'
  holds "$O/class.json" '.submissions | length == 2'
}

@test "refuses a roster with an error before grading, and names the line" {
  hand_in a.cu points 1
  fault() {
    class 2 --roster "$BATS_TEST_TMPDIR/class.csv"
    shows "class.csv" "$@"
  }
  roster 'name,id\nA,1\nB,2\nC,1\n'; fault ":4: C has the same id (1) as line 2"
  roster 'name,email\nA,x@y\nB,X@Y\n'; fault ":3: B has the same email"
  roster 'name,section\nA,x\nA,y\n'; fault ":3: A has the same name"
  roster 'name,id\nA,1,extra\n'; fault ":2: 3 fields, but the first line has 2"
  roster 'name,id\n"A,1\n'; fault ":2: a quotation mark is opened here and never closed"
  roster 'name,id\n"A"B,1\n'; fault ":2: text after a closing quotation mark"
  roster 'colour,size\nA,1\n'; fault ":1: no column is called id, email or name"
  roster 'name,id\n'; fault "it has no learner after the first line"
  roster ''; fault "it is empty"
  roster 'name,id\nJ\xf6rg,1\n'; fault "not in UTF-8" "WINDOWS-1252"
  class 2 --roster "$BATS_TEST_TMPDIR/none.csv"; shows "there is no file"
  [ "$(gradings)" = 0 ]
}

@test "accepts a file name extension in capitals" {
  hand_in "Ann.CU" points 3
  hand_in bo/Task.Cu points 4
  class 0
  are_entries Ann.CU '.points == 3 and .file == "Ann.CU"' \
    bo '.points == 4 and .file == "Task.Cu"'
}

@test "takes late marks of downloads from Canvas's names or Moodle's worksheet, not from the files' dates" {
  export TZ=UTC
  hand_in "Jane Doe_101_assignsubmission_file_/kernels.cu" points 1
  hand_in "Åsa Öberg_102_assignsubmission_file_/kernels.cu" points 2
  hand_in "Bo Berg_103_assignsubmission_file_/kernels.cu" points 3
  roster 'Identifier,Full name,Email address,Status,Last modified (submission)\n' \
    'Participant 101,Jane Doe,j@u,Submitted for grading,"Friday, 20 November 2026, 8:00 PM"\n' \
    'Participant 102,Åsa Öberg,a@u,Submitted for grading - 8 hours late,' \
    '"Saturday, 21 November 2026, 8:00 AM"\n' \
    'Participant 103,Bo Berg,b@u,Submitted for grading,"Samstag, 21. November 2026, 08:00"\n' \
    'Participant 104,Cy Cox,c@u,No submission,-\n'
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv" --due "2026-11-20 19:00"
  shows "--due: 1 submissions have no known time" "2 late."
  holds "$O/class.json" '[.submissions[] | [.submitted, .late]] == [[null, false], [null, false],
    ["2026-11-20T20:00:00Z", true], ["2026-11-21T08:00:00Z", true]]'
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  holds "$O/class.json" '[.submissions[] | select(.late) | .student.name] == ["Åsa Öberg"]'
  rm -rf "$S" "$O"
  hand_in doejane_12_340_kernels.cu points 4
  hand_in doejane_LATE_12_345_kernels-1.cu points 1
  class 0 --due "2020-01-01 00:00"
  shows "--due: 2 submissions have no known time"
  holds "$O/class.json" '[.submissions[] | [.late, .counts, .submitted]] == [[false, true, null],
    [true, false, null]]'
}

@test "another lesson's file is no answer, also with a prefix; status 1 when all submissions are so" {
  hand_in ann/streams.cu points 1
  hand_in "Bo Berg_103_assignsubmission_file_streams.cu" points 2
  hand_in doejane_12_340_streams.cu points 3
  class 1
  shows "ann: no kernels.cu in it; streams.cu belongs to lesson05" \
    "no submission holds a kernels.cu: is $S the right folder, and lesson02 the right lesson?"
  holds "$O/class.json" 'all(.submissions[]; .state == "no_file"
    and .message == "no kernels.cu in it; streams.cu belongs to lesson05")'
  [ "$(gradings)" = 0 ]
  hand_in ann/my-answer.cu points 4
  hand_in cas/heat_kernels.cu points 5
  class 0
  are_entries ann '.points == 4 and .file == "my-answer.cu"' \
    cas '.points == 5'
}

@test "keys keep the letters of names with marks" {
  mkdir -p "$S/Jörg Müller" "$S/Åsa"
  hand_in "Jörg Müller/kernels.cu" points 1
  hand_in Åsa/kernels.cu points 2
  class 0
  holds "$O/class.json" '[.submissions[].key | sub("-[0-9a-f]{8}$"; "")] == ["Jorg_Muller", "Asa"]'
}

@test "status 1 when every submission is refused" {
  ln -s /etc/passwd "$S/link.cu"
  mkdir "$S/ann" && ln -s /etc/passwd "$S/ann/kernels.cu"
  class 1
  shows "no submission could be graded: the list above says why."
}

@test "--dry-run aligns its columns for names in any script" {
  mac=$'A\u030asa O\u0308berg' # as a Mac's zip writes it
  for name in "Åsa Öberg" "$mac" 李小龙 plain $'ta\tb'; do hand_in "$name/kernels.cu" points 3; done
  class 0 --dry-run
  [ "$(sed "s/Åsa Öberg/nine wide/; s/$mac/nine wide/; s/李小龙/sixsix/" <<<"$output" |
    grep -cE '^.{68}20[0-9]{2}-')" = 5 ]
}

@test "make-submissions writes a class to a relative folder, with the documented mix in each ten" {
  mkdir here && cd here
  run -0 "$ROOT/tests/class/make-submissions" ../made 10
  [ -z "$output" ] && [ -z "$(ls -A)" ]
  [ "$(find ../made -type f | wc -l)" = 10 ]
  local i
  for i in 0 1 2 4 6; do cmp <(head -n -1 "../made/learner-0000$i/kernels.cu") \
    "$ROOT/solutions/lesson02/kernels.cu"; done
  for i in 3 5 7 8 9; do
    [ -s "../made/learner-0000$i/kernels.cu" ]
    run ! cmp -s <(head -n -1 "../made/learner-0000$i/kernels.cu") "$ROOT/solutions/lesson02/kernels.cu"
  done
  run -2 "$ROOT/tests/class/make-submissions" ../made none
}

# An archive as Python's zipfile writes it, without kinds of files: one entry of that name, stored. zip_entry
# ARCHIVE NAME TEXT
zip_entry() {
  local sum name=$2 text=$3 n t central
  sum=$(printf '%s' "$text" | gzip -c | tail -c 8 | od -An -tx1 -N4 | tr -d ' \n' | sed 's/../\\x&/g')
  n=$(printf '\\x%02x\\x00' "$(printf '%s' "$name" | wc -c)")
  t=$(printf '\\x%02x\\x00\\x00\\x00' "$(printf '%s' "$text" | wc -c)")
  {
    printf 'PK\x03\x04\x14\x00\x00\x08\x00\x00\x00\x00\x21\x00'
    printf '%b%s%s' "$sum$t$t$n"'\x00\x00' "$name" "$text"
    central='PK\x01\x02\x14\x03\x14\x00\x00\x08\x00\x00\x00\x00\x21\x00'
    central+="$sum$t$t$n"'\x00\x00\x00\x00\x00\x00\x00\x00'
    printf '%b%s' "$central"'\x00\x00\x80\x01\x00\x00\x00\x00' "$name"
    printf 'PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00'
    printf '%b' "\\x$(printf %02x $((46 + $(printf '%s' "$name" | wc -c))))"'\x00\x00\x00'
    printf '%b' "\\x$(printf %02x $((30 + $(printf '%s%s' "$name" "$text" | wc -c))))"'\x00\x00\x00\x00\x00'
  } >"$1"
}

@test "reads zips without Unix modes, whose entries may look like options" {
  mkdir -p "$S"
  zip_entry "$S/ann.zip" kernels.cu "// points 3"
  zip_entry "$S/bo.zip" -d./x/kernels.cu "// points 4"
  zip_entry "$S/cas.zip" -x.cu "// points 5"
  zip_entry "$S/dan.zip" $'Mu\u0308ller/kernels.cu' "// points 6"
  in_pack ü/kernels.cu points 7
  in_pack ü/old/kernels.cu points 1
  pack eva.zip ü
  class 0
  holds "$O/class.json" '[.submissions[] | .points] == [3, 4, 5, 6, 7]' \
    '[.submissions[] | .file] == ["ann.zip: kernels.cu", "bo.zip: -d./x/kernels.cu", "cas.zip: -x.cu",
      "dan.zip: Mu\u0308ller/kernels.cu", "eva.zip: ü/kernels.cu"]'
  [ ! -e x ]
}

@test "matches names in any Unicode normal form, and shows invisible characters as escapes" {
  roster 'name,id,email\nJörg Müller,1,jörg@uni.se\n' $'Nguye\u0302\u0303n Vie\u0323\u0302t,2,n@uni.se\n' \
    'Åsa Ek,3,å@uni.se\n'
  hand_in $'Jo\u0308rg Mu\u0308ller/kernels.cu' points 1
  hand_in "Nguyễn Việt/kernels.cu" points 2
  hand_in $'a\u030a@uni.se/kernels.cu' points 3
  hand_in $'mallory\u202etxt.\u200b/kernels.cu' points 4
  class 0 --roster "$BATS_TEST_TMPDIR/class.csv"
  shows "4 entries: 4 graded, 1 not in the roster."
  holds "$O/class.json" \
    '[.submissions[] | [.student.id, .points]] | sort == [[null, 4], ["1", 1], ["2", 2], ["3", 3]]' \
    'any(.submissions[]; .name == "mallory\\u202etxt.\\u200b" and .path == .name)'
}

@test "an impossible time in a name is noted, and the file's date counts" {
  export TZ=Europe/Stockholm
  local name
  for name in ann_2026-02-30T10:15 bo_2026-03-29T02:30 cas_2026-19-47T99:99 dan_2026-11-19T10:15; do
    hand_in "$name/kernels.cu" points 3
    touch -d "2026-11-21 12:00 UTC" "$S/$name/kernels.cu"
  done
  class 0 --due "2026-11-20 23:59"
  holds "$O/class.json" '[.submissions[] | .submitted] == ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z",
    "2026-11-21T12:00:00Z", "2026-11-19T09:15:00Z"]' '[.submissions[] | .late] == [true, true, true, false]' \
    '[.submissions[] | .message] == (["2026-02-30 10:15:00", "2026-03-29 02:30:00", "2026-19-47 99:99:00"]
      | map("there is no time \(.), so its file\u0027s date counts")) + [""]'
}
