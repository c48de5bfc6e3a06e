/* libstdc++'s shared pointers (<memory>, <thread>) write __noinline__ as an attribute's name: CUDA's macro of
 * that name is put aside for them, as clang 16 does itself. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
