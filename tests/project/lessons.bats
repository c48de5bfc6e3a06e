# lesson.yml: the one file of each lesson that all lists, pages and programs read.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  LESSON=$BATS_TEST_TMPDIR/lessons/lesson05
  mkdir -p "$LESSON"
  cp lessons/lesson05/lesson.yml "$LESSON/"
}

facts() { awk -v keys="$1" -f common/shell/lesson.awk "${@:2}"; }

# complains SED-EXPRESSION LINE WORDS: lesson05's file, changed so, is refused with this line number and these
# words, and an example of what to write.
complains() {
  sed -E "$1" lessons/lesson05/lesson.yml >"$LESSON/lesson.yml"
  run -1 --separate-stderr facts title "$LESSON/lesson.yml"
  [[ -z $output && ${#stderr_lines[@]} == 1 ]] || { printf '%s\n' "$1" "$output" "$stderr" && return 1; }
  [[ $stderr == "$LESSON/lesson.yml:$2: $3"* ]] || { printf '%s\n' "$1" "$stderr" && return 1; }
}

@test "prints the values of the keys asked for, a line for each lesson" {
  run -0 facts 'number needs gpus' lessons/lesson01/lesson.yml lessons/lesson08/lesson.yml
  [ "$output" = $'1\t\t0\n8\tlesson03 lesson06\t1' ]
}

@test "takes comments, blanks, quotes and Windows line ends" {
  printf '%s\r\n' '# a comment' 'number:   5  # five' 'name: streams' 'title: "a: b # c" # d' \
    'minutes: 45' '' 'needs: [ lesson02 ,lesson03]' 'write: x(y), z' 'shows: "1 × 2"' 'gpus: 0' \
    'libraries: []' >"$LESSON/lesson.yml"
  run -0 facts 'number title needs shows further' "$LESSON/lesson.yml"
  [ "$output" = $'5\ta: b # c\tlesson02 lesson03\t1 × 2\t' ]
}

@test "a mistake in lesson.yml is an error with file, line, and what to write" {
  complains 's/^title/titel/; $atitle: x' 3 'unknown key titel. The keys: number, name, title, '
  complains '/^minutes/d' 9 'has no minutes: add a line like `minutes: 45`'
  complains 's/^number: 5/number: 6/' 1 'number is not the number in the name of the file, 5: write it like '
  complains 's/^number: 5/number: five/' 1 'number is no whole number: write it like `number: 5`'
  complains 's/^minutes: .*/minutes: 3/' 4 'minutes is not from 5 to 600'
  complains 's/^minutes: .*/minutes: 4 5/' 4 'minutes is no whole number'
  complains 's/^gpus: .*/gpus: -1/' 9 'gpus is no whole number: write it like `gpus: 1`'
  complains 's/^name: .*/name: my streams/' 2 'name is no short word in small letters'
  complains 's/^title: .*/title:/' 3 'title has no value: write it like `title: streams`'
  complains 's/^title: .*/title: a title that takes too many letters/' 3 'title is longer than 20 letters'
  complains 's/^title: .*/title: streams: more/' 3 'title needs quotes'
  complains 's/^title: .*/title: "streams/' 3 'title is no text'
  complains 's/^needs: .*/needs: lesson02/' 6 'needs is no list of lessons: write it like `needs: [lesson02]`'
  complains 's/^needs: .*/needs: [lesson05]/' 6 'needs names a lesson that does not come before it'
  complains '$alibraries: [blas]' 10 'libraries is no list of cublas, cuda, nccl, nvrtc'
  complains '$agpus: 2' 10 'gpus is there twice: keep one of the lines'
  complains '$a- more' 10 'is no line `key: value`. The keys: '
}

@test "a missing file is an error that names it" {
  rm "$LESSON/lesson.yml"
  run -1 facts title "$LESSON/lesson.yml"
  [[ $output == "$LESSON/lesson.yml: cannot be read: each lesson has this file"* ]]
}

@test "lists, README's table and make stop at a mistake in a lesson.yml" {
  local copy=$BATS_TEST_TMPDIR/copy
  mkdir -p "$copy/solutions" "$copy/results"
  cp -r Makefile README.md common grader lessons "$copy/"
  cp results/measured "$copy/results/"
  cp -r solutions/lesson02 "$copy/solutions/"
  sed -i 's/^gpus: 1/gpus: one/' "$copy/lessons/lesson02/lesson.yml"
  local mistake='lessons/lesson02/lesson.yml:9: gpus is no whole number: write it like `gpus: 1`' command
  for command in 'make --no-print-directory list' 'common/tools/figures README.md' 'grader/check' \
    'make -n program LESSON=lesson02 BACKEND=cpu SUBMISSION=solutions/lesson02 OUT=.'; do
    run bash -c "cd '$copy' && $command"
    [[ $status != 0 && $output == *"$mistake"* ]] || { printf '%s\n' "$command" "$output" && return 1; }
  done
  cmp README.md "$copy/README.md"
}

@test "the libraries of a lesson.yml are linked with its program" {
  mkdir "$BATS_TEST_TMPDIR/copy"
  cp -r Makefile common grader lessons solutions "$BATS_TEST_TMPDIR/copy/"
  cd "$BATS_TEST_TMPDIR/copy"
  echo 'libraries: [cublas, nvrtc]' >>lessons/lesson02/lesson.yml
  run -0 make -n NVCC= build/cpu/lesson02 build/cpu/lesson03
  [[ $(grep -c -e ' -lcublas -lnvrtc ' <<<"$output") == 1 ]]
  [[ $(grep -e ' -lcublas' <<<"$output") == *"-o build/cpu/lesson02 "* ]]
}
