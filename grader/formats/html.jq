# html.jq: the class report, one page that needs no other file: no script, font or picture. It can be printed,
# and follows the reader's choice of light or dark.
include "report";
include "html";

def style: "
:root { color-scheme: light dark; --text: #1c1e21; --ground: #fff; --faint: #6a7077; --line: #d5d9de;
  --bar: #2f6fb3; --pass: #1a7f37; --fail: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ea; --ground: #15171a; --faint: #9aa2ab;
  --line: #3a4047; --bar: #6aa5e0; --pass: #5cc97a; --fail: #ff8a80 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.2rem }
h3 { font-size: 1rem; margin-bottom: 0 }
.about, .who { color: var(--faint); font-size: .9rem; overflow-wrap: anywhere }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem } dt { color: var(--faint); font-size: .85rem }
dd { margin: 0; font-size: 1.2rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .92rem }
th { text-align: left; color: var(--faint); font-weight: normal }
th, td { padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td + td, th + th { text-align: right }
.matrix td, .matrix th { padding-right: .45rem } .pass { color: var(--pass) } .fail { color: var(--fail) }
.none { color: var(--faint) }
.bar { width: 8rem; height: .6rem } .chart { width: 100%; max-width: 44rem; height: auto; display: block }
svg .full { fill: var(--bar) } svg .ground { fill: var(--line) } svg line { stroke: var(--faint) }
svg .mark { stroke: var(--fail); stroke-dasharray: 4 3 }
svg text { fill: var(--text); font-size: 12px; text-anchor: middle } svg text.start { text-anchor: start }
svg text.end { text-anchor: end }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; border-left: 3px solid var(--line);
  padding-left: .8rem; margin: .4rem 0 }
.hint { margin: .3rem 0 } .who { margin: .2rem 0 1rem }
@media print { body { margin: 0; max-width: none; font-size: 11px } tr, li, svg { break-inside: avoid }
  .wide { overflow: visible } }
";

# The submissions that count, each with its grade.
. as $class
| [.submissions[] | select(.counts) | . + {grade: $class.grades[.key]}] | . as $all
| [$all[] | .grade | values | select(.state != "not_run")] as $grades
| ($class.device.name // "" | if . == "" then "" else " · \(.)" end) as $device
| ($class | ["\(.lesson) \(.title)", .workshop // empty] | join(" · ") | escaped) as $heading
| ($class | unmeasurable) as $unmeasurable
| "<!DOCTYPE html>",
  ("<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
   + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"),
  "<title>\($heading)</title><style>\(style)</style></head><body>",
  "<h1>\($heading)</h1>",
  ($class | "<p class=\"about\">graded \(.date_started | escaped) to \(.date_ended | escaped)"
    + "\($device | escaped)</p>"),
  ($class | summary($all)),
  "<h2>Points</h2>", ($class | points_part($all)),
  "<h2>Checks</h2>",
  "<p class=\"about\">Learners for whom a check could not be decided here are not counted.</p>",
  checks_part($grades),
  "<h2>Speed</h2>", speeds_part($grades),
  "<h2>Most frequent mistakes</h2>", mistakes_part($all),
  "<h2>Slowest to grade</h2>", slowest_part($all),
  "<h2>Checks passed by each learner</h2>",
  ("<p class=\"about\">The columns are the numbers of the checks in the table above. ✓ passed, ✗ failed,"
   + " – not measured. The order is by surname.</p>"),
  people_part($all; $grades; $unmeasurable),
  "</body></html>"
