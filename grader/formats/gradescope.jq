# gradescope.jq: results.json of a Gradescope autograder. Only checks that were decided here count: a test
# that is left out costs no points; one with 0 of 0 points would look passed.
include "report";

. as $g
| {score: .points,
   output: ([(if .state == "graded" then "\(.points) of \(.measured_points) points. Next: \(.next)."
              else .message | clean end),
             (undecided
               | if . == [] then empty else "Not measured here:\n" + (map("- " + .) | join("\n")) end)]
            | join("\n\n")),
   output_format: "text", visibility: "visible", stdout_visibility: "hidden",
   tests: [.checks[] | select(decided($g))
     | {name: .sentence, name_format: "text", number: "\(.task).\(.number)",
        score: .points, max_score: .max_points, status: (if .state == "pass" then "passed" else "failed" end),
        output: remarks, output_format: "text",
        tags: [.task | task_heading($g)], visibility: "visible"}],
   leaderboard: ([{name: "points", value: .points, order: "desc"}]
     + [speeds[] | {name: "\(.task) × \(.to)", value: (.ratio * 100 | round / 100), order: "desc"}])}
| if $seconds then .execution_time = $seconds else . end
