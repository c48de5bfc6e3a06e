# The site: make site builds it, faults stop the build, and unreleased solutions leave no trace.
#
# Most tests build a small checkout with two lessons and change its files.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load site

setup_file() {
  ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  needs_site
  SMALL=$BATS_FILE_TMPDIR/small
  mkdir -p "$SMALL"/{lessons,solutions,grader/checks,jobs,site,common}
  cp -R "$ROOT"/lessons/lesson0[12] "$SMALL/lessons"
  cp -R "$ROOT"/solutions/lesson0[12] "$SMALL/solutions"
  cp "$ROOT"/grader/checks/lesson0[12].* "$SMALL/grader/checks"
  cp "$ROOT/README.md" "$SMALL"
  cp -R "$ROOT"/jobs/{clusters,README.md} "$SMALL/jobs"
  cp -R "$ROOT"/site/{build,eleventy.config.js,package.json,assets,layouts,lib} "$SMALL/site"
  # rooms that no test changes
  ln -s "$ROOT/results" "$SMALL"
  ln -s "$ROOT/grader/lib" "$SMALL/grader"
  ln -s "$ROOT/common/shell" "$SMALL/common"
  ln -s "$ROOT"/site/{node_modules,figures,play} "$SMALL/site"
  : >"$SMALL/site/workshop.yml"
  export ROOT SMALL
  start_maker
}

teardown_file() { stop_maker; }

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp -a "$SMALL" small
  printf '%s\n' 'name: "A day of CUDA"' 'start: "09:00"' >workshop.yml
}

# says WORDS...: building the small site stops, and the output contains each of the words.
says() {
  run -1 make_small workshop.yml
  local words
  for words in "$@"; do
    [[ $output == *"$words"* ]] || { printf 'expected: %s\n' "$words" && return 1; }
  done
}

# page ADDRESS: prints that page of the small site.
page() { make_small workshop.yml "$1"; }

# rewrite FILE SED-EXPRESSION: changes a file of the small checkout, not the one it is linked to.
rewrite() {
  sed -E "$2" "small/$1" >new
  ! cmp -s new "small/$1" || { echo "nothing to change in $1" && return 1; }
  mv new "small/$1"
}

# third LINE WORDS...: adds a file with this third line to `slips`, and the words that its message must
# contain.
third() {
  slips+=("slip${#slips[@]}.yml")
  printf '%s\n' 'name: "A day of CUDA"' 'start: "09:00"' "$1" >"${slips[-1]}"
  wanted+=("${slips[-1]}:3: " "${@:2}")
}

@test "a mistake in workshop.yml stops the build with file, line and what to do" {
  local slips=() wanted=() words
  third 'Place: here' 'unknown key Place' 'There are: name, dates'
  third 'released: lesson01' 'released is not right' 'a list of lessons'
  third 'dates: [2027-02-29]' '2027-02-29 is no date' 'must exist'
  third 'dates: {from: 2027-03-14, to: 2027-03-12}' 'before they begin' 'Swap'
  third 'lessons: [lesson01, lesson77]' 'there is no lesson77' 'Lessons: lesson01, lesson02'
  third 'released: [lesson00]' 'there is no lesson00'
  third 'cluster: jono' 'there is no cluster profile jono' 'juno'
  third 'end: "08:00"' 'ends at 08:00, before it starts at 09:00'
  third 'options: {COLOUR: red}' 'has no option COLOUR' 'PARTITION'
  third 'lesons: [lesson01]' 'unknown key lesons' 'Did you mean lessons? '
  third 'Größe (m²): 3' 'unknown key Größe (m²)' 'There are: name'
  third 'timezone: Europe/Stokholm' 'timezone is not right' 'Europe/Stockholm'
  third 'days: [{date: 2027-03-14}, {date: 2027-03-13}]' 'the day 2027-03-13 comes after a later one'
  third 'days: [{date: 2027-03-14, item: []}]' 'a day has no item' 'Did you mean items? '
  third 'days: [{items: [leson02]}]' 'there is no leson02' 'Did you mean lesson02? '
  third 'days: [{items: [{at: "08:00", minutes: 30, title: "Welcome"}]}]' '"Welcome" is outside its day'
  third 'days: [{items: [{at: "09:00", title: "Welcome"}]}]' 'the item' 'is not right' 'minutes: 30'
  third 'days: [{items: [lesson01, lesson01]}]' 'lesson01 is there twice' 'how long each part'
  third 'name: "twice"' 'is not YAML' 'duplicated'
  third 'lessons: [lesson01, lesson01]' 'lesson01 is there twice'
  third 'breaks: [{at: "10:30", minutes: 60}, {at: "11:00", minutes: 20}]' 'the break at 11:00 begins before'
  # the part of the pages' command that `make cluster` would reject
  third $'options: {TYPE: v100}\ncluster: tetralith' 'tetralith has no TYPE=v100' 'It has: t4'
  run -1 make_small --workshops "${slips[@]}"
  for words in "${wanted[@]}"; do [[ $output == *"$words"* ]] || { echo "expected: $words" &&
    return 1; }; done
}

@test "a valid workshop.yml gives its days, and the cluster's command with account and reservation" {
  printf '%s\n' 'dates: {from: 2027-03-30, to: 2027-04-01}' 'cluster: juno' 'account: abc' \
    'reservation: gpu day' >workshop.yml
  run -0 make_small --workshops workshop.yml
  [[ $output == *'"days":["2027-03-30","2027-03-31","2027-04-01"]'* ]]
  [[ $output == *"make cluster NAME=juno ACCOUNT=abc RESERVATION='gpu day'"* ]]
}

@test "the timetable respects breaks and nights, reports what does not fit, and is also a calendar" {
  printf '%s\n' 'dates: [2027-03-14]' 'start: "09:00"' 'end: "10:30"' 'place: "Room 1; upstairs"' \
    'breaks: [{at: "09:30", minutes: 15, name: "Coffee"}]' >workshop.yml
  run -0 make_small workshop.yml schedule
  [[ $output == *'workshop.yml: the lessons take 15 minutes more than the day has'* ]]
  local day='2027-03-14 09:00-09:30 lesson01, 09:30-09:45 Coffee, '
  [[ $output == *"${day}09:45-10:00 lesson01, 10:00-10:30 lesson02"* ]]
  run -0 make_small workshop.yml calendar
  local event=$'DTSTART:20270314T094500\r\nDTEND:20270314T100000\r\n'
  event+=$'SUMMARY:Lesson 1: Loops\\, continued\r\nLOCATION:Room 1\\; upstairs\r\nEND:VEVENT'
  [[ $output == *"$event"* ]]
}

@test "days with items keep their times; other lessons are spread over the days without items" {
  cat >workshop.yml <<'YML'
days:
  - date: 2027-03-27
    items:
      - {at: "09:00", minutes: 20, title: "Welcome"}
      - lesson01
      - {at: "10:00", minutes: 30, title: "Coffee"}
      - {minutes: 15, title: "Quiz"}
  - {date: 2027-03-28, start: "10:00"}
YML
  run -0 make_small workshop.yml schedule
  [[ $output == *'2027-03-27 09:00-09:20 Welcome, 09:20-10:00 lesson01, 10:00-10:30 Coffee, '* &&
    $output == *', 10:30-10:35 lesson01, 10:35-10:50 Quiz'* ]]
  [[ $output == *'2027-03-28 10:00-10:45 lesson02, 10:45-11:05 Questions, and time to finish' ]]
  run -0 page schedule/index.html
  [[ $output == *'<td>Welcome</td>'*'<td>Coffee</td>'* ]]
  sed -i 's/start: "10:00"/&, end: "10:30"/; s/minutes: 15, title/minutes: 400, title/' workshop.yml
  run -0 make_small workshop.yml schedule
  [[ $output == *'2027-03-27 ends at 17:00: 400 minutes of "Quiz" find no place'* &&
    $output == *'the lessons take 15 minutes more'* ]]
}

@test "the sample workshop spreads all lessons over three days, and they fit" {
  run -0 node --input-type=module -e "
    import { lessonNames, readLesson } from '$ROOT/site/lib/lessons.js';
    import { readWorkshop } from '$ROOT/site/lib/workshop.js';
    import { schedule } from '$ROOT/site/lib/schedule.js';
    const names = lessonNames('$ROOT'), workshop = readWorkshop('$ROOT', '$ROOT/site/workshop.yml', names);
    const { days, over } = schedule(workshop, names.map((id) => readLesson('$ROOT', id)));
    const lessons = days.map((day) => [...new Set(day.items.flatMap(({ lesson }) => lesson?.id ?? []))]);
    console.log(days.length, over === '', lessons.every((day) => day.length > 1),
      lessons.flat().join() === names.join());"
  [ "$output" = '3 true true true' ]
}

@test "lessons are spread over the days instead of filling the first" {
  echo 'dates: [2027-03-14, 2027-03-15]' >workshop.yml
  run -0 make_small workshop.yml schedule
  [[ $output == *'2027-03-14 09:00-09:45 lesson01'*'2027-03-15 09:00-09:45 lesson02'* ]]
  [[ $output != *'nothing is planned'* ]]
}

@test "the calendar has breaks, links and the place's time as UTC; past dates are noticed" {
  cat >workshop.yml <<'YML'
days:
  - {date: 2020-03-27, items: [{at: "09:00", minutes: 60, title: "Welcome"}, lesson01]}
  - {date: 2020-03-30, items: [lesson02]}
breaks: [{at: "10:30", minutes: 20}]
timezone: Europe/Stockholm
address: "https://example.org/course"
YML
  run -0 make_small workshop.yml calendar
  [[ $output == *'the last day, 2020-03-30, is over'* ]]
  # summer time begins between the two days
  [[ $output == *$'DTSTART:20200327T080000Z\r\nDTEND:20200327T090000Z\r\nSUMMARY:Welcome\r\n'* ]]
  [[ $output == *$'SUMMARY:Welcome\r\nURL:https://example.org/course/schedule/index.html'* ]]
  [[ $output == *$'DTSTART:20200327T093000Z\r\nDTEND:20200327T095000Z\r\nSUMMARY:Break'* ]]
  local address=https://example.org/course/lessons/lesson02/index.html
  [[ $output == *$'DTSTART:20200330T070000Z'*$'\r\n'"URL:$address"* ]]
  [ "$(grep -c '^UID' <<<"$output")" = "$(grep '^UID' <<<"$output" | sort -u | wc -l)" ]
}

@test "a placeholder on a page stops the build, unless it is a draft" {
  mkdir small/site/pages && cp "$ROOT"/site/pages/{cluster,cluster-juno,reference-card}.md small/site/pages
  printf '%s\n' 'cluster: tetralith' >workshop.yml
  DRAFT=0 says 'workshop.yml: pages show a placeholder until it has repository: "https://…": site/pages/' \
    'until it has options: {MODULES: "…"}' 'DRAFT=1'
  run -0 make_small workshop.yml
  [[ $output == *'warning: '*'workshop.yml: pages show a placeholder'*made* ]]
  printf '%s\n' 'cluster: juno' 'repository: "https://example.org/w"' >workshop.yml
  DRAFT=0 run -0 page pages/cluster/index.html
  [[ $output == *'clone https://example.org/w'* && $output == *'module load gnu12 cuda/12.6'* &&
    $output == *'<a href="../cluster-juno/index.html">Juno, UT Dallas</a>'* ]]
  DRAFT=0 run -0 page pages/cluster-juno/index.html
  [[ $output == *'cluster NAME=juno'* && $output != *YOUR* ]]
}

@test "the site has only the workshop's lessons, its toys, its messages and its own cluster's page" {
  mkdir small/site/pages && cp "$ROOT"/site/pages/cluster*.md small/site/pages
  printf '%s\n' 'lessons: [lesson02]' 'cluster: generic' >workshop.yml
  run -0 page index.html
  [[ $output == *'One lesson in C and CUDA: kernels'* && $output != *'many GPUs'* ]]
  run -0 node --input-type=module -e "
    import { errorList } from '$ROOT/site/lib/errors.js';
    console.log(JSON.stringify(errorList({ root: '$ROOT', workshop: { lessons: ['lesson02'] } })));"
  [[ $output == *'lessons/lesson02/index.html'* && $output != *'(lesson01)'* ]]
  [[ $output != *'hints of lesson0'[13-9]* ]]
  run -0 page pages/cluster-juno/index.html
  [[ $output == *'no page'* ]]
  sed 's/^# Any.*/# Campus, ours: two GPUs./' small/jobs/clusters/generic >small/jobs/clusters/campus
  sed -i 's/generic/campus/' workshop.yml
  run -0 page pages/cluster-campus/index.html
  [[ $output == *'cluster NAME=campus'*'which GPU, as Slurm names it'* ]]
  # a lesson's toy goes with its lesson
  rewrite lessons/lesson02/README.md '/<!-- site: play/d'
  { cat small/lessons/lesson01/README.md && printf '\n<!-- site: play grid -->\n'; } >new
  mv new small/lessons/lesson01/README.md
  run -0 page play/grid/index.html
  [[ $output == *'no page'* ]]
}

@test "a mistake in lesson.yml, or a page that disagrees with it, stops the build with file and line" {
  rewrite lessons/lesson02/lesson.yml 's/^gpus: 1/gpus: one/'
  says 'lessons/lesson02/lesson.yml:9: gpus is no whole number'
  cp "$ROOT/lessons/lesson02/lesson.yml" new && mv new small/lessons/lesson02/lesson.yml
  rewrite lessons/lesson02/lesson.yml 's/^minutes: 45/minutes: 50/'
  says 'lessons/lesson02/README.md:16: the minutes: 45, but lessons/lesson02/lesson.yml says 50'
  rewrite lessons/lesson02/lesson.yml 's/^minutes: 50/minutes: 45/; s/^further: 20/further: 25/'
  says 'README.md:16: the minutes to go further: 20, but' 'says 25'
  rewrite lessons/lesson02/lesson.yml 's/^further: 25/further: 20/; s/^needs: .*/needs: []/'
  says 'README.md:16: the lessons that it needs: lesson01, but' 'says none'
  rewrite lessons/lesson02/lesson.yml 's/^needs: .*/needs: [lesson01]/; s/^title: .*/title: cores/'
  says 'lessons/lesson02/README.md:1: the page must begin with the title' '# Lesson 02: cores'
}

@test "cards say what lesson.yml says; a YAML reader reads the same as the workbook's own" {
  run -0 page index.html
  [[ $output == *'You write: the five steps around a kernel; <code>scale_array</code>'* ]]
  [[ $output == *'<p>a kernel is a loop body; copies can cost more than the kernel</p>'* ]]
  cd "$ROOT"
  local files=(lessons/*/lesson*.yml)
  run -0 node --input-type=module -e "
    import assert from 'node:assert';
    import fs from 'node:fs';
    import { createRequire } from 'node:module';
    import { readFacts } from '$ROOT/site/lib/lessons.js';
    const yaml = createRequire('$ROOT/site/lib/lessons.js')('js-yaml');
    const root = '$ROOT';
    const all = process.argv.slice(1);
    const ours = readFacts(root, all);
    all.forEach((file, i) => {
      const { number, title, minutes, further = null, needs: needed, write: writes, shows } =
        yaml.load(fs.readFileSync(root + '/' + file, 'utf8'));
      const { id, ...facts } = ours[i];
      assert.deepEqual(facts, { number, title, minutes, further, needed, writes, shows }, file);
    });
    console.log(all.length);" "${files[@]}"
  [ "$output" -ge 14 ]
}

@test "has a page for addresses that are not there, with links from the site's address" {
  echo 'address: "https://example.org/course"' >workshop.yml
  run -0 node --input-type=module -e "
    import { makeSite } from '$PWD/small/site/lib/make.js';
    const given = { root: '$PWD/small', role: 'learner', workshopFile: '$PWD/workshop.yml', draft: true };
    const site = await makeSite(given);
    console.log(site.texts.get('404.html'));"
  [[ $output == *'href="https://example.org/course/assets/style.css"'* &&
    $output == *'href="https://example.org/course/index.html"'* ]]
}

@test "warns about an unset profile option; pages show the cluster's job command" {
  printf '%s\n' 'dates: [2027-03-14, 2027-03-15, 2027-03-16]' 'cluster: tetralith' >workshop.yml
  mkdir small/site/pages
  cp "$ROOT"/site/pages/{cluster,reference-card}.md small/site/pages
  run -0 make_small workshop.yml schedule
  [[ $output == *'nothing is planned for 2027-03-1'* &&
    $output == *'a placeholder until it has options: {MODULES: "…"}'* ]]
  run -0 page pages/reference-card/index.html
  [[ $output == *'sbatch --gpus-per-task=0 --reservation= jobs/run.sh'* ]]
}

@test "a lesson page has its head, closed hints, and the grader's checks, points and thresholds" {
  run -0 page lessons/lesson02/index.html
  [[ $output == *'<dt>Time</dt><dd>45 min, and 20 min to go further</dd>'* ]]
  [[ $output == *'<a href="../lesson01/index.html">lesson01</a>'* ]]
  [[ $output == *'<details><summary>Task 1, hint 1 of 3</summary>'* ]]
  [[ $output == *'<code>scale_array</code> is right at every size</td><td></td><td class="number">'* ]]
  [[ $output == *'0.8 × <span class="nowrap">copy</span>'* ]]
  [[ $output == *'What stands in kernels.cu'* ]]
  [[ $output == *'<b class="g">__global__'* ]]
  [[ $output != *'<!--'* && $output != *'Solution</summary>'* ]]
}

@test "publishes the starter, not an instructor's edits of the lesson's file" {
  rewrite lessons/lesson02/kernels.cu 's|^#include "kernels.h"|&\nint my_own_work;|'
  run -0 page files/lessons/lesson02/kernels.cu/index.html
  [[ $output != *my_own_work* && $output == *'TODO'* ]]
}

@test "released solutions are shown, whole and by task; instructors see all" {
  echo 'released: [lesson02]' >workshop.yml
  run -0 page lessons/lesson02/index.html
  [[ $output == *'<summary>Solution</summary>'* && $output != *'#region'* && $output != *'//:'* ]]
  run -0 page solutions/lesson02/index.html
  [[ $output == *cudaMemcpy* ]]
  run -0 page solutions/lesson01/index.html
  [[ $output == 'no page'* ]]
  SITE_ROLE=instructor run -0 page solutions/lesson01/index.html
  [[ $output != 'no page'* ]]
}

@test "a region in a link becomes its code; a missing region stops the build" {
  rewrite lessons/lesson02/README.md 's|^## Task 2|[the contract](kernels.h#region=contract)\n\n&|'
  says 'lessons/lesson02/README.md:' 'lessons/lesson02/kernels.h has no region contract' '// #region contract'
  rewrite lessons/lesson02/kernels.h 's|^#ifndef .*|// #region contract\n&\n// #endregion contract|'
  run -0 page lessons/lesson02/index.html
  [[ $output == *'>the contract</a></p><pre tabindex="0"><code class="lang-c">'* &&
    $output == *'KERNELS_H'* && $output != *'region contract'* ]]
}

@test "a broken link, an image without text or file, and an unknown marker are reported with page and line" {
  local spoilt
  for spoilt in '[here](no.cu)|the link leads nowhere: there is no lessons/lesson02/no.cu' \
    '![](figures/grid.svg)|the image figures/grid.svg has no text' \
    '![words](figures/no.svg)|there is no image lessons/lesson02/figures/no.svg' \
    '<!-- site: figur grid -->|there is no marker "site: figur"' \
    '<!-- site: figure nothing -->|there is no figure nothing'; do
    cp "$SMALL/lessons/lesson02/README.md" small/lessons/lesson02/page
    mv small/lessons/lesson02/page small/lessons/lesson02/README.md
    rewrite lessons/lesson02/README.md "s~^### Errors~${spoilt%%|*}\n\n&~"
    says "lessons/lesson02/README.md:$(grep -nF -- "${spoilt%%|*}" small/lessons/lesson02/README.md |
      cut -d: -f1): ${spoilt#*|}"
  done
}

@test "a missing page, a page without its head, and unreadable checks stop the build" {
  rewrite lessons/lesson02/README.md 's/^\*\*Questions\*\*/Questions/'
  says 'lessons/lesson02/README.md:1: the head has no list under **Questions**'
  rm small/lessons/lesson02/README.md
  says 'lessons/lesson02/README.md: is not there'
  echo 'lessons: [lesson01]' >workshop.yml
  rewrite grader/checks/lesson01.thresholds '$s/$/\nsaxpy copy fast/'
  says 'grader/checks/lesson01.thresholds:' 'is not a threshold'
  rewrite grader/checks/lesson01.bats '0,/points:/s/points:/point:/'
  cp "$SMALL/grader/checks/lesson01.thresholds" bars && mv bars small/grader/checks/lesson01.thresholds
  says 'grader/checks/lesson01.bats:' 'each test needs test_tags=task:N,points:M'
}

@test "writes a whole site without broken links or unreleased lines; a failed build leaves the old one" {
  echo 'lessons: [lesson02]' >workshop.yml
  run -0 small/site/build --workshop workshop.yml --out site --zip
  [[ $output == *'site: '*' pages in '*' s. Open site/index.html'* ]]
  [ -s site/index.html ] && [ -s site/search.js ] && [ -s site/assets/minisearch.js ] &&
    [ -s site/slides/lesson02/index.html ] && [ -s site/all/index.html ]
  [ ! -e site/workshop.ics ] && [ ! -e site/lessons/lesson01 ]
  # A page uses one style sheet; the page to print has no forms and no scripts of widgets.
  [ "$(grep -c 'rel="stylesheet"' site/lessons/lesson02/index.html)" = 1 ] &&
    grep -q 'play/grid.js' site/lessons/lesson02/index.html
  grep -q 'data-play="grid"' site/all/index.html &&
    run ! grep -qE 'play-form|play/[a-z]+.js"' site/all/index.html
  # The zip contains only files that were searched.
  mkdir unzipped && (cd unzipped && unzip -q ../site.zip) && diff -r site unzipped/site
  rm site.zip
  cp -R site before
  # A task's lines in a script, escaped as in search.js, where they could be overlooked.
  sed -n '/#region task-2/,/#endregion/p' small/solutions/lesson02/kernels.cu |
    grep -vE '#(end)?region|//:' >lines
  { printf 'window.x = "' && sed 's/$/\\n/' lines | tr -d '\n' && printf '";\n'; } >small/site/assets/leak.js
  run -1 small/site/build --workshop workshop.yml --out site
  [[ $output == *'assets/leak.js: has two lines of the solution of lesson02, which is not released'* ]]
  [[ $output == *'The site that was there stays as it was.'* ]]
  diff -r before site
  [ "$(ls -d site*)" = site ]
}

@test "usage: an unknown option or role gives the list of valid ones" {
  run -2 "$ROOT/site/build" --colour
  [[ $output == *'--role, --workshop'* ]]
  run -2 "$ROOT/site/build" --role teacher
  [[ $output == *'learner or instructor'* ]]
  run -2 "$ROOT/site/publish/rsync" host:
}

@test "the release check looks for many runs of lines in every lesson, and for none that is released" {
  cd "$ROOT"
  run -0 node --input-type=module -e "
    import { openSite } from './site/lib/site.js';
    import { runsOf } from './site/lib/release.js';
    import { assetsOf } from './site/lib/make.js';
    const site = await openSite({ root: process.cwd(), role: 'learner', workshopFile: 'site/workshop.yml' });
    site.texts = new Map();
    for (const lesson of site.lessons)
      console.log(lesson.id, runsOf(site, lesson.id).length >= 15 ? 'many' : 'few');"
  [[ $output == *'lesson01 many'*'lesson08 many'* && $output != *few* ]]
}

@test "code is fully coloured even on a machine with a very slow clock" {
  run -0 node --input-type=module -e "
    import { highlight } from '$ROOT/site/lib/highlight.js';
    let now = 0;
    Date.now = () => (now += 1000);
    console.log(highlight('#pragma once\nfor (;;) f(2);', 'c'));"
  [ "$output" = \
    '<b class="p">#pragma</b> once'$'\n''<b class="k">for</b> (;;) '\
'<b class="f">f</b>(<b class="n">2</b>);' ] ||
    { echo "$output" && return 1; }
}
