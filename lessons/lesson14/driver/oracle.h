/* oracle.h: what is right in lesson14: wb_task.expect of its tasks. Runs in the parent process, in double. */
#ifndef ORACLE_H
#define ORACLE_H

#include "training.h"
#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Places in wb_size.n. */
enum { INPUTS, HIDDEN, OUTPUTS, BATCH };                 /* forward, backward, gradients */
enum { COUNT, DONE };                                    /* adam */
enum { TRAIN_INPUTS, TRAIN_HIDDEN, TRAIN_BATCH, STEPS }; /* train */
enum { RANKS };                                          /* train_rank: in the place of the inputs */

/* Places in wb_case.array. */
enum { X, LABELS, PARAMS };                     /* of forward, backward, gradients; then: */
enum { OUT_HIDDEN = 3, OUT_PROBS, OUT_LOSSES }; /* forward */
enum { STATES = 3, WORK, GRADS };               /* backward: hidden numbers, then probabilities */
enum { SUM_WORK = 3, SUM_LOSSES, SUM_GRADS };   /* gradients */
enum { ADAM_PARAMS, ADAM_GRADS, ADAM_M, ADAM_V, ADAM_STEP }; /* adam */
enum { IMAGES, IMAGE_LABELS, ORDER, LOSSES, STATE, STEP };   /* train: parameters, m and v in one array */
/* Elements of STEP by ranks: the step, and how many ranks have other bits than rank 0 in what. */
enum { STEP_ITSELF, OTHER_STATE, OTHER_LOSSES, OTHER_STEP, STEP_COUNT };

#define RATE    1e-3f
#define CLASSES 10  /* train's outputs */
#define DATA    100 /* images that train chooses from */

mlp net_of(const wb_case *c);
/* Of how many images backward takes the mean: sometimes the batch is a part of more. */
int mean_over(const wb_case *c);
/* The network that train trains. */
mlp train_net(const wb_case *c);
mlp rank_net(const wb_case *c); /* the same for train_rank */
/* The steps that were made before this call of train. */
int first_step(const wb_case *c);

wb_expected expect_forward(const wb_case *c, int array, size_t i);
wb_expected expect_backward(const wb_case *c, int array, size_t i);
wb_expected expect_gradients(const wb_case *c, int array, size_t i);
wb_expected expect_adam(const wb_case *c, int array, size_t i);
/* The losses of a training's first step, of so many images of its batch, added up. With other_labels
 * the batch's first image has the data set's first label, and so on. */
double first_losses(const wb_case *c, mlp net, size_t images, int other_labels);
/* Loss i of train, if the moments were 0 before. */
double loss_without_moments(const wb_case *c, size_t i);
wb_expected expect_train(const wb_case *c, int array, size_t i);
wb_expected expect_train_rank(const wb_case *c, int array, size_t i);

#ifdef __cplusplus
}
#endif
#endif
