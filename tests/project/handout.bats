# make handout: the learners' version contains no unreleased solution, works, and gives the same grades as the
# workbook.

bats_require_minimum_version 1.5.0

# The repository has this tree in one commit. For speed it contains only some of the tests, one mistake of
# each lesson, and of the site only what the handout reads or must leave out.
setup_file() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  export ROOT REPO=$BATS_FILE_TMPDIR/repository LC_ALL=C.UTF-8
  export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b \
    GIT_CONFIG_GLOBAL=/dev/null
  unset WORK RELEASED BRANCH MAKEFLAGS BACKEND
  mkdir "$REPO"
  cd "$ROOT" || exit
  if ! git -c safe.directory='*' ls-files >"$BATS_FILE_TMPDIR/files" 2>/dev/null; then
    find . \( -name .git -o -path ./build -o -name node_modules -o -path ./.tools \) -prune -o -type f \
      -print >"$BATS_FILE_TMPDIR/files"
  fi
  awk -F/ '
    /(^|\/)tests\/(cpu|grader|harness|jobs\/slurm|lessons\/right)\// { next }
    /(^|\/)site\/(browser|figures|play)\// { next }
    /\.patch$/ && seen[$(NF - 1)]++ { next }
    { print }' "$BATS_FILE_TMPDIR/files" |
    while IFS= read -r file; do if [ -f "$file" ]; then printf '%s\n' "$file"; fi; done | tar -cf - -T - |
    tar -C "$REPO" -xf -
  cd "$REPO" || exit
  # The tests do not depend on the default releases.
  sed -i 's/^released:.*/released: []/; /^released:/,/^[a-z]/{/^ *- /d}' site/workshop.yml 2>/dev/null || true
  git init -q -b main . && git add -Af . && git commit -qm all
}

setup() { cd "$REPO" || exit; }

handout() { common/tools/handout --output "$BATS_FILE_TMPDIR/$1" "${@:2}"; }

# unpack OUT [PATH...]: unpacks that handout, or only these of its paths, into $BATS_TEST_TMPDIR/OUT.
unpack() {
  mkdir -p "$BATS_TEST_TMPDIR/$1"
  tar -C "$BATS_TEST_TMPDIR/$1" --strip-components=1 --wildcards -xzf "$BATS_FILE_TMPDIR/$1"/*.tar.gz \
    "${@:2}"
}

@test "without a release: no solutions, no tests with answers, no broken links, nothing uncommitted" {
  echo 'not committed' >>jobs/README.md
  git status --porcelain >"$BATS_TEST_TMPDIR/before"
  run -0 make --no-print-directory BRANCH=learners handout
  git status --porcelain | diff "$BATS_TEST_TMPDIR/before" -
  git checkout -q jobs/README.md
  [[ $output == *"not in it: 1 files"*"Solutions in it: none."*"branch learners: "* ]]
  mv build/handout "$BATS_FILE_TMPDIR/none"
  unpack none
  cd "$BATS_TEST_TMPDIR/none"
  [ ! -e solutions ] && [ ! -e .ci ] && [ ! -e site ] && [ ! -e CONTRIBUTING.md ] &&
    [ ! -e lessons/.template ]
  [ "$(find tests -type f | sort | tr '\n' ' ')" = \
    "tests/jobs/gpu/origin.h tests/jobs/gpu/pinning.cu tests/run tests/works.bats " ]
  run ! grep -rn 'not committed\|<!-- handout' .
  grep -q "^Learner's edition, made of commit .* Solutions in it: none\." README.md
  # targets of links, and commands in the README
  local page target
  find . -name '*.md' | while read -r page; do
    awk '/^ *```/ { code = !code } !code' "$page" | grep -oE '\]\([^) ]+' | cut -c3- |
      grep -vE '^(https?|mailto):|^#' |
      while read -r target; do [ -e "${page%/*}/${target%%#*}" ] || echo "$page: $target"; done
  done >"$BATS_TEST_TMPDIR/broken"
  run -0 cat "$BATS_TEST_TMPDIR/broken"
  [ -z "$output" ] || { echo "$output" && return 1; }
  make -pqrR --no-print-directory 2>/dev/null |
    sed -n 's/^\([a-zA-Z][a-zA-Z0-9_-]*\):.*/\1/p' >"$BATS_TEST_TMPDIR/targets"
  grep -ohE '(`|^ *)make [a-z][a-zA-Z0-9-]*' README.md | sed 's/.*make //; s/NN/02/' |
    sort -u >"$BATS_TEST_TMPDIR/named"
  run ! grep -vxFf "$BATS_TEST_TMPDIR/targets" "$BATS_TEST_TMPDIR/named"
  run -2 make solution05
  [[ $output == *"There is no solution of lesson05 here. Solutions that are: none."* ]]
  # the branch has the same content, and no link to the workbook's history
  git -C "$REPO" archive learners | tar -tf - | grep -v '/$' | sort |
    diff - <(find . -type f | sed 's|^\./||' | sort)
  [ "$(git -C "$REPO" rev-list --count learners)" = 1 ]
}

@test "lessons, cluster and releases come from the workshop's file; jobs that are set differently stop it" {
  printf '%s\n' 'lessons: [lesson01, lesson02]' 'released: [lesson01]' 'cluster: juno' 'account: abc' \
    'options: {MODULES: "gnu13 cuda/13", GPUS: 2}' >"$BATS_TEST_TMPDIR/my.yml"
  run -0 handout two-lessons --workshop "$BATS_TEST_TMPDIR/my.yml"
  [[ $output == *"Not in this workshop, and not in it: lesson03 "*" lesson10"*"Solutions in it: lesson01."* ]]
  [[ $output == *"Its jobs are set for: make cluster NAME=juno ACCOUNT=abc GPUS=2 MODULES='gnu13 cuda/13'"* ]]
  unpack two-lessons '*/lessons' '*/grader/checks' '*/solutions' '*/jobs' '*/README.md'
  [ "$(cd "$BATS_TEST_TMPDIR/two-lessons" && echo lessons/* grader/checks/*.bats solutions/*)" = \
    "lessons/lesson01 lessons/lesson02 lessons/selftest grader/checks/lesson01.bats \
grader/checks/lesson02.bats grader/checks/selftest.bats solutions/lesson01" ]
  grep -q 'module load gnu13 cuda/13' "$BATS_TEST_TMPDIR/two-lessons/jobs/run.sh"
  run ! grep -n '^| .*lesson0[3-8].* | there |' "$BATS_TEST_TMPDIR/two-lessons/README.md"
  git diff --quiet
  # the jobs here are another cluster's
  jobs/cluster generic TYPE=a100
  run -1 handout differs --workshop "$BATS_TEST_TMPDIR/my.yml"
  [[ $output == *"jobs/run.sh is set for generic TYPE=a100, but "*" says juno ACCOUNT=abc"* &&
    $output == *"make cluster WORKSHOP="* ]]
  make --no-print-directory cluster WORKSHOP="$BATS_TEST_TMPDIR/my.yml"
  run -0 handout two-lessons --workshop "$BATS_TEST_TMPDIR/my.yml"
  git checkout -q jobs
  # jobs that differ from the workshop's own file are reported when they are set and shown
  cp site/workshop.yml "$BATS_TEST_TMPDIR/kept.yml"
  printf '%s\n' 'cluster: juno' 'account: abc' >site/workshop.yml
  run -0 make --no-print-directory cluster NAME=generic
  [[ $output == *"site/workshop.yml says: juno ACCOUNT=abc."* ]]
  run -0 make --no-print-directory cluster NAME=juno ACCOUNT=abc
  [[ $output != *"site/workshop.yml says"* ]]
  git checkout -q jobs && cp "$BATS_TEST_TMPDIR/kept.yml" site/workshop.yml
  [ -z "$(git status --porcelain)" ] # setting the same again leaves nothing
  echo 'cluster: none' >"$BATS_TEST_TMPDIR/my.yml"
  run -1 handout none-such --workshop "$BATS_TEST_TMPDIR/my.yml"
  [[ $output == *"names the cluster none, and no jobs/clusters/none is committed"* ]]
  printf '%s\n' 'lessons: [lesson02]' 'released: [lesson01]' >"$BATS_TEST_TMPDIR/my.yml"
  run -2 handout none-such --workshop "$BATS_TEST_TMPDIR/my.yml"
  [[ $output == *"lesson01 is to be released, but is not one of the workshop's lessons: lesson02"* ]]
}

@test "hands out the jobs as \`make cluster\` set them; other uncommitted changes are only counted" {
  make --no-print-directory cluster NAME=juno RESERVATION=monday
  run -0 handout juno
  [[ $output == *"Its jobs are set for: make cluster NAME=juno RESERVATION=monday"* &&
    $output != *"not in it"* ]]
  unpack juno '*/jobs'
  local script
  for script in jobs/run.sh jobs/class.sh; do cmp "$script" "$BATS_TEST_TMPDIR/juno/$script"; done
  [ -x "$BATS_TEST_TMPDIR/juno/jobs/run.sh" ]
  cp -r "$BATS_FILE_TMPDIR/juno" "$BATS_TEST_TMPDIR/copy"
  touch jobs/run.sh && run -0 handout juno && diff -r "$BATS_TEST_TMPDIR/copy" "$BATS_FILE_TMPDIR/juno"
  echo '# mine' >>jobs/run.sh
  run -0 handout mine
  [[ $output == *"NAME=juno RESERVATION=monday"* && $output == *"not in it: 1 files"* ]]
  unpack mine '*/jobs'
  run ! grep -r '# mine' "$BATS_TEST_TMPDIR/mine/jobs"
  grep -q 'reservation=monday' "$BATS_TEST_TMPDIR/mine/jobs/run.sh"
  git checkout -q jobs
  cp jobs/clusters/generic jobs/clusters/ours && jobs/cluster ours
  run -1 handout ours
  rm jobs/clusters/ours && git checkout -q jobs
  [[ $output == *"jobs/run.sh is set by jobs/clusters/ours, which is not committed"* ]]
}

@test "a second run gives the same file and branch, and never overwrites a different one" {
  cp -r "$BATS_FILE_TMPDIR/none" "$BATS_TEST_TMPDIR/copy"
  run -0 handout none --branch learners
  [[ $output == *"branch learners has it already"* ]]
  diff -r "$BATS_TEST_TMPDIR/copy" "$BATS_FILE_TMPDIR/none"
  run -1 handout none --branch learners --released "lesson02 lesson03"
  [[ $output == *".tar.gz is there and holds something else"* ]]
  diff -r "$BATS_TEST_TMPDIR/copy" "$BATS_FILE_TMPDIR/none"
  [ "$(git rev-list --count learners)" = 1 ]
}

@test "includes released solutions, and the branch continues from the learners' version" {
  run -0 handout two --branch learners --released "lesson02 lesson03"
  unpack two '*/solutions'
  [ "$(cd "$BATS_TEST_TMPDIR/two" && find solutions -type f | sort | tr '\n' ' ')" = \
    "solutions/lesson02/kernels.cu solutions/lesson03/hierarchy.cu " ]
  cmp "$BATS_TEST_TMPDIR/two/solutions/lesson02/kernels.cu" solutions/lesson02/kernels.cu
  [ "$(git rev-list --count learners)" = 2 ]
  [ -z "$(git merge-base learners main)" ]
}

@test "finds two lines of a solution as text, HTML, JSON or a patch, names them, and writes nothing" {
  sed -n '/region task-2/,/endregion/{/\/\/:/!p}' solutions/lesson03/hierarchy.cu |
    grep -E '^ +[a-z].*[a-z;]' | head -n 2 >"$BATS_TEST_TMPDIR/two"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/two")" = 2 ]
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' "$BATS_TEST_TMPDIR/two" >results/leak.svg
  jq -Rs '{code: .}' "$BATS_TEST_TMPDIR/two" >results/leak.json
  sed 's/^ */+\t/' "$BATS_TEST_TMPDIR/two" >grader/leak.patch
  { echo '```' && cat "$BATS_TEST_TMPDIR/two" && echo '```'; } >>lessons/lesson05/README.md
  git add -A && git commit -qm leaks
  run -1 handout leaky
  git reset -q --hard HEAD~1
  local file
  for file in results/leak.svg:2 results/leak.json:2 grader/leak.patch:2 lessons/lesson05/README.md:; do
    [[ $output == *"$file"*" lesson03: "* ]] || { echo "not named: $file" "$output" && return 1; }
  done
  [ ! -e "$BATS_FILE_TMPDIR/leaky" ]
}

@test "a single line, the lesson's own page and a released solution are no leaks" {
  cd "$BATS_TEST_TMPDIR"
  printf '%s\n' '// #region task-1' '//: int todo;' 'a = 1;' '' '}' 'b = 2;' 'c = 3;' \
    '// #endregion task-1' 'd = 4;' 'e = 5;' >solution
  leaks() {
    awk -f "$REPO/common/tools/handout.d/leaks.awk" as=solution of=lesson01 solution as=known of=lesson01 \
      page of= shown as=searched text
  }
  printf 'a = 1;\nx\nd = 4;\ne = 5;\nint todo;\na = 1;\nc = 3;\n' >text
  : >page && : >shown
  run -0 leaks
  [ "$output" = 2 ] # a b and b c
  printf 'a=1;\n  b = 2;\n' >>text
  run -1 leaks
  [[ $output == *'text:9: lesson01: a=1; /   b = 2;'* ]]
  cp text page && run -0 leaks
  : >page && cp text shown && run -0 leaks
}

@test "releases names, all, or the list of workshop.yml; rejects anything else with its line" {
  cd "$BATS_TEST_TMPDIR"
  local text want
  while IFS='|' read -r text want; do
    printf '%b' "$text" >workshop.yml
    run awk -f "$REPO/common/shell/workshop.awk" -v key=released workshop.yml
    [ "$(echo "$output" | tr '\n' ' ')" = "$want " ] || { echo "$text: $output" && return 1; }
  done <<'END'
name: x\nreleased: [lesson01, "lesson02"] # so far\n|lesson01 lesson02
released:\n  - lesson03 # one\n  - lesson04\ndates: [1]\n|lesson03 lesson04
released:\n- lesson03\nlessons:\n- lesson01\n|lesson03
released: []\nlessons: [lesson01]\n|
name: released\n|
a: b\nreleased: lesson01\n|workshop.yml:2: released is a list, for example [lesson01, lesson02], or []
released: [lesson01, first]\n|workshop.yml:1: "first" is no lesson
released:\n  first: true\n|workshop.yml:2: what stands below released: is no list of lessons
released: []\nreleased: [lesson01]\n|workshop.yml:2: released stands there twice
END
  cd "$REPO"
  run -2 handout unknown --released "lesson01 lesson99 lesson1"
  [[ $output == *"no lesson: lesson99 lesson1. Lessons: lesson01 "*", or all"* ]]
  echo 'released: yes' >"$BATS_TEST_TMPDIR/my.yml"
  run -2 make --no-print-directory handout WORKSHOP="$BATS_TEST_TMPDIR/my.yml"
  [[ $output == *"my.yml:1: released is a list"* ]]
  run -2 make --no-print-directory handout WORKSHOP=none.yml
  [[ $output == *"there is no file none.yml"* ]]
}

@test "rejects a missing git, repository or commit, and a foreign branch, with what to do" {
  local option
  for option in --relaesed --branch; do run ! handout bad "$option"; done
  run -2 handout bad --branch 'a b'
  [[ $output == *'"a b" cannot be the name of a branch'* ]]
  run -1 handout bad --branch main
  [[ $output == *"its last commit is no handout. Name another one"* ]]
  git branch -q astray && git worktree add -q "$BATS_TEST_TMPDIR/tree" astray
  git -C "$BATS_TEST_TMPDIR/tree" commit -q --allow-empty -m $'x\n\nHandout-of: x'
  run -1 handout bad --branch astray
  [[ $output == *"history of astray leads to the workbook's own"* ]]
  mkdir -p "$BATS_TEST_TMPDIR/plain/common/tools"
  cp -r common/shell "$BATS_TEST_TMPDIR/plain/common/"
  cp -r common/tools/handout* "$BATS_TEST_TMPDIR/plain/common/tools/"
  cd "$BATS_TEST_TMPDIR/plain"
  GIT_CEILING_DIRECTORIES=$BATS_TEST_TMPDIR run -3 common/tools/handout
  [[ $output == *"no git repository"*"Take a clone of the workbook."* ]]
  git init -q .
  run -3 common/tools/handout
  [[ $output == *"there is no commit yet"* ]]
}

# bats test_tags=slow
@test "the first command of the set-up pages works in an edition without any solution" {
  [ -e "$BATS_FILE_TMPDIR/none" ] || handout none
  unpack none
  cd "$BATS_TEST_TMPDIR/none"
  equip .
  run -0 ./bootstrap --selftest
  [[ $output == *"✓ the wrong answer fails: double_array, n = 257: x[256] is "* ]]
  [[ $output == *"x[256] is "*"✓ the right answer passes: "* && ${lines[-1]} == "Ready: "* ]]
}

# ---- Slow: the handout works ----

# block MARK [N]: the text of the Nth code block after the line <!-- MARK --> in README.md.
block() {
  awk -v mark="<!-- $1 -->" -v wanted="${2:-1}" '
    $0 == mark { marked = 1; next }
    marked && /^```/ { if (inside) { inside = 0; if (n == wanted) exit } else { inside = 1; n++ } next }
    inside && n == wanted' README.md
}

without_figures() {
  sed -E 's/CPU backend on .*/CPU backend on X/; s/-?[0-9]+\.[0-9]+/F/g; s/  +F s/ F s/; s/^bats .*/bats/'
}

# equip DIR: gives a checkout the files that are built and installed here.
equip() {
  mkdir -p "$1/build/tests" "$ROOT/build/tests/cucc"
  ln -s "$ROOT/build/tests/cucc" "$1/build/cucc"
  ln -s "$ROOT/build/tests/cucc" "$1/build/tests/cucc"
  [ ! -e "$ROOT/node_modules" ] || ln -s "$(realpath "$ROOT/node_modules")" "$1/node_modules"
}

# bats test_tags=slow
@test "the two commands of a handout's README print the output that it shows" {
  [ -e "$BATS_FILE_TMPDIR/two" ] || handout two --released "lesson02 lesson03"
  unpack two
  cd "$BATS_TEST_TMPDIR/two"
  equip .
  run -1 bash -c "$(block grade-command)"
  diff <(block grade-command 2 | without_figures) <(without_figures <<<"$output")
  run -0 bash -c "$(block test-command)"
  diff <(block test-command 2 | without_figures) <(without_figures <<<"$output")
}

# comparable GRADE: prints the part on which both gradings must agree: all except dates, folder names and the
# next step, which may name a solution. In a plain C lesson, which is timed, also without the checks of speed
# and their consequences.
comparable() {
  local fast='[]'
  [[ $source != *.c ]] || fast=$(awk -F'"' '/^@test / { sentence = $2 } /(\{|^) *(faster|excellent) / {
    print sentence }' \
    "$REPO/grader/checks/$lesson.bats" | jq -R . | jq -s .)
  jq --argjson fast "$fast" 'del(.date, .next, .repeat, .file)
    | if $fast == [] then . else del(.points, .measured_points, .verdict) end
    | .checks |= map(select(.sentence | IN($fast[]) | not) | .message |= gsub("[^ ]*/common/"; "common/"))' \
      "$1"
}

# One worker, since otherwise it is random which of several races is found first.
# bats test_tags=slow
@test "a handout's grader gives the same grade.json for every lesson: solution, starter and a mistake" {
  [ -e "$BATS_FILE_TMPDIR/none" ] || handout none
  unpack none
  equip "$REPO"
  equip "$BATS_TEST_TMPDIR/none"
  local lesson source kind where patch
  for lesson in "$REPO"/lessons/lesson[0-9][0-9]; do
    lesson=${lesson##*/} source=$(basename "$REPO/solutions/$lesson"/*)
    patch=$(printf '%s\n' "$REPO/tests/lessons/bugs/$lesson"/*.patch | head -n 1)
    for kind in solution starter mistake; do mkdir -p "$BATS_TEST_TMPDIR/$lesson/$kind"; done
    cp "$REPO/solutions/$lesson/$source" "$BATS_TEST_TMPDIR/$lesson/solution/"
    cp "$REPO/lessons/$lesson/.starter/$source" "$BATS_TEST_TMPDIR/$lesson/starter/"
    patch -s -o "$BATS_TEST_TMPDIR/$lesson/mistake/$source" "$REPO/solutions/$lesson/$source" "$patch"
    for kind in solution starter mistake; do
      for where in "$REPO" "$BATS_TEST_TMPDIR/none"; do
        CUCC_WORKERS=1 "$where/grader/check" "$lesson" --backend "$([[ $source == *.c ]] && echo auto ||
          echo cpu)" --seed 7 \
          --submission "$BATS_TEST_TMPDIR/$lesson/$kind" \
          --keep "$BATS_TEST_TMPDIR/$lesson/$kind/${where##*/}" >/dev/null || true
      done
      diff <(comparable "$BATS_TEST_TMPDIR/$lesson/$kind/repository/grade.json") <(comparable \
        "$BATS_TEST_TMPDIR/$lesson/$kind/none/grade.json")
      echo "$lesson $kind: $(jq -c '[.points, .max_points]' \
        "$BATS_TEST_TMPDIR/$lesson/$kind/none/grade.json")"
    done
  done
}
