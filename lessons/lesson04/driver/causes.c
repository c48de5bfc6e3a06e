/* causes.c: see causes.h. All elements are random words, so an equal one is the one that was taken; those of
 * small arrays agree by chance. */
#include "causes.h"
#include "baselines.h"
#include "transfers.h"

#include <stdbool.h>
#include <stdio.h>

#define LEAST 100  /* elements of an array where an equal one is no chance */
#define MOST  8192 /* that are searched */

/* ---- round_trips ---- */

/* The number of the trip that turn gets after trip number `trip`. */
typedef int numbering(int trip, int trips);
static int as_it_is(int trip, int trips) { return (void)trips, trip; }
static int always_0(int trip, int trips) { return (void)trip, (void)trips, 0; }
static int from_1(int trip, int trips) { return (void)trips, trip + 1; }
static int backwards(int trip, int trips) { return trips - 1 - trip; }
static int always_last(int trip, int trips) { return (void)trip, trips - 1; }

/* Element i after all trips, without the turn after trip number `without`. */
static uint32_t after_trips(const wb_case *c, size_t i, numbering *number, bool turn_first, int without) {
  const size_t stride = turn_stride(c->size.n[TRIP_N]);
  const int trips = (int)c->size.n[TRIP_TRIPS];
  uint32_t x = wb_u32(c, TRIP_X)[i];
  for (int trip = 0; trip < trips; trip++) {
    const int t = number(trip, trips);
    if (!turn_first) x = step(x);
    if (trip != without && i % stride == (size_t)t % stride) x ^= turn_value(t);
    if (turn_first) x = step(x);
  }
  return x;
}

/* A turn that is left out, or that gets another trip. */
const char *cause_trips(const wb_case *c, int array, size_t i, double got) {
  static const struct {
    numbering *number;
    bool turn_first;
    const char *words;
  } rules[] = {
      {always_0, false, "turn got trip = 0 after each trip: it takes the number of the trip"},
      {from_1, false, "turn got trip + 1: the number of the first trip is 0"},
      {backwards, false, "turn got the trips from the last to the first: the first is number 0"},
      {always_last, false, "turn got the last trip after each one: it takes the number of the trip"},
      {as_it_is, true, "the device's step came after turn: was turn called before the copy back was done?"}};
  static _Thread_local char text[80];
  const int trips = (int)c->size.n[TRIP_TRIPS];
  const uint32_t is = (uint32_t)got;
  (void)array;
  if (i == 0 && is == TURN_OF_BYTES) return "turn got n in bytes: it takes the number of elements";
  if (i == 0 && is == TURN_OF_OTHER) return "turn got another number of elements than n";
  for (int trip = 0; trip < trips; trip++) {
    if (is != after_trips(c, i, as_it_is, false, trip)) continue;
    snprintf(text, sizeof text, "what turn changed after trip %d of 0 to %d is missing", trip, trips - 1);
    return text;
  }
  for (size_t r = 0; r < WB_COUNT(rules); r++)
    if (is == after_trips(c, i, rules[r].number, rules[r].turn_first, -1)) return rules[r].words;
  return NULL;
}

/* ---- Elements of other places ---- */

/* A rule by which another place is taken, as the message has it. */
typedef struct rule {
  size_t place;
  const char *words;
} rule;

static const char *first_of(const rule *rules, size_t count, const uint32_t *from, size_t n, uint32_t is) {
  for (size_t r = 0; r < count; r++)
    if (rules[r].place < n && from[rules[r].place] == is) return rules[r].words;
  return NULL;
}

/* An element of another place. */
const char *cause_gather(const wb_case *c, int array, size_t j, double got) {
  const size_t n = c->size.n[GATHER_N], k = c->size.n[GATHER_K];
  const uint32_t *d_key = wb_u32(c, GATHER_KEY), key = d_key[j];
  (void)array;
  if (n < LEAST) return NULL;
  const rule rules[] = {
      {place_of((uint32_t)j, n), "it is the element of place j: the key of j says which place is meant"},
      {j, "it is the element of place j: the key of j says which place is meant"},
      {j % n, "it is the element of place j: the key of j says which place is meant"},
      {key % n, "it is the element of place key % n: place_of says which place is meant"},
      {place_of(key, k),
       "it is the element of place_of(key, k): the places are those of the table, which has n"},
      {key % k, "it is the element of place key % k: place_of(key, n) says which place is meant"},
      {place_of(key, n) - 1, "it is the element before the one that is meant, as with n - 1 places"},
      {place_of(key, n) + 1, "it is the element after the one that is meant"},
      {place_of(d_key[j ? j - 1 : k - 1], n), "it is the element of the key before"},
      {place_of(d_key[j + 1 < k ? j + 1 : 0], n), "it is the element of the next key"}};
  return first_of(rules, WB_COUNT(rules), wb_u32(c, GATHER_TABLE), n, (uint32_t)got);
}

/* A sample, or an element of the old window, that belongs to another place. */
const char *cause_slide(const wb_case *c, int array, size_t i, double got) {
  static _Thread_local char text[160];
  const size_t n = c->size.n[SLIDE_N], m = c->size.n[SLIDE_M], kept = m < n ? n - m : 0;
  const uint32_t *d_old = wb_u32(c, SLIDE_OLD), *h_samples = wb_u32(c, SLIDE_SAMPLES), is = (uint32_t)got;
  (void)array;
  if (m == 0 || n < LEAST || n > MOST) return NULL;
  for (size_t s = 0; s < m; s++) {
    if (h_samples[s] != is) continue;
    if (i < kept && s == i)
      snprintf(text, sizeof text,
               "it is h_samples[%zu]: the new samples are at the front of the window, and belong at its end, "
               "from n - m on",
               s);
    else
      snprintf(text, sizeof text, "it is h_samples[%zu], which belongs to d_new[%zu]", s, kept + s);
    return text;
  }
  if (is == d_old[i]) return "it is d_old[i]: the window has not moved";
  if (i >= m && is == d_old[i - m])
    return "it is d_old[i - m]: the window has moved the wrong way, so that its last m elements are lost";
  for (size_t k = 0; k < n; k++) {
    if (d_old[k] != is) continue;
    snprintf(text, sizeof text,
             k < m ? "it is d_old[%zu], one of the first m, which leave the window"
                   : "it is d_old[%zu], which belongs to d_new[%zu]",
             k, k - m);
    return text;
  }
  return NULL;
}

/* What belongs to place number j of the result. */
static uint32_t uploaded(const wb_case *c, size_t j) {
  const size_t length = c->size.n[LENGTH];
  const size_t place = place_of(wb_u32(c, POOL_KEY)[j / length], c->size.n[PLACES]);
  return wb_u32(c, POOL)[place * length + j % length];
}

#define BLOCK 256 /* a buffer has a multiple of so many elements, or whole records */

/* An element that belongs further on was in its place of the staging buffer when that was copied. */
static const char *cause_of_buffer(const wb_case *c, size_t i, uint32_t is) {
  static _Thread_local char text[200];
  const size_t length = c->size.n[LENGTH], total = length * c->size.n[RECORDS];
  if (i > 0 && i % BLOCK == 0)
    for (size_t far = 1; far < length && far < MOST && i + far < total; far++) {
      if (uploaded(c, i + far) != is) continue;
      snprintf(text, sizeof text,
               "it belongs %zu places further on: did a record run over the end of its half of the buffer, "
               "which is filled next?",
               far);
      return text;
    }
  for (size_t far = 1; i + far < total; far++) {
    if ((far % BLOCK && far % length) || uploaded(c, i + far) != is) continue;
    snprintf(
        text, sizeof text,
        "it belongs %zu places further on: the buffer was filled again before the copy out of it was done",
        far);
    return text;
  }
  return NULL;
}

/* An element of another record, or another one of the same. */
const char *cause_upload(const wb_case *c, int array, size_t i, double got) {
  const size_t places = c->size.n[PLACES], records = c->size.n[RECORDS], length = c->size.n[LENGTH];
  const size_t r = i / length, e = i % length;
  const uint32_t *h_key = wb_u32(c, POOL_KEY), key = h_key[r];
  (void)array;
  if (places * length < LEAST) return NULL;
  const rule rules[] = {
      {r * length + e, "it is of the record in place r: the key of r says which place is meant"},
      {key % places * length + e,
       "it is of the record in place key % places: place_of says which place is meant"},
      {place_of(key, records) * length + e,
       "it is of the record in place_of(key, records): the places are those of the pool"},
      {place_of(key, places * length) + e,
       "it is of a record that begins at place_of(key, places * length): a place is one of a whole record"},
      {place_of(key, places) + e,
       "its record begins at its place times `length` elements, and not at its place"},
      {place_of(h_key[r ? r - 1 : records - 1], places) * length + e, "it is of the record before"},
      {place_of(h_key[r + 1 < records ? r + 1 : 0], places) * length + e, "it is of the next record"},
      {place_of(key, places) * length, "it is the first element of its record"}};
  const char *found = first_of(rules, WB_COUNT(rules), wb_u32(c, POOL), places * length, (uint32_t)got);
  return found ? found : cause_of_buffer(c, i, (uint32_t)got);
}
