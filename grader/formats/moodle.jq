# moodle.jq: for Moodle's grade import. A line for each learner whose e-mail address or ID number is known.
include "report";

# Moodle shows feedback as HTML or as plain text, depending on its settings: these characters look the same in
# both.
def without_markup: gsub("<"; "‹") | gsub(">"; "›");

. as $class | "\(.lesson) \(.title)" as $item | possible_points as $possible
| ["Email address", "ID number", $item, "\($item) feedback"] | row,
  ($class.submissions[] | select(.counts and (.student.id != null or .student.email != null))
    | [.student.email, .student.id, (points_to_enter | scaled($possible; $class.max_points; $scale)),
       (feedback($class.grades[.key]; $possible) | without_markup)] | row)
