# The site's figures show the contents of results/. Missing or malformed results are rejected by name.

bats_require_minimum_version 1.5.0
load site

setup_file() {
  needs_site
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  TODAY=results/2026-11-22-nvidia-h200 LADDER=results/2026-11-26-nvidia-h100/ladder07.md
  JACOBI=results/2026-11-25-nvidia-h200/ladder08.md
  RUN08=results/2026-11-25-nvidia-h200/lesson08-run-cuda.json
  export NODE_NO_WARNINGS=1
}

show() { node site/figures/show.js "$@"; }

# numbers NAME [RESULTS]: prints the table of a chart without its head, with tabs between the cells.
numbers() {
  show "$@" | sed -n 's|.*<tbody>\(.*\)</tbody>.*|\1|p' | sed -E 's|</tr>|\n|g' |
    sed -E 's#</t[hd]>#\t#g; s#<[^>]*>##g; s#&amp;#\&#g; s#\t$##' | sed '/^$/d'
}

# cells N...: prints these columns of a Markdown table's rows in the form of `numbers`.
cells() {
  awk -F ' *[|] *' -v columns="$*" '{ n = split(columns, c, " ");
    for (i = 1; i <= n; i++) printf "%s%s", $(c[i] + 1), i < n ? "\t" : "\n" }'
}

same() { diff <(sort "$1") <(sort "$2"); }

@test "every figure has names, a wide and a narrow picture, a caption, and a version in words or numbers" {
  run -0 node --input-type=module -e '
    import { gzipSync } from "node:zlib";
    import { figures } from "./site/figures/index.js";
    for (const [name, draw] of Object.entries(figures)) {
      const html = draw({ root: "." });
      const bad = (what) => console.log(name + ": " + what);
      if (!/^<figure class="figure (chart|diagram)">.*<\/figure>$/s.test(html)) bad("no figure");
      for (const part of ["<svg class=\"drawn wide\"", "<svg class=\"drawn narrow\"", "role=\"img\"",
          "<title>", "<desc>", "<figcaption>", "<details"])
        if (!html.includes(part)) bad("no " + part);
      if (/class="figure chart"/.test(html) &&
          !/Measured on .*20\d\d-\d\d-\d\d: <code>results\//.test(html))
        bad("its caption does not say what measured it, and when");
      if (/NaN|undefined|null|Infinity|\[object/.test(html)) bad("something is missing in it");
      if (/<script|style="|fill="|stroke="|#[0-9a-f]{3,6}\b/i.test(html))
        bad("a colour or script of its own");
      const bytes = gzipSync(html).length;
      if (bytes > 10000) bad(bytes + " bytes, as it travels");
    }'
  [ -z "$output" ]
}

@test "the bandwidths are those of the sweep, and the unlabelled sizes are the requested ones" {
  numbers bandwidth >"$BATS_TEST_TMPDIR/shown"
  for colour in 0 1 2 3; do
    sed -nE "s|.*class=\"c$colour\" cx=[^>]*><title>([0-9.]+) GB/s.*|\1|p" \
      "$TODAY/lesson04-sizes.svg" >"$BATS_TEST_TMPDIR/$colour"
  done
  sed -nE 's|.*y="292.0"[^>]*>([^<]+)</text>.*|\1|p' "$TODAY/lesson04-sizes.svg" |
    paste - "$BATS_TEST_TMPDIR"/[0-3] | diff - "$BATS_TEST_TMPDIR/shown"
  # The sizes of the command on lesson03's page.
  [ "$(numbers grid-blocks | cut -f 1 | paste -sd,)" = '100,128,132,1000,1 Ki,1056,4 Ki,64 Ki' ]
  [ "$(numbers block-threads | cut -f 1 | paste -sd,)" = 32,64,96,128,192,256,320,512,768,'1 Ki' ]
}

@test "the ladders show the measured values" {
  numbers matmul-ladder >"$BATS_TEST_TMPDIR/shown"
  grep '^| ladder07, float32' "$LADDER" | cells 2 8 | sed -E 's/ \(([0-9.]+)\)/\t\1/' |
    sort >"$BATS_TEST_TMPDIR/held"
  cut -f 1-3 "$BATS_TEST_TMPDIR/shown" | same - "$BATS_TEST_TMPDIR/held"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/held")" = 13 ]

  numbers histogram-ladder | cut -f 1,3-5 >"$BATS_TEST_TMPDIR/shown"
  awk '/^\| histogram/ { on = 1; next } /^$/ { on = 0 } on && !/^\|-/' "$TODAY/ladder06.md" |
    cells 1 3 5 6 >"$BATS_TEST_TMPDIR/held"
  same "$BATS_TEST_TMPDIR/shown" "$BATS_TEST_TMPDIR/held"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/held")" = 15 ]

  numbers jacobi-sizes | cut -f 1-3 >"$BATS_TEST_TMPDIR/shown"
  for side in 256 1024 4096 8192 16384; do
    for version in 'sweeps()' copy; do grep "^| $side | $version |" "$JACOBI" | cells 4; done |
      paste -sd '\t' | sed "s/^/$side\t/"
  done | diff - "$BATS_TEST_TMPDIR/shown"
}

@test "two GPUs against one: the measured times, and efficiencies that follow from them" {
  local file=results/2026-11-25-nvidia-h100-x2/scaling13.md
  numbers multigpu-scaling >"$BATS_TEST_TMPDIR/shown"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/shown")" = 15 ]
  # The first table, then the larger plates of the second one.
  grep "^| [0-9]* x [0-9]* |" "$file" | cells 1 2 3 4 5 | sed "s/\t\t/\t–\t/" |
    awk "NR <= 9 || NR > 15" | diff - "$BATS_TEST_TMPDIR/shown"
  # T1 is the least time of one GPU for the plate, or for half of it where one GPU did not sweep it.
  awk -F "\t" '{ split($1, n, " x "); cells = n[1] * n[2]; one = $3 == "–" ? 0 : $3 }
    NR == FNR { if (one && (!(cells in least) || one < least[cells])) least[cells] = one; next }
    { e = one ? least[cells] / (2 * $4) : least[cells / 2] / $4
      if (e - $5 > 0.0006 || $5 - e > 0.0006) print "no efficiency: " $0, e }' \
    "$BATS_TEST_TMPDIR"/{shown,shown} >"$BATS_TEST_TMPDIR/bad"
  cat "$BATS_TEST_TMPDIR/bad" && [ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

@test "the lengths of bars match their numbers" {
  show matmul-ladder | sed 's/<svg class="drawn narrow.*//; s/<rect/\n<rect/g' |
    sed -nE 's/.* width="([0-9.]+)".*<text[^>]*>([0-9.]+) · .*/\1 \2/p' >"$BATS_TEST_TMPDIR/bars"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/bars")" = 13 ]
  awk '{ unit = $1 / $2; if (!first) first = unit;
    if ($2 > 2 && (unit / first > 1.02 || unit / first < 0.98)) bad = 1 } NR == 1 { first = 0 } END {
      exit bad }' \
    <(tac "$BATS_TEST_TMPDIR/bars")
}

@test "the timelines match the report" {
  numbers overlap | cut -f 1,3-5 >"$BATS_TEST_TMPDIR/shown"
  jq -r '.tasks[] | select(.name == "process_chunks" or .name == "process_streams") | .name as $task
    | .timeline.activities[] |
    [$task, .stream, .start_us, .end_us] | @tsv' results/2026-11-22-nvidia-h200/lesson05-run-cuda.json \
    >"$BATS_TEST_TMPDIR/held"
  diff "$BATS_TEST_TMPDIR/held" "$BATS_TEST_TMPDIR/shown"
}

@test "speeds next to baselines, ceilings and memory sizes match the reports" {
  for lesson in lesson04 lesson05; do # of lesson05's ratios to one core no upper end is known
    numbers "speeds-$lesson" | cut -f 2-6 >"$BATS_TEST_TMPDIR/shown"
    jq -r '.tasks[] | select(.timing) | .name as $task | (.baselines // .yardsticks)[]
      | [$task, .name, .ratio, .ratio_low, .ratio_high // "–"] | @tsv' \
      "$TODAY/$lesson-run-cuda.json" | diff - "$BATS_TEST_TMPDIR/shown"
  done

  numbers ceilings | cut -f 2 | sort >"$BATS_TEST_TMPDIR/shown"
  jq -r '.ceilings[] | select(.name == ("h2d", "d2h", "link", "copy", "read")) | "\(.value) \(.unit)"' \
    results/2026-11-22-nvidia-h200/lesson05-run-cuda.json "$RUN08" | sort |
    diff - "$BATS_TEST_TMPDIR/shown"

  show memory-hierarchy >"$BATS_TEST_TMPDIR/shown"
  for words in "$(jq -r '.device
    | "\(.sm_count) multiprocessors|L2 cache, \(.l2_bytes / 1048576) MiB|" +
      "Global memory, \(.memory_bytes / 107374182.4 | round / 10) GiB"' \
    "$RUN08")" "$(jq -r '.ceilings[] | select(.name == "read")
    | "up to \(.value) GB/s"' "$RUN08")"; do
    while read -r -d '|' each; do grep -q "$each" "$BATS_TEST_TMPDIR/shown"; done <<<"$words|"
  done
}

@test "the plate converges as on a GPU: after the same number of sweeps, with the same middle value" {
  local list=results/2026-11-22-xeon-2-cores/lesson08-convergence.csv sweeps middle
  numbers jacobi-convergence >"$BATS_TEST_TMPDIR/shown"
  # 0.1515 and 0.15150 are the same number.
  grep -v '^#' "$list" | sed 1d | awk -F, -v OFS='\t' \
    '{ print $1, $2 + 0, $3 + 0, $4 + 0 }' >"$BATS_TEST_TMPDIR/held"
  awk -v OFS='\t' '{ print $1, $2 + 0, $3 + 0, $4 + 0 }' "$BATS_TEST_TMPDIR/shown" |
    diff "$BATS_TEST_TMPDIR/held" -
  sweeps=$(awk -F, '$5 == 1 { print $1 }' "$list") middle=$(awk -F, '$5 == 1 { print $4 }' "$list")
  grep -qF "| 256 | solve (double) | 1 | $sweeps | $middle |" "$TODAY/ladder08.md"
  show jacobi-convergence | grep -q "after $sweeps sweeps"
  show jacobi-plate | grep -q "after $sweeps sweeps"
}

@test "the steps of the streams are those of lesson05's page" {
  run -0 node --input-type=module -e '
    import { schedule } from "./site/figures/diagrams/streams.js";
    console.log([1, 2, 3, 8].map((streams) => schedule(12, streams).steps).join());'
  [ "$output" = 36,19,14,14 ]
}

@test "a newer measurement on another device updates the figure" {
  mkdir -p "$BATS_TEST_TMPDIR/results/2027-01-02-other"
  cp -r results/* "$BATS_TEST_TMPDIR/results/"
  sed -E -e 's/NVIDIA H200/NVIDIA X1/; s/580.159.04/999.1/; s/2026-11-22[0-9T:Z]*/2027-01-02/' \
    -e '/ naive /s/[0-9.]+ \([0-9.]+\) \| [^|]*\|$/6.66 (0.134) | 5.55 (0.111) |/' \
    "$TODAY/ladder07.md" >"$BATS_TEST_TMPDIR/results/2027-01-02-other/ladder07.md"
  show matmul-ladder "$BATS_TEST_TMPDIR/results" >"$BATS_TEST_TMPDIR/shown"
  grep -q 'Measured on NVIDIA X1, driver 999.1, CUDA 13.0, 2027-01-02: '\
'<code>results/2027-01-02-other/ladder07.md' "$BATS_TEST_TMPDIR/shown"
  grep -q '6.66 · 0.134' "$BATS_TEST_TMPDIR/shown"
}

# refused NAME FILE EDIT WORDS: with FILE changed by sed's EDIT the figure is rejected with these words.
# `all_refused` checks it.
refused() {
  local copy
  copy=$(mktemp -d "$BATS_TEST_TMPDIR/copyXXXXXX")
  [ -d "$BATS_TEST_TMPDIR/whole" ] || cp -r results "$BATS_TEST_TMPDIR/whole"
  cp -rl "$BATS_TEST_TMPDIR/whole" "$copy/results" # sed puts a new file in the place of the link
  sed -i -E "$3" "$copy/results/$2"
  printf '%s\t' "$1" "$2" "$4" >>"$BATS_TEST_TMPDIR/cases"
  printf '%s\n' "$copy/results" >>"$BATS_TEST_TMPDIR/cases"
}

# All in one process, since starting node takes longer than the checks.
all_refused() {
  run -0 node --input-type=module -e '
    import { readFileSync } from "node:fs";
    import { figures } from "./site/figures/index.js";
    for (const line of readFileSync(process.argv[1], "utf8").trim().split("\n")) {
      const [name, file, words, results] = line.split("\t");
      let said = "it was drawn";
      try { figures[name]({ root: ".", results }); } catch (error) { said = error.message; }
      if (!said.startsWith("results/" + file + ":") || !said.includes(words) ||
          !/(Correct|Make|Measure) .*\.$/.test(said))
        console.log(name, "said", said, "and not", words);
    }' "$BATS_TEST_TMPDIR/cases"
  echo "$output" && [ -z "$output" ]
}

@test "malformed results stop the build with file, line and what to do" {
  local today=${TODAY#results/} run=2026-11-22-nvidia-h200/lesson05-run-cuda.json \
    plates=2026-11-22-xeon-2-cores/lesson08-plates.csv two=2026-11-25-nvidia-h100-x2/scaling13.md
  refused matmul-ladder "${LADDER#results/}" '6s/[0-9.]+ \([0-9.]+\)/8.1/g' \
    ':6: "8.1" is not a speed with its ratio'
  refused matmul-ladder "${LADDER#results/}" '7s/ \| [^|]*\|$//' ':7: a row of'
  refused histogram-ladder "$today/ladder06.md" 's/x CUB/against CUB/' 'no column "x CUB"'
  refused histogram-ladder "$today/ladder06.md" '/^Device/d' 'no line says "Device'
  refused histogram-ladder "$today/ladder06.md" '/^Device/s/2026-11-22/2026-02-30/' \
    'no such date: "2026-02-30"'
  refused jacobi-sizes "${JACOBI#results/}" '/1024 . sweeps\(\)/d' 'side 1024 has no version "sweeps()"'
  refused overlap "$run" 's/,"seed"/"seed"/' ':1: it is no JSON'
  refused overlap "$run" 's/..$//' 'it is no JSON'
  refused overlap "$run" 's|wb-run/1|wb-run/3|' ':1: its schema is "wb-run/3"'
  refused overlap "$run" 's/"source":"measured"/"source":"none"/' 'process_chunks has no measured timeline'
  refused overlap "$run" 's/"start_us":[1-9][0-9.]*/"start_us":null/' 'start_us is no number: null'
  refused multigpu-scaling "$two" 's/\| E \|$/| F |/' 'no column "E"'
  refused multigpu-scaling "$two" '0,/0\.601/s/0\.601/much/' 'an efficiency is no number: "much"'
  refused speeds-lesson05 "$run" 's/("name":"staged"[^}]*"ratio":)[0-9.]+/\1"fast"/' \
    'ratio of staged is no number: "fast"'
  refused memory-hierarchy "${RUN08#results/}" 's/"l2_bytes":62914560/"l2_bytes":null/' \
    ':1: l2_bytes is no number'
  refused bandwidth "$today/lesson04-sizes.svg" 's/measured on NVIDIA H200//' \
    'no device: it is no drawing of a sweep'
  refused bandwidth "$today/lesson04-sizes.svg" 's/cx="127.4"/cx="128.4"/' 'not at any mark of the axis'
  refused jacobi-plate "$plates" '9s/,0,/,zero,/' ':9: 0 is no number: "zero"'
  refused jacobi-plate "$plates" '9d' '51 rows of the plate after 100 sweeps, not 52'
  refused jacobi-convergence "${plates/plates/convergence}" '7s/,[^,]*$//' ':7: 4 values for 5 columns'
  all_refused
}

@test "missing results stop the build with how to get them" {
  mkdir "$BATS_TEST_TMPDIR/results"
  run -1 show matmul-ladder "$BATS_TEST_TMPDIR/results"
  [[ $output == 'results/*/ladder07.md: there is no such file, and a figure is drawn from it. '* ]]
  [[ $output == *'drawn from it. Measure it by tests/jobs/gpu/ladder07 on a GPU'* ]]
  run -1 show overlap "$BATS_TEST_TMPDIR/results"
  [[ $output == *'lesson05-run-cuda.json'*'make bench SAVE='* ]]
  run -1 show jacobi-plate "$BATS_TEST_TMPDIR/results"
  [[ $output == *'common/tools/plate results/DATE-DEVICE'* ]]
  run -1 show nothing
  [[ $output == 'there is no figure nothing' ]]
}

@test "an image that a device drew is drawn again from its folder; other images are left alone" {
  cp -r results "$BATS_TEST_TMPDIR/results"
  mkdir "$BATS_TEST_TMPDIR/results/2027-01-02-other"
  cp "$TODAY"/lesson04-* "$BATS_TEST_TMPDIR/results/2027-01-02-other/"
  sed -i 's/>84.6 GB/>77.7 GB/' "$BATS_TEST_TMPDIR/results/2027-01-02-other/lesson04-sizes.svg"
  run -0 node --input-type=module -e '
    import { redrawn } from "./site/figures/index.js";
    const where = { root: ".", results: process.argv[1] };
    for (const file of process.argv.slice(2)) {
      const html = redrawn(file, where) ?? "null";
      console.log(/<code>(.*)<\/code>/.exec(html)?.[1] ?? html.slice(0, 30), html.includes("77.7"));
    }' "$BATS_TEST_TMPDIR/results" "$TODAY/lesson04-sizes.svg" results/2027-01-02-other/lesson04-sizes.svg \
    lessons/lesson07/figures/tiles.svg lessons/lesson05/figures/overlap.svg
  diff <(echo "$output") - <<END
$TODAY/lesson04-sizes.svg false
results/2027-01-02-other/lesson04-sizes.svg true
<figure class="figure diagram" false
null false
END
}

@test "every figure named on a page exists, and every figure is on a page" {
  local asked
  asked=$(grep -ho '^<!-- site: figure [a-z0-9-]* -->' lessons/*/README.md site/pages/*.md |
    cut -d ' ' -f 4 | sort -u)
  [ -z "$(comm -23 <(echo "$asked") <(node site/figures/show.js | sort))" ]
  # A page shows these figures as images.
  [ "$(comm -13 <(echo "$asked") <(node site/figures/show.js | sort) |
    paste -sd,)" = bandwidth,block-threads,block-width,grid-blocks,keys,tiles ]
}
