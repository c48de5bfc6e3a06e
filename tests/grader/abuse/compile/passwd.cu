// says: /etc/passwd
// hides: root:x
#include "/etc/passwd"
