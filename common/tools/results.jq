# results.jq: the parts of the programs' reports that pages and summaries show (LESSON-run-KIND.json). `--arg
# show` picks:
#   rows    a table row for each task that was timed
#   table   the rows, and below them the line with the device
#   made    LESSON, date and the device line without the date, separated by tabs
#   one     one figure of task $task, its ratio to the baseline $what or the field $what of its timing; after
#           a tab the GPU, else the CPU, with its driver and the date
def figure: if . == null then "" else (. * 1000 | round / 1000 | tostring) end;

# Above 100 % what a task is compared with was no ceiling: it is not shown.
def share: if . != null and . > 100 then null else . end;

def named_baselines: .baselines // .yardsticks; # their name before wb-run/2

def rows:
  .lesson as $lesson | .tasks[] | select(.timing != null) |
  "| \($lesson) | \(.name) | \(.timing.size | map(tostring) | join(" × ")) | " +
  "\(.timing.median_ms | figure) | " +
  "\(.timing.noise_percent | figure) | \(.timing.gb_per_s | figure) | \(.timing.gflop_per_s | figure) | " +
  "\(.timing.percent_of_ceiling | share | figure) | " +
  "\([named_baselines[] | "\(.ratio | figure) × \(.name)"] | join(", ")) |";

def device:
  (if .device.kind == "gpu"
    then "\(.device.name), driver \(.device.driver // "unknown" | sub("\\|"; ", CUDA ")), " else "" end) +
  "CPU \(.device.cpu_name) (\(.device.cpu_cores) cores)";

def short:
  (if .device.kind == "gpu" then "\(.device.name), driver \(.device.driver // "unknown" | sub("\\|.*"; ""))"
    else .device.cpu_name end) + ", \(.date[:10])";

# A report without times only says what is right: it is skipped.
[inputs | select(any(.tasks[]; .timing != null))] |
if $show == "rows" then .[] | rows
elif $show == "table" then (.[] | rows), "", (.[] | "Device: \(device), \(.date).")
elif $show == "made" then .[] | [.lesson, .date, device] | @tsv
else
  .[] | short as $short | .tasks[] | select(.name == $task)
  | (first(named_baselines[] | select(.name == $what) | .ratio) // .timing[$what]) | "\(figure)\t\($short)"
end
