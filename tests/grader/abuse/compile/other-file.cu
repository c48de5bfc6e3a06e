// says: does not compile|was rejected without being run
#line 1 "/etc/passwd"
#pragma GCC dependency "/etc/passwd"
int broken
