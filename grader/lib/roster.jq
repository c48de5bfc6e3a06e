# roster.jq: makes the list of the class from the fields of a CSV file (roster.awk). Output: a list of {line,
# id, name, email, section, handed_in, late, keys}, or {error}. handed_in and late are those of Moodle's
# worksheet; keys are all words by which a submission can name this learner.

include "names";

def trimmed: gsub("^\\s+|\\s+$"; "");

# Column titles with the same meaning, the most specific first.
def titles: {
  id: ["id number", "idnumber", "student id", "studentid", "student_id", "student number", "sis user id",
    "id", "identifier", "user id", "username", "user name", "login", "login id", "sis login id"],
  email: ["email", "email address", "e-mail", "e-mail address", "mail"],
  name: ["full name", "fullname", "name", "student", "student name"],
  first: ["first name", "firstname", "given name"],
  last: ["last name", "lastname", "surname", "family name"],
  section: ["section", "sections", "group", "groups", "class"],
  handed_in: ["last modified (submission)"], status: ["status"]};

# Both orders of a name: "Doe, Jane" and "Jane Doe" are one person, and Canvas writes doejane.
def name_keys:
  if . == "" then [] else
    (if test(",") then [splits(", *")] | [.[-1], .[0:-1][]] else [splits(" +")] end) as $words
    | [$words, [$words[-1], $words[0:-1][]], [$words[1:][], $words[0]] | join("") | plain] | unique
  end;

# Moodle's worksheet has "Participant 123": the number of a participant, by which it names submissions. It is
# not an ID number.
def number: capture("^participant +(?<n>[0-9]+)$"; "i").n // .;

def person($columns):
  . as $f
  | def of($what): [$columns[$what][] | $f[.] | trimmed | select(. != "")][0] // "";
    def all($what): [$columns[$what][] | $f[.] | trimmed | select(. != "")];
  (of("name")
    | if . != "" then . else ([of("first"), of("last")] | map(select(. != "")) | join(" ")) end) as $name
  | (all("id") | map([., number] | .[]) | unique) as $ids
  | {id: (of("id") | number), participant: (of("id") | . != number), name: $name, email: of("email"),
     section: of("section"), handed_in: of("handed_in"), late: (of("status") | test("\\blate\\b"; "i")),
     keys: {ids: ($ids + all("email") + (all("email") | map(sub("@.*"; "")))
         | map(composed | ascii_downcase) | unique),
       names: ($name | name_keys)}}
  | (.id, .email, .section, .handed_in) |= (if . == "" then null else . end);

# A sentence about the first two lines with the same value, or null.
def twice($what):
  [.[] | . + {value: (.[$what] // "" | ascii_downcase)} | select(.value != "")]
  | group_by(.value) | map(select(length > 1))[0]
  | if . == null then null else
      "\(.[1].line): \(.[1].name) has the same \($what) (\(.[0][$what])) as line \(.[0].line);"
        + " a roster names each learner once"
    end;

# Removes the number of a participant. This comes after twice, since two lines with one number are an error.
def without_number:
  if .participant then
    .name = (if .name == "" then "Participant \(.id)" else .name end) | .id = null
  else . end;

def columns_of($head):
  titles | map_values([.[] as $title | $head | index($title) | values] | unique as $set
    | . as $all | [$all[] | select(IN($set[]))]);

def roster:
  [split("\n")[] | select(. != "") | split("\u001f") | {line: (.[0] | tonumber), fields: .[1:]}] as $rows
  | if ($rows | length) == 0 then {error: " it is empty"} else
      ($rows[0].fields | map(ascii_downcase | trimmed)) as $head
      | columns_of($head) as $columns
      | (if $columns.name + $columns.first + $columns.last + $columns.id + $columns.email == [] then
           "1: no column is called id, email or name; the columns are: \($rows[0].fields | join(", "))"
         else
           [$rows[1:][] | select((.fields | length) != ($head | length))
             | "\(.line): \(.fields | length) fields, but the first line has \($head | length)"][0]
         end) as $error
      | if $error then {error: $error} else
          # Canvas adds a line of points and a test student.
          [$rows[1:][] | .line as $line | .fields | person($columns)
            | select(.name + (.id // "") + (.email // "") != "") | . + {line: $line}
            | select(.name | test("^(points possible|student, test)$"; "i") | not)]
          | if length == 0 then {error: "1: it has no learner after the first line"} else
              (twice("id") // twice("email")
                // (if all(.[]; .id == null and .email == null) then twice("name") else null end)) as $twice
              | if $twice then {error: $twice} else map(without_number) end
            end
        end
    end;
