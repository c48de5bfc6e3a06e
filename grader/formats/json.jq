# json.jq: the grade.json or class.json itself.
del(.grades)
