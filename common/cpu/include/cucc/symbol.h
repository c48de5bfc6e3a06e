/* What cucc makes of the specifiers of device variables at namespace scope. */
#ifndef CUCC_SYMBOL_H
#define CUCC_SYMBOL_H

#define CUCC_DEVICE_VARIABLE
#define CUCC_CONSTANT_VARIABLE
#define CUCC_MANAGED_VARIABLE

#endif
