# order.jq: the order in which a report shows the checks of a task.

# A finding that may be why the answer is wrong. Memory that was not freed never is; a read of what was never
# written follows from a call that failed, where that is known.
def explains($called):
  .state == "fail" and .tool != null and .tool != "leakcheck" and (.tool != "initcheck" or ($called | not));

# The checks of one task: where something else failed, too, the findings that may explain it come first.
def explaining_first:
  map(select(.state == "fail" and .tool == null)) as $others
  | any($others[]; .where != "") as $called
  | if $others == [] then . else map(select(explains($called))) + map(select(explains($called) | not)) end;
