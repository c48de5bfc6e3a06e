#!/usr/bin/env bash
# draw.sh: writes order.svg, the picture of the two loop orders, next to itself.
set -euo pipefail

main() {
  cd "$(dirname "${BASH_SOURCE[0]}")"
  awk -f - >order.svg <<'AWK'
# Matrices of 8 x 8 elements, 16 pixels each; a cache line holds 4 of them.
function cell(x, y, class) { printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"14\" height=\"14\"/>\n", class, x, y }
function text(x, y, class, words) { printf "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, words }
# pattern: for row r, column q: which class the cell has
function matrix(x, y, name, pattern,   r, q, class) {
  text(x + 63, y - 8, "name", name)
  for (r = 0; r < 8; r++)
    for (q = 0; q < 8; q++) {
      class = "idle"
      if (pattern == "row" && r == 2) class = "used"
      if (pattern == "row3" && r == 3) class = "used"
      if (pattern == "column" && int(q / 4) == 1) class = q == 5 ? "used" : "fetched"
      if (pattern == "one" && r == 2 && q == 5) class = "used"
      if (pattern == "factor" && r == 2 && int(q / 4) == 0) class = q == 3 ? "used" : "fetched"
      cell(x + 16 * q, y + 16 * r, class)
    }
}
function panel(x, head, a, b, c, foot1, foot2) {
  text(x + 215, 24, "head", head)
  matrix(x, 66, "c", c)
  text(x + 147, 134, "sign", "=")
  matrix(x + 160, 66, "a", a)
  text(x + 303, 134, "sign", "&#183;")
  matrix(x + 315, 66, "b", b)
  text(x + 215, 226, "foot", foot1)
  text(x + 215, 246, "foot", foot2)
}
BEGIN {
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 310\" role=\"img\" aria-labelledby=\"t d\">"
  print "<title id=\"t\">What the innermost loop of a matrix product touches, in two loop orders</title>"
  print "<desc id=\"d\">Left, loops i, j, p: for one element of c the innermost loop runs along a row of a and down a column of b. Each step down the column fetches a whole cache line of four elements and uses one. Right, loops i, p, j: for one element of a the innermost loop runs along a row of b and a row of c, and uses every element of every cache line that it fetches.</desc>"
  print "<style>"
  print "  .idle { fill: #e4e7ec; } .fetched { fill: #f2b8a0; } .used { fill: #1d6fb8; }"
  print "  text { font: 15px system-ui, sans-serif; fill: #1b2430; text-anchor: middle; }"
  print "  .head { font-weight: 600; font-size: 17px; } .name { font-style: italic; } .sign { font-size: 22px; } .key { text-anchor: start; }"
  print "  @media (prefers-color-scheme: dark) { text { fill: #e6e9ee; } .idle { fill: #333b47; } .fetched { fill: #8a4a33; } .used { fill: #5fb0f2; } }"
  print "</style>"
  panel(20, "i, j, p: down a column of b", "row", "column", "one", "each element of b costs a whole cache line;", "one sum, each addition waits for the last")
  panel(510, "i, p, j: along the rows", "factor", "row3", "row", "every element of every line is used;", "8 or 16 independent additions at once")
  cell(200, 280, "used"); text(220, 292, "key", "used")
  cell(320, 280, "fetched"); text(340, 292, "key", "fetched with it, not used now")
  cell(620, 280, "idle"); text(640, 292, "key", "not touched by this innermost loop")
  print "</svg>"
}
AWK
}

main "$@"
