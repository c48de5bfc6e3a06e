# The site's own pages: everything they show exists, every quoted message is real, and each message says what
# to do. site/pages/check.js checks all of it at once, since starting node for each test took longer than the
# checks.

bats_require_minimum_version 1.5.0
load site

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  needs_site
  { make help && grader/check --help; } >"$BATS_FILE_TMPDIR/help"
  node site/pages/check.js "$BATS_FILE_TMPDIR/help" >"$BATS_FILE_TMPDIR/found"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
}

holds() { # the name of a check
  grep -qx "$1" "$BATS_FILE_TMPDIR/found" # it was made
  ! grep "^$1: " "$BATS_FILE_TMPDIR/found"
}

@test "each message on the page of errors says what to do" { holds 'what to do'; }

@test "the messages read as a learner sees them, without code of the program that prints them" {
  holds 'plain words'
}

@test "the page of errors has each cause in the CPU backend's sources" { holds causes; }

@test "each faulty program of the tests is an example for a message, with its corrected lines" {
  holds programs
}

@test "the page of errors has all CUDA errors, GPU refusals, lessons' mistakes and checks' messages" {
  holds numbers
}

@test "the messages on the page about unusable GPUs are the grader's own" { holds 'no gpu'; }

@test "each word of the glossary is used on a page, and nine in ten in a lesson" { holds glossary; }

@test "only the first use of a glossary word becomes a link, and not in headings, code or links" {
  holds links
}

@test "each command on the pages exists, with its make targets, scripts and options" { holds commands; }

@test "each page has a title, a description, a group and its own place in the group" { holds heads; }

@test "each cluster with a profile has a page, and each page shows its profile's options" { holds clusters; }

@test "the guide's minutes for a lesson's parts add up to those on its page" { holds minutes; }

@test "licence, requirements and mistakes come from their sources" { holds sources; }

@test "figures quoted on the pages are those of the results" {
  cp site/pages/gpu-in-one-page.md "$BATS_TEST_TMPDIR/page.md"
  common/tools/figures "$BATS_TEST_TMPDIR/page.md"
  cmp site/pages/gpu-in-one-page.md "$BATS_TEST_TMPDIR/page.md"
}

# bats test_tags=slow
@test "the reference card prints on one side of A4" {
  command -v chromium-headless-shell >/dev/null || skip "no Chromium here"
  site/build --out "$BATS_TEST_TMPDIR/site"
  chromium-headless-shell --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/profile" \
    --no-pdf-header-footer \
    --print-to-pdf="$BATS_TEST_TMPDIR/card.pdf" \
    "file://$BATS_TEST_TMPDIR/site/pages/reference-card/index.html" 2>/dev/null
  [ "$(strings "$BATS_TEST_TMPDIR/card.pdf" | sed -n 's:.*/Count \([0-9]*\).*:\1:p' | head -n 1)" = 1 ]
}
