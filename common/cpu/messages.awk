# Leaves out of a compiler's messages what speaks of the rewriting and not of the learner's program.
#
# A launch's lambda: the way from a wrong argument to the learner's line leads through cucc/launch.h, which tells a
# learner nothing. gcc says "In instantiation of ... <lambda(auto:1 ...)>", "required from ...", "required from here".
# clang says "launch.h:55:57: note: in instantiation of function template specialization ... requested here", and shows
# the line and a caret.
#
# A kernel's registration, in lines of the file <cucc>: what is wrong there was wrong in the kernel.
#
# Should nothing be left of an error, all is printed as it came.
{ all = all $0 "\n" }
/^<cucc>:/ { skip = 1; in_registration = 1; next }
in_registration && (/^ / || /^static const ::cucc::kernel_registration</ || (/note: / && /launch\.h:/)) { next }
{ in_registration = 0 }
/In instantiation of .*<lambda\(auto:|In lambda function:|In instantiation of .*cucc::(launcher|bind)/ { hidden = 1; next }
hidden && /required from here/ { hidden = 0; next }
hidden && /required from .*(<lambda\(auto:|cucc::)/ { next }
/note: in instantiation of function template specialization .*(cucc::(launcher|bind)|::operator\(\)<)/ { skip = 2; next }
skip > 0 && /^ / { skip--; next }
{ hidden = 0; skip = 0; shown = shown $0 "\n" }
/ error: / { errors = 1 }
END { printf "%s", !errors && all ~ / error: / ? all : shown }
