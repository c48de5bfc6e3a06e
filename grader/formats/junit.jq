# junit.jq: JUnit's XML for GitLab and Jenkins: one suite for one grade, or a suite for each submission of a
# class.
include "report";

def attribute($name): " \($name)=\"\(one_line | @html)\"";
def text: escaped;

def testcase($suite; $class; $name; $inside):
  "    <testcase" + ("\($suite).\($class)" | attribute("classname")) + ($name | attribute("name"))
  + (if $inside == "" then "/>" else ">\($inside)</testcase>" end);

def failure: "<failure" + (split("\n")[0] // "" | attribute("message")) + ">\(text)</failure>";
def problem: "<error" + (split("\n")[0] // "" | attribute("message")) + ">\(text)</error>";
def skipped: "<skipped" + (split("\n")[0] // "" | attribute("message")) + "/>";

# The cases of one grade: {kind, line}.
def cases($suite): . as $g
  | if .state == "not_compiled" then
      {kind: "failure", line: testcase($suite; "file"; "compiles"; .message | failure)}
    elif .state == "refused" then
      {kind: "failure", line: testcase($suite; "file"; "is accepted"; .message | failure)}
    elif .state == "not_run" then
      {kind: "error", line: testcase($suite; "file"; "can be graded"; .message | problem)}
    else .checks[]
      | {kind: ({pass: "", fail: "failure"}[.state] // "skipped"),
         line: testcase($suite; .task | task_heading($g); .sentence;
           if .state == "pass" then ""
           elif .state == "fail" then remarks | failure
           else .message | skipped end)} end;

def printed: [.tasks[]? | select(.output != "") | "\(.name) printed:\n\(.output)"] | join("\n");

def suite($name; $date; $seconds; $cases; $printed):
  "  <testsuite" + ($name | attribute("name")) + " tests=\"\($cases | length)\""
  + ([["failures", "failure"], ["errors", "error"], ["skipped", "skipped"]]
     | map(.[1] as $kind | " \(.[0])=\"\([$cases[] | select(.kind == $kind)] | length)\"") | join(""))
  + " time=\"\($seconds // 0)\"" + ($date | sub("Z$"; "") | attribute("timestamp")) + ">",
  ($cases[] | .line),
  (if $printed == "" then empty else "    <system-out>\($printed | text)</system-out>" end),
  "  </testsuite>";

# A submission without a grade is a case too.
def ungraded: . as $s
  | if .state == "missing" then
      {kind: "skipped", line: testcase($s.name; "file"; "was handed in"; "nothing was handed in" | skipped)}
    else
      "\(.state | gsub("_"; " ")): \(.message)" as $why
      | {kind: "error", line: testcase($s.name; "file"; "can be graded"; $why | problem)}
    end;

"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
"<testsuites>",
(if .schema // "" | startswith("wb-grade/") then
   suite("\(.lesson) \(.title)"; .date; $seconds; [cases(.lesson)]; printed)
 else . as $class
   | .submissions[] | . as $s | $class.grades[.key] as $g
   | if $g then $g | suite($s.name; $g.date; $s.seconds; [cases($s.name)]; printed)
     else suite($s.name; $class.date_ended; 0; [ungraded]; "") end
 end),
"</testsuites>"
