# Publishing: the workflow files for GitHub Pages and GitLab Pages, and the copy by rsync.

bats_require_minimum_version 1.5.0
load site

setup_file() { needs_site; }

setup() { cd "$BATS_TEST_DIRNAME/../.." || exit; }

# workflow TEXT: runs an ES module with both parsed files as github and gitlab, and commands(HOST).
workflow() {
  node --input-type=module -e "
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    const yaml = createRequire('$PWD/site/package.json')('js-yaml');
    const [github, gitlab] = ['github', 'gitlab'].map(
      (host) => yaml.load(readFileSync('site/publish/' + host + '.yml', 'utf8')));
    const steps = github.jobs.publish.steps;
    const commands = { github: steps.flatMap((step) => step.run ?? []), gitlab: gitlab.pages.script };
    $1"
}

@test "the workflow files use a recent node, the hosts' permissions, and the folder of make site" {
  run -0 workflow '
    const wrong = (what, right) => { if (!right) console.log(what); };
    const used = (action) => steps.find((step) => step.uses?.startsWith(`actions/${action}@`)) ?? {};
    for (const step of steps)
      wrong(JSON.stringify(step), /^actions\/[a-z-]+@v\d+$/.test(step.uses ?? "") !== ("run" in step));
    wrong("rights", ["pages", "id-token"].every((right) => github.permissions[right] === "write"));
    wrong("folder", used("upload-pages-artifact").with?.path === "build/site");
    wrong("address", used("deploy-pages").id === "deploy" &&
      github.jobs.publish.environment.url.includes("steps.deploy.outputs.page_url"));
    wrong("lock file", [used("setup-node").with["cache-dependency-path"], ...gitlab.pages.cache.key.files]
      .every((file) => file === "site/package-lock.json"));
    wrong("node", used("setup-node").with["node-version"] >= 18 &&
      gitlab.pages.image.match(/^node:(\d+)-/)[1] >= 18);
    wrong("public", String(gitlab.pages.artifacts.paths) === "public");'
  [ -z "$output" ]
}

@test "the workflow files name existing make targets" {
  run -0 workflow \
    'const all = Object.values(commands).flat();
    console.log(all.flatMap((command) => command.match(/^make (\S+)/)?.[1] ?? []).join("\n"));'
  [ "${#lines[@]}" -ge 2 ]
  make -n "${lines[@]}" >/dev/null
}

# bats test_tags=slow
@test "the workflow files' commands build the site in a fresh checkout where the host expects it" {
  export npm_config_prefer_offline=true
  local host
  for host in github gitlab; do
    workflow "console.log(commands.$host.join('\n'));" >"$BATS_TEST_TMPDIR/commands"
    mkdir "$BATS_TEST_TMPDIR/$host"
    tar -c --exclude=./.git --exclude=./build --exclude=node_modules . | tar -C "$BATS_TEST_TMPDIR/$host" -x
    (cd "$BATS_TEST_TMPDIR/$host" && env -u WORKSHOP -u ROLE -u MAKEFLAGS bash \
      -e "$BATS_TEST_TMPDIR/commands")
  done
  [ -e "$BATS_TEST_TMPDIR/github/build/site/index.html" ]
  [ -e "$BATS_TEST_TMPDIR/gitlab/public/index.html" ]
  [ -d "$BATS_TEST_TMPDIR/gitlab/.npm" ] # which is kept for the next time
  diff -r "$BATS_TEST_TMPDIR/github/build/site" "$BATS_TEST_TMPDIR/gitlab/public"
}

@test "rsync: says so when there is no rsync" {
  mkdir "$BATS_TEST_TMPDIR/bin" && ln -s "$(command -v bash)" "$(command -v dirname)" "$BATS_TEST_TMPDIR/bin"
  PATH=$BATS_TEST_TMPDIR/bin run -3 "$BATS_TEST_TMPDIR/bin/bash" site/publish/rsync "$BATS_TEST_TMPDIR/www"
  [[ $output == "publish/rsync: rsync is not installed here."* ]]
}

# bats test_tags=slow
@test "rsync: copies the site, deletes old pages, and keeps the files next to it" {
  command -v rsync >/dev/null || skip "no rsync here"
  site/publish/rsync "$BATS_TEST_TMPDIR/www"
  touch "$BATS_TEST_TMPDIR/www/old.html" "$BATS_TEST_TMPDIR/neighbour.html"
  site/publish/rsync "$BATS_TEST_TMPDIR/www/"
  diff -r build/site "$BATS_TEST_TMPDIR/www"
  [ -e "$BATS_TEST_TMPDIR/neighbour.html" ]
}
