# classroom50.jq: result.json for Classroom 50's runner. Learner and assignment come from the runner's
# environment.
include "report";

. as $g
| def given($name; $otherwise): $ENV[$name] // "" | if . == "" then $otherwise else . end;
  {schema: "classroom50/result/v1",
   classroom: given("CLASSROOM"; "none"), assignment: given("ASSIGNMENT"; $g.lesson),
   submission: given("SUBMISSION_TAG"; "none"), commit: given("COMMIT_URL"; "none"),
   release: given("RELEASE_URL"; "none"),
   review: given("REVIEW_URL"; given("COMMIT_URL"; "none")),
   datetime: $g.date, graded_at: $g.date,
   score: $g.points, "max-score": $g.measured_points,
   tests: [$g.checks[] | select(decided($g))
     | {"test-name": .sentence, passed: (.state == "pass"), score: .points, "max-score": .max_points,
        output: remarks}]}
