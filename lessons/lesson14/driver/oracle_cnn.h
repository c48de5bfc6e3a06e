/* oracle_cnn.h: the tasks of going further: their sizes and inputs, and what is right in them. */
#ifndef ORACLE_CNN_H
#define ORACLE_CNN_H

#include "training.h"
#include "wb.h"

/* Places in wb_size.n. */
enum { HEIGHT, WIDTH, CHANNELS, IMAGE_COUNT };  /* conv_forward, conv_backward, cnn_backward */
enum { CNN_RANKS, SIDE, CNN_BATCH, CNN_STEPS }; /* train_cnn */

/* Places in wb_case.array. train_cnn's are train's. */
enum { CONV_WEIGHTS, CONV_X };                                           /* then: */
enum { CONV_COLUMNS = 2, CONV_Y };                                       /* conv_forward */
enum { CONV_SLOPES = 2, CONV_WORK, WEIGHT_SLOPES, X_SLOPES };            /* conv_backward */
enum { CNN_PARAMS, CNN_X, CNN_LABELS, CNN_WORK, CNN_LOSSES, CNN_GRADS }; /* cnn_backward */

/* A convolution to `channels` channels begins with one channel fewer; so do the networks, which have 3 classes, or in
 * train_cnn 10. */
conv conv_of(const wb_case *c);
cnn cnn_of(const wb_case *c);
cnn trained_cnn(const wb_case *c);

size_t count_conv_weights(const wb_case *c);
size_t count_conv_x(const wb_case *c);
size_t count_conv_columns(const wb_case *c);
size_t count_conv_y(const wb_case *c);
size_t count_cnn_params(const wb_case *c);
size_t count_cnn_x(const wb_case *c);
size_t count_cnn_labels(const wb_case *c);
size_t count_cnn_work(const wb_case *c);
size_t count_cnn_images(const wb_case *c);
size_t count_cnn_state(const wb_case *c);
int shape_cnn(const wb_case *c, int array, void *values);
int shape_train_cnn(const wb_case *c, int array, void *values);

wb_expected expect_conv_forward(const wb_case *c, int array, size_t i);
wb_expected expect_conv_backward(const wb_case *c, int array, size_t i);
wb_expected expect_cnn(const wb_case *c, int array, size_t i);
wb_expected expect_train_cnn(const wb_case *c, int array, size_t i);

#endif
