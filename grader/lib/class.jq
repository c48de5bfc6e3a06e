# class.jq: the submissions, their learners, and class.json (schema in grader/README.md).

include "names";

# ---- Names ----

# The columns of a terminal that a character takes: none for a combining accent, two for Chinese and the like.
def columns:
  if . >= 768 and . < 880 then 0
  elif . >= 4352 and (. < 4448 or . >= 11904 and . < 55216 or . >= 63744 and . < 64256
    or . >= 65280 and . < 65377 or . >= 127744) then 2
  else 1 end;
def padded($width): . + " " * ($width - ([explode[] | columns] | add // 0));
def is_archive: test("\\.(zip|tar|tgz|tar\\.(gz|xz|bz2))$"; "i");
# A name without the ending of a file that can hold an answer.
def stem: sub("\\.(zip|tar|tgz|tar\\.(gz|xz|bz2)|cu|c)$"; ""; "i");

def hex8: reduce range(8) as $i ({n: ., t: ""};
    {n: (.n / 16 | floor), t: ("0123456789abcdef"[(.n % 16):(.n % 16) + 1] + .t)}) | .t;
def hash: reduce explode[] as $c (5381; (. * 33 + $c) % 4294967296) | hex8;
# A name for files: plain letters, digits, dot, dash and underscore, no dot or dash at the start. A name that
# had to be changed gets a hash of the original name.
def key_of: . as $name
  | without_marks | gsub("[^A-Za-z0-9._-]"; "_") | sub("^[.-]+"; "_") | .[:60]
  | if . == $name then . else "\(sub("[._-]+$"; ""))-\($name | hash)" end;

# Equal keys get a number. Capital and small letters count as equal, since they are on some disks.
def distinct_keys: reduce .[] as $s ({seen: {}, list: []};
    ($s.key | ascii_downcase) as $k
    | .seen[$k] += 1
    | .seen[$k] as $n
    | .list += [$s | if $n > 1 then .key += "~\($n)" else . end]) | .list;

# ---- Layouts: {layout, group, name, who, id, late, stamp, part}; the entries of a group are one submission
# ----

# The last part is the learner's name for the file. It may look like the start of another learner's
# submission.
def moodle:
  capture("^(?<name>.+?)_(?<id>[0-9]+)_assignsubmission_(?<kind>[a-z]+)(_(?<rest>.*))?$")
  | ((.rest // "" | stem | capture("(^|[-_. @])attempt[-_ ]?(?<order>[0-9]+)$"; "i")
        | .order | tonumber) // 0) as $order
  | "\(.name)_\(.id)\(if $order > 0 then " attempt \($order)" else "" end)" as $name
  | {layout: "moodle", name: $name, group: $name, who: .name, id, kind, part: (.rest // ""), order: $order};

def canvas:
  select(.type != "d") | .name
  | capture("^(?<who>[^_]+)(?<late>_LATE)?_(?<id>[0-9]+)_(?<file>[0-9]+)_(?<part>.+)$")
  | {layout: "canvas", name: "\(.who)_\(.id)_\(.file)", group: "\(.who)_\(.id)_\(.file)", who, id,
     late: (.late != null), part, order: (.file | tonumber)};

# A time stamp or "attempt N" at the end of a name distinguishes the submissions of one learner.
def plain_layout: . as $name
  | (stem | capture("^(?<who>.*[^-_. @])[-_. @]+(?<d>20[0-9]{2}(-[0-9]{2}-[0-9]{2}|[01][0-9][0-3][0-9]))"
        + "[-_ T](?<h>[0-9]{2})[-:._]?(?<m>[0-9]{2})([-:._]?(?<s>[0-9]{2}))?(?<z>Z?)$")
      // capture("^(?<who>.*[^-_. @])[-_. @]+attempt[-_ ]?(?<order>[0-9]+)$"; "i") // {who: .}) as $c
  | {layout: "plain", name: $name, group: $name, who: $c.who, id: null, part: $name,
     order: (($c.order // "0") | tonumber),
     stamp: (if $c.d then
         "\($c.d | gsub("-"; "") | "\(.[:4])-\(.[4:6])-\(.[6:])") \($c.h):\($c.m):\($c.s // "00")"
       + (if $c.z == "Z" then " UTC" else "" end) else null end)};

def layout: . as $e
  | (($e | canvas) // (.name | moodle) // ($e.name | plain_layout))
  | {late: false, stamp: null, order: 0, kind: "file"} + .;

def may_answer($suffix): .type == "d" or (.name | is_archive or endswith($suffix));

# The list of submissions, from the entries "name/type/seconds" with a NUL after each.
def submissions_of($suffix):
  [split("\u0000")[] | select(. != "") | split("/") | {name: .[0], type: .[1], time: (.[2] | tonumber)}]
  | [to_entries[] | .key as $i | .value | . + {entry: $i} + {in: layout}]
  # Of one learner's uploads to Canvas or Moodle, only those that can hold an answer; all of them when none
  # can.
  | group_by([.in.layout, (if .in.layout == "plain" then .name else .in.who, .in.id end)])
  | map(. as $all | map(select(may_answer($suffix) and .in.kind == "file"))
      | if length > 0 then . else $all end) | add
  | group_by([.in.layout, .in.group])
  | map({name: (.[0].in.name | visible), path: (.[0].name | visible),
      key: (.[0].in.name | if test("\\.") then stem else . end | key_of),
      entries: map(.entry), time: (map(.time) | max), stamp: .[0].in.stamp, order: .[0].in.order,
         layout: .[0].in.layout, who: .[0].in.who, id: .[0].in.id, late: any(.[]; .in.late)})
  | sort_by(.name, .path) | distinct_keys;

# ---- The learners ----

# The rows of the roster that have a word: {"word": [rows]}.
def index_by(words):
  reduce (to_entries[] | .key as $i | .value | words[] | {w: ., i: $i}) as $p ({}; .[$p.w] += [$p.i]);

# The roster's row of a submission: by the number in the download, by a word of the roster, by name. Null when
# none or several match.
def row($by_id; $by_name):
  (if .id != null then $by_id[.id] else null end) as $numbered
  | ($by_id[.who | composed | ascii_downcase] // []) as $called
  | ($by_name[.who | plain] // $by_name[.who | sub("^.* ?- ?"; "") | plain] // []) as $named
  | (if .layout == "moodle" then [$named, $numbered // []] else [$numbered // [], $called, $named] end)
  | map(select(length == 1)) | .[0][0];

def person:
  if . == null then {id: null, name: null, email: null, section: null} else {id, name, email, section} end;

# plan: joins the submissions ($found), their files ($picked: state, message, file, sha256 and time by key)
# and the roster.
def plan($found; $picked; $roster; $due):
  ($roster // []) as $people
  | ($people | index_by(.keys.ids)) as $by_id | ($people | index_by(.keys.names)) as $by_name
  | [$found[] | . as $s | $picked[.key] as $p
      | (if $roster then row($by_id; $by_name) else null end) as $row
      # The files of a download have the download's date.
      | (if .layout == "plain" then $p.time elif $row then $people[$row].handed_in else null end
          | if . == null or . == 0 then null else todate end) as $at
      | {key, name, path, row: $row, order,
         student: (if $row then $people[$row] | person
           elif .layout == "plain" then null | person
           else (null | person) + {id: (if .layout == "canvas" then .id else null end), name: .who} end),
         whose: (if $row then "row \($row)" elif .id then "id \(.id)"
           else "who \(.who | composed | ascii_downcase)" end),
         file: (if $p.file then $p.file | visible else null end), sha256: $p.sha256, submitted: $at,
         late: (.late or (.layout == "moodle" and $row != null and $people[$row].late)
           or ($due != "" and $at != null and $at > $due)),
         state: $p.state,
         message: ([$p.message | visible, (if $roster and $row == null then "not in the roster" else "" end)]
           | map(select(. != "")) | join("; "))}]
  # the submissions of a learner in the order of time
  | [group_by(.whose)[] | sort_by(.submitted // "", .order, .name)
      | to_entries[] | .value + {attempt: (.key + 1)}]
  | ([.[] | .row | values | tostring] | map({key: ., value: true}) | from_entries) as $there
  | . + [$people | to_entries[] | select($there[.key | tostring] | not) | .value
      | {key: "missing~\([.id, .email, .name] | map(values)[0] | tostring | key_of)",
         name: (if .name != "" then .name else .id // .email end), path: null, student: person,
         whose: "row -", file: null, sha256: null, submitted: null, late: false, state: "missing",
         message: "in the roster, but without a submission", attempt: 1, order: 0}]
  | sort_by(.name, .submitted // "", .order, .key) | map(del(.order, .row));

# Of a plan: the number of submissions whose time is not known.
def timeless: [.[] | select(.state != "missing" and .submitted == null)] | length;

# Of a plan with a roster: if it fits no submission, names of both, else "".
def strangers:
  def some: .[:3] | join(", ");
  [.[] | select(.state != "missing")] as $here
  | if $here == [] or any($here[]; .message | split("; ") | index("not in the roster") | not) then ""
    else "The roster has \([.[] | select(.state == "missing") | .name] | some);"
      + " the submissions are \([$here[].name] | some)." end;

# ---- class.json ----

# One submission of each learner counts: of those in time that could be graded the last or the best. When none
# is in time, the late ones are taken; when none could be graded, the last of all.
def with_counts($keep):
  group_by(.whose)
  | map(if .[0].state == "missing" then map(.counts = true) else
      sort_by(.attempt) as $all
      | ($all | map(select(.state | IN("graded", "not_compiled")))
          | if length > 0 then . else $all end) as $able
      | ($able | map(select(.late | not)) | if length > 0 then . else $able end) as $able
      | (if $keep == "best" then $able | max_by([.points // 0, -.attempt]) else $able[-1] end).key as $key
      | $all | map(.counts = (.key == $key)) end)
  | add;

# class: the plan with the results. $grades: state, points and so on by key; $how: seconds, tries, node by
# key.
def class($plan; $grades; $how; $max; $o):
  {schema: "wb-class/1", workshop: (if $o.workshop == "" then null else $o.workshop end),
   lesson: $o.lesson, title: ([$grades[] | .title | select(. != "")][0] // $o.title),
   max_points: $max, date_started: $o.started, date_ended: $o.ended,
   device: ([$plan[] | $grades[.key] | values | .device | select(. != {})][0] // {}),
   options: {backend: $o.backend, sandbox: $o.sandbox, due: (if $o.due == "" then null else $o.due end),
     keep: $o.keep},
   submissions: ([$plan[] | $grades[.key] as $g | ($how[.key] // {}) as $h
     | . + {state: (if .state != "" then .state elif $g then $g.state else "not_run" end)}
     | .message = ([.message, (if .state == "graded" then "" else $g.message // $h.failed // "" end),
         (if .state == "not_run" and $g == null and $h.failed == null then "not graded yet" else "" end)]
         | map(select(. != "")) | join("; "))
     | . + {points: ($g.points // 0), max_points: ($g.max_points // $max),
            measured_points: ($g.measured_points // 0), inconclusive: ($g.inconclusive // 0),
            verdict: ($g.verdict // "none"), untouched: (.sha256 != null and .sha256 == $o.starter),
            seconds: $h.seconds, tries: ($h.tries // 0), node: $h.node,
            seed: ($g.seed // ""), grade: (if $g then "grades/\(.key)/grade.json" else null end),
            repeat: ($g.repeat // "")}]
     | (to_entries | map(.value + {at: .key}) | with_counts($o.keep) | sort_by(.at))
     | map({key, name, student, path, file, sha256, submitted, late, attempt, counts, state, message, points,
            max_points, measured_points, inconclusive, verdict, untouched, seconds, tries, node, seed, grade,
            repeat}))};

# ---- The summary that grader/class prints ----

def count_states:
  . as $all
  | {graded: "graded", not_compiled: "do not compile", no_file: "without a file", refused: "refused",
     missing: "missing", not_run: "could not be graded"}
  | [to_entries[] | . as $e | [$all[] | select(.state == $e.key)] | length
      | select(. > 0) | "\(.) \($e.value)"]
  | join(", ");

# " (14 could be measured)" when the machine could not measure all points. Taken from those who passed: a
# wrong answer decides more checks than were measured.
def measured_note($possible): # not $max, which would hide the function max
  [.submissions[] | select(.verdict == "pass") | .measured_points] | max // $possible
  | if . < $possible then " (\(.) could be measured)" else "" end;

# How far the grading came: all, some, none (no submission could be graded), no_file (none has the file).
def how_far:
  if all(.submissions[]; .state | IN("no_file", "missing")) then "no_file"
  elif all(.submissions[]; .grade == null) then "none"
  elif all(.submissions[]; .state != "not_run") then "all"
  else "some" end;

def class_summary($at; $typed):
  .max_points as $max
  | ([.submissions[] | select(.counts and .state == "graded") | .points] | sort) as $points
  | ([.submissions[] | select(.late)] | length) as $late
  | ([.submissions[] | select(.state != "missing" and (.message | split("; ") | index("not in the roster")))]
      | length) as $strangers
  | ([.submissions[] | select(.inconclusive > 0) | .name]) as $noisy
  | "\(.lesson) \(.title): \(.submissions | length) entries: \(.submissions | count_states)"
      + (if $late > 0 then ", \($late) late" else "" end)
      + (if $strangers > 0 then ", \($strangers) not in the roster" else "" end) + ".",
    (if ($points | length) > 0 then
      "Points of those that count: median \($points[($points | length) / 2 | floor]) of \($max)"
        + measured_note($max) + ", from \($points[0]) to \($points[-1])."
    else empty end),
    ([.submissions[] | select(.counts and .untouched) | .name]
      | if . == [] then empty else
          "\(length) handed in the starter as it is: \(.[:5] | join(", "))"
            + (if length > 5 then " ..." else "" end) + "."
        end),
    (if ($noisy | length) > 0 then
      "Noise made checks of \($noisy | length) inconclusive: \($noisy[:5] | join(", "))"
        + (if ($noisy | length) > 5 then " ..." else "" end)
        + ". The same command with --again inconclusive measures them again."
    else empty end),
    (.submissions[] | select(.state | IN("refused", "not_run", "no_file"))
      | "  \(.name): \(.message | sub(":\n"; ": ") | split("\n")[0])"),
    "Written: \($at)/class.json and \($at)/grades/. The field \"repeat\" of an entry is the command that"
      + " repeats its verdict.",
    "A page to read and to print: grader/report --format html --output \($typed)/class.html \($typed)";
