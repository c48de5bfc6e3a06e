# csv.jq: a line for each submission, with the points of each check.
include "report";

. as $class
| ([.grades[] | .checks] | max_by(length) // [] | map(.sentence)) as $checks
| (["key", "name", "student", "id", "email", "section", "submitted", "late", "attempt", "counts", "state",
    "verdict", "points", "measured points", "max points", "seconds", "message"] + $checks | row),
  (.submissions[]
    | ($class.grades[.key].checks // []
        | map({key: .sentence, value: (if .state == "pass" or .state == "fail" then .points else .state end)})
        | from_entries) as $of
    | [.key, .name, .student.name, .student.id, .student.email, .student.section, .submitted, .late, .attempt,
       .counts, .state, .verdict, .points, .measured_points, .max_points, .seconds, (.message | one_line)]
      + [$checks[] | $of[.]]
    | row)
