# table.jq: the counts of ptx as text, a kernel a block: only classes that it has.
def padded($width): . + " " * ([$width - length, 0] | max);
def table:
  .kernels[]
  | "\(.name)  \(.instance | sub("^void "; ""))",
    (.counts | to_entries[] | select(.value > 0) | "    \(.key | padded(20))\(.value)"),
    (.library | to_entries[] | "    \("calls" | padded(20))\(.key)"),
    (if .double_lines == [] then empty
     else "    double in line \(.double_lines | map(tostring) | join(", "))" end);
