# pretty.jq: for people, as grader/check prints it.
include "pretty";
pretty($color; $ascii; $width)
