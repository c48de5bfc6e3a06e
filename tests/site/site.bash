# site.bash: shared functions of the site's tests.
# shellcheck shell=bash

needs_site() {
  [ -e "$BATS_TEST_DIRNAME/../../site/node_modules/playwright-core" ] ||
    skip "the site's packages are not installed: ./bootstrap --dev"
}
