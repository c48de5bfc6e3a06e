# tap.jq: the Test Anything Protocol (testanything.org), as Bats writes it: a line for each check, with `#
# skip` if it was not decided.
include "report";

def description: one_line | gsub("(?<c>[\\\\#])"; "\\\(.c)");
def diagnostics: split("\n")[] | "# " + .;

"1..\(.checks | length)",
if .state != "graded" then
  .message | clean | split("\n") | "Bail out! " + (.[0] // "not graded"), (.[1:][] | "# " + .)
else
  .checks[]
  | if .state == "pass" then "ok \(.number) \(.sentence | description)"
    elif .state == "fail" then
      "not ok \(.number) \(.sentence | description)", (remarks | select(. != "") | diagnostics)
    else "ok \(.number) \(.sentence | description) # skip \(.message | one_line)" end
end
