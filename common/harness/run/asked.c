/* run/asked.c: see run/asked.h. */
#include "run/asked.h"
#include "model/sizes.h"

static bool all_fit(const unsigned want[3], const unsigned got[3]) {
  for (int d = 0; d < 3; d++)
    if (want[d] && want[d] != got[d]) return false;
  return true;
}

static bool fits(const wb_asked *asked, const wb_shape_of_launch *got) {
  const unsigned threads = got->block[0] * got->block[1] * got->block[2];
  return all_fit(asked->grid, got->grid) && all_fit(asked->block, got->block) &&
         (!asked->threads || asked->threads == threads) &&
         (!asked->most_threads || threads <= asked->most_threads);
}

/* The first shape that does not fit; of one that has to be among them, any: NULL if all is as it should
 * be. Marks in `wanted` the shapes that fit. */
static const wb_shape_of_launch *other_shape(const wb_asked *asked, const wb_launched *launched,
                                             bool *wanted) {
  const wb_shape_of_launch *other = NULL;
  bool found = false;
  for (size_t i = 0; i < launched->shapes; i++) {
    const bool fit = fits(asked, &launched->shape[i]);
    wanted[i] |= fit;
    found |= fit;
    if (!fit && !other) other = &launched->shape[i];
  }
  return found && asked->one ? NULL : other;
}

/* A launch of the asked shape, beside which others do the work: it did not call the header's function. */
static bool is_idle(const wb_asked *asked, const wb_launched *launched) {
  if (!asked->one) return false;
  for (size_t i = 0; i < launched->shapes; i++)
    if (fits(asked, &launched->shape[i]) && launched->shape[i].given_calls) return false;
  return launched->given_calls > 0;
}

static uint64_t calls_of_others(const wb_launched *launched, const bool *wanted) {
  uint64_t calls = launched->given_calls;
  for (size_t i = 0; i < launched->shapes; i++)
    if (wanted[i]) calls -= launched->shape[i].given_calls;
  return calls;
}

/* "8 blocks", "1 block", "8 x 2 blocks"; unused dimensions are left out. */
static void add_number(wb_text *text, const unsigned n[3], const char *thing) {
  wb_text_add(text, "%u", n[0]);
  if (n[1] > 1 || n[2] > 1) wb_text_add(text, " x %u", n[1]);
  if (n[2] > 1) wb_text_add(text, " x %u", n[2]);
  wb_text_add(text, " %s%s", thing, n[0] == 1 && n[1] <= 1 && n[2] <= 1 ? "" : "s");
}

static void add_asked(wb_text *text, const wb_asked *asked) {
  const unsigned number = asked->threads ? asked->threads : asked->most_threads, threads[3] = {number, 1, 1};
  if (asked->launches)
    wb_text_add(text, "%u launch%s of ", asked->launches, asked->launches == 1 ? "" : "es");
  if (asked->grid[0])
    add_number(text, asked->grid, "block");
  else
    wb_text_add(text, "blocks");
  wb_text_add(text, asked->most_threads ? " of at most " : " of ");
  add_number(text, number ? threads : asked->block, "thread");
}

/* "With n = 4096: " */
static void add_size(wb_runner *runner) {
  wb_text *text = &runner->result->asked;
  wb_text_add(text, "With ");
  for (const char *p = runner->task->dims; *p; p++) wb_text_add(text, *p == ' ' ? " x " : "%c", *p);
  wb_text_add(text, " = %s: ", wb_text_size(runner->inputs.size.n, wb_dims(runner->task)));
}

void wb_asked_note(wb_runner *runner, const char *words) {
  if (runner->result->asked.size > 0) return;
  add_size(runner);
  wb_text_add(&runner->result->asked, "%s", words);
}

/* other: a launch of another shape; NULL: they fit, but others do the work. */
static void note(wb_runner *runner, const wb_asked *asked, const wb_launched *launched,
                 const wb_shape_of_launch *other, uint64_t others_calls) {
  wb_text *text = &runner->result->asked;
  add_size(runner);
  wb_text_add(text, "the caller asks for ");
  add_asked(text, asked);
  if (launched->launches == 0)
    wb_text_add(text, ", and nothing was launched.");
  else if (asked->launches && asked->launches != launched->launches)
    wb_text_add(text, ", and there were %zu.", launched->launches);
  else if (!other && others_calls < launched->given_calls)
    wb_text_add(
        text,
        ", but launches of other shapes made %llu of the %llu calls of the function that the header gives.",
        (unsigned long long)others_calls, (unsigned long long)launched->given_calls);
  else if (!other)
    wb_text_add(text, ", and such a launch did not call the function that the header gives: others did.");
  else {
    wb_text_add(text, asked->one ? ", and no launch was such, one had " : ", and a launch had ");
    add_number(text, other->grid, "block");
    wb_text_add(text, " of ");
    add_number(text, other->block, "thread");
    wb_text_add(text, ".");
  }
}

/* The smallest launch whose threads called the header's function once each; NULL: none did so. */
static const wb_shape_of_launch *once_a_thread(const wb_launched *launched) {
  const wb_shape_of_launch *found = NULL;
  for (size_t i = 0; i < launched->shapes; i++) {
    const wb_shape_of_launch *s = &launched->shape[i];
    const uint64_t blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2],
                   threads = blocks * s->block[0] * s->block[1] * s->block[2];
    if (s->given_calls == threads && (!found || threads < found->given_calls)) found = s;
  }
  return found;
}

/* Whether the header's function was called as often as the case needs; if not, it is noted. */
static bool judge_calls(wb_runner *runner, const wb_launched *launched) {
  if (!runner->task->given_calls || !launched->known) return true;
  const uint64_t needed = runner->task->given_calls(&runner->inputs);
  if (launched->given_calls == needed) return true;
  add_size(runner);
  wb_text_add(&runner->result->asked,
              "%llu calls of the function that the header gives, where %llu are needed.",
              (unsigned long long)launched->given_calls, (unsigned long long)needed);
  const wb_shape_of_launch *once = launched->given_calls < needed ? once_a_thread(launched) : NULL;
  if (!once) return false;
  wb_text_add(&runner->result->asked, " In a launch of ");
  add_number(&runner->result->asked, once->grid, "block");
  wb_text_add(&runner->result->asked, " of ");
  add_number(&runner->result->asked, once->block, "thread");
  wb_text_add(&runner->result->asked, " each thread made one: does it go on to what is left?");
  return false;
}

/* Whether no memory was allocated where none may be; if not, it is noted. */
static bool judge_allocations(wb_runner *runner, const wb_launched *launched) {
  if (!runner->task->allocates_nothing || launched->allocations == 0) return true;
  add_size(runner);
  wb_text_add(&runner->result->asked,
              "it allocated memory %zu time%s, and the header says that it allocates none.",
              launched->allocations, launched->allocations == 1 ? "" : "s");
  return false;
}

/* One call in ten may be made by launches of other shapes: of a rest, for example. */
void wb_asked_judge(wb_runner *runner, const wb_reply *reply) {
  const wb_launched *launched = &reply->figures.launched;
  wb_asked asked = {0}, last = {0};
  bool wanted[WB_MOST_SHAPES] = {false};
  if (runner->result->asked.size > 0) return;
  if (reply->not_as_asked[0]) {
    add_size(runner);
    wb_text_add(&runner->result->asked, "it %s.", reply->not_as_asked);
    return;
  }
  if (!judge_allocations(runner, launched) || !judge_calls(runner, launched)) return;
  if (!runner->task->asks || !launched->known) return;
  for (int which = 0; runner->task->asks(&runner->inputs, which, &asked); which++) {
    const wb_shape_of_launch *other = other_shape(&asked, launched, wanted);
    if (launched->launches == 0 || (asked.launches && asked.launches != launched->launches) || other ||
        is_idle(&asked, launched)) {
      note(runner, &asked, launched, other, launched->given_calls);
      return;
    }
    last = asked;
    asked = (wb_asked){0};
  }
  const uint64_t others = calls_of_others(launched, wanted);
  if (last.one && 10 * others > launched->given_calls) note(runner, &last, launched, NULL, others);
}
