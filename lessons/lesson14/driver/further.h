/* further.h: an answer may have been written before these functions were declared. Then their addresses are null. */
#ifndef FURTHER_H
#define FURTHER_H

#include "training.h"

#pragma weak conv_forward
#pragma weak conv_backward
#pragma weak cnn_forward
#pragma weak cnn_backward
#pragma weak train_cnn

#endif
