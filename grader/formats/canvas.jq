# canvas.jq: finds the field of an exported Canvas gradebook for each grade. $fields: the output of canvas.awk
# for the export; $column: a part of the column's title, or ""; $scale: measured or none.
# Output: {column, title, most, fill: [{record, value}], unmatched: [names]} or {error}.
include "report";

def trimmed: gsub("^\\s+|\\s+$"; "");
def lower: trimmed | ascii_downcase;
# A name in the form that is the same in all systems, whatever the order of its words: "Doe, Jane" and "Jane
# Doe".
def name_key: ascii_downcase | [splits("[^\\p{L}\\p{N}]+") | select(. != "")] | sort | join(" ");

# The columns whose title names the lesson and ends in Canvas's number, "Lesson 02 (4711)", or fits $wanted.
def columns($lesson; $wanted):
  ($lesson | capture("(?<n>[0-9]+)$").n | sub("^0+(?=.)"; "")) as $n
  | to_entries | map(select(.key >= 1) | {at: (.key + 1), title: (.value | trimmed)})
  | if $wanted != "" then ($wanted | lower) as $w
      | (map(select(.title | lower == $w)) | if length == 1 then . else null end)
        // map(select(.title | lower | contains($w)))
    else map(select(.title | test("\\([0-9]+\\)$"))
      | select(.title | test("lesson[ _-]*0*\($n)([^0-9]|$)"; "i"))) end;

# The records in which each word stands: {"word": [records]}.
def index_by($rows; f):
  reduce $rows[] as $r ({}; reduce ($r | f | select(. != "")) as $word (.; .[$word] += [$r.record]));

. as $class
| [$fields | split("\n")[] | select(. != "") | split("\u001f")[1:]] as $records
| ($records[0] // []) as $head | ($head | map(lower)) as $titles
| ($head | columns($class.lesson; $column)) as $columns
| if ($titles | index("student")) == null or ($titles | index("id")) == null then
    {error: "it is not an export of a Canvas gradebook: its first line has no columns Student and ID"}
  elif ($columns | length) != 1 then
    (if $columns == [] then "no column fits" else "\($columns | length) columns fit" end) as $fit
    | (if $column == "" then $class.lesson else "\"\($column)\"" end) as $wanted
    | ($head | map(select(test("\\([0-9]+\\) *$"))) | join("; ")) as $choice
    | {error: "\($fit) \($wanted); choose one with --column TITLE: \($choice)"}
  else
    def of($title):
      . as $r | ($titles | index($title)) as $at | if $at == null then "" else $r.fields[$at] // "" end;
    [$records | to_entries[] | select(.key >= 1) | {record: (.key + 1), fields: .value}
      | select((of("student") | lower | startswith("points possible"))
          or of("id") == "" and of("sis user id") == "" and of("sis login id") == "" | not)] as $rows
    | index_by($rows; of("id", "sis user id", "sis login id", "integration id") | lower) as $by_id
    | index_by($rows; of("sis login id") | lower | sub("@.*$"; "")) as $by_login
    | index_by($rows; of("student") | name_key) as $by_name
    # a column that has just the points that could be measured takes them as they are
    | ([$records[1:][] | select(.[$titles | index("student")] | lower | contains("points possible"))
         | .[$columns[0].at - 1] | tonumber? // empty][0]) as $column_max
    | ($class | possible_points) as $possible
    | (if $column_max == $possible then $possible else $class.max_points end) as $most
    | [$class.submissions[] | select(.counts)
        | . as $s
        | [$by_id[.student.id // "" | lower], $by_id[.student.email // "" | lower],
           $by_login[.student.id // "" | lower], $by_login[.student.email // "" | lower | sub("@.*$"; "")],
           $by_name[.student.name // .name | name_key]]
        | {name: ($s.student.name // $s.name), record: (map(values | unique | select(length == 1)) | .[0][0]),
           value: ($s | points_to_enter | scaled($possible; $most; $scale))}] as $grades
    | {column: $columns[0].at, title: $columns[0].title, most: $most,
       unmatched: [$grades[] | select(.record == null and .value != null) | .name],
       fill: [$grades[] | select(.record != null and .value != null)]}
    | ([.fill | group_by(.record)[] | select(length > 1) | map(.name) | join(" and ")][0]) as $twice
    | if $twice then {error: "\($twice) fit the same line"} else . end
  end
