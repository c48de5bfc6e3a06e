// says: does not compile|holds what no answer
#line 1 "/etc/passwd"
#pragma GCC dependency "/etc/passwd"
int broken
