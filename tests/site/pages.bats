# The site's own pages: what they show exists, what they quote is said, and nothing that a learner may read is left without a way out.
# site/pages/check.js looks at all of it at once, since starting node for each test took longer than all else.

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

@test "each message on the page of errors comes with what to do" { holds 'what to do'; }

@test "the messages read as a learner sees them, with nothing of the program that prints them" { holds 'plain words'; }

@test "the page of errors has each cause that the CPU backend's sources give" { holds causes; }

@test "each faulty program of the tests is an example below one of the messages, with its mended lines" { holds programs; }

@test "the page of errors has CUDA's errors, the GPU's refusals, the lessons' mistakes and the checks' messages, all of them" { holds numbers; }

@test "the messages on the page about GPUs that can't be used are the grader's own" { holds 'no gpu'; }

@test "each word of the glossary is used on a page, nine in ten in a lesson" { holds glossary; }

@test "the first use of a word of the glossary becomes a link: not in headings, code or links, and not the second" { holds links; }

@test "each command on the pages exists: targets of make, scripts, and their options" { holds commands; }

@test "each page says its title, what it is about, its group and its place there; places are taken once" { holds heads; }

@test "each cluster with a profile has a page, and each page shows its profile's options" { holds clusters; }

@test "the guide's minutes of a lesson's parts add up to what its page says" { holds minutes; }

@test "licence, needs and mistakes come from their sources" { holds sources; }

@test "figures quoted on the pages are those of the results" {
  cp site/pages/gpu-in-one-page.md "$BATS_TEST_TMPDIR/page.md"
  common/tools/figures "$BATS_TEST_TMPDIR/page.md"
  cmp site/pages/gpu-in-one-page.md "$BATS_TEST_TMPDIR/page.md"
}

# bats test_tags=slow
@test "the reference card prints on two sides of A4" {
  command -v chromium-headless-shell >/dev/null || skip "no Chromium here"
  site/build --out "$BATS_TEST_TMPDIR/site"
  chromium-headless-shell --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/profile" --no-pdf-header-footer \
    --print-to-pdf="$BATS_TEST_TMPDIR/card.pdf" "file://$BATS_TEST_TMPDIR/site/pages/reference-card/index.html" 2>/dev/null
  [ "$(strings "$BATS_TEST_TMPDIR/card.pdf" | sed -n 's:.*/Count \([0-9]*\).*:\1:p' | head -n 1)" = 2 ]
}
