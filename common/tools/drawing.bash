# drawing.bash: what the drawings of the lessons' figures share. lessons/*/figures/draw sources it.

LIGHT='' DARK=''

# colours LIGHT DARK: a figure's own rules of CSS, and those that replace them on a dark page. The reader's
# setting decides which apply.
colours() { LIGHT=${1#$'\n'} DARK=${2#$'\n'}; }

# svg WIDTH HEIGHT TITLE DESCRIPTION...: puts the frame around the drawing on standard input. A blank
# joins the parts of the description.
svg() {
  cat <<END
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $1 $2" role="img" aria-labelledby="t d">
<title id="t">$3</title>
<desc id="d">${*:4}</desc>
<style>
  text { font: 14px system-ui, sans-serif; fill: #1b1b1b; }
  .head { font-weight: 600; } .small { font-size: 12px; } .middle { text-anchor: middle; }
  .line { stroke: #767676; fill: none; }
$LIGHT
  @media (prefers-color-scheme: dark) {
    text { fill: #ececec; }
    .line { stroke: #9a9a9a; }
$DARK
  }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>
END
  cat
  echo '</svg>'
}

# picture PROGRAM: runs an awk program that has these functions.
#   text(x, y, words, class)           a line of text
#   rect(x, y, w, h, class, r)         a rectangle, its corners rounded by r
#   box(x, y, w, h, words, class, to)  a rectangle with words in its middle; `to` is the class of the words
#   path(d, class)                     a path, d as in SVG
#   arrow(x1, y1, x2, y2, class)       a straight line; its class has the marker of a head
picture() {
  awk '
    function coordinate(v) { return v == int(v) ? v "" : sprintf("%.1f", v) }
    function text(x, y, words, class) {
      printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, words
    }
    function rect(x, y, w, h, class, r) {
      printf "<rect x=\"%s\" y=\"%s\"", coordinate(x), coordinate(y)
      printf " width=\"%s\" height=\"%s\"", coordinate(w), coordinate(h)
      printf "%s class=\"%s\"/>\n", r ? " rx=\"" r "\"" : "", class
    }
    function box(x, y, w, h, words, class, to) {
      rect(x, y, w, h, class, 3)
      text(x + w / 2, y + h / 2 + 5, words, "middle " to)
    }
    function path(d, class) { printf "<path class=\"%s\" d=\"%s\"/>\n", class, d }
    function arrow(x1, y1, x2, y2, class) { path(sprintf("M%d %d L%d %d", x1, y1, x2, y2), class) }
    '"$1"
}
