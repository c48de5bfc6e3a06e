# site.bash: shared functions of the site's tests.
# shellcheck shell=bash

# The workshops of most tests have no address of the workbook.
export DRAFT=1

needs_site() {
  [ -e "$BATS_TEST_DIRNAME/../../site/node_modules/playwright-core" ] ||
    skip "the site's packages are not installed: ./bootstrap --dev"
}
