# Targets for authors of the workbook. The Makefile includes this file if it exists; a handout doesn't contain
# it.

.PHONY: new-lesson check-lesson starters bench bench-cpu bench-class units figures bugs-table fingerprints handout \
  test-all format site site-serve site-zip
new-lesson: ## LESSON=lessonNN NAME=word: begin a new lesson from the template
	@lessons/.template/instantiate '$(LESSON)' '$(NAME)'

check-lesson: ## LESSON=lessonNN: which rules of a lesson are not met yet, and what to do (ALL=1: all its tests)
	@ALL='$(ALL)' common/tools/check-lesson '$(LESSON)'

starters: ## write the starters from the solutions; edited files are not changed
	@common/tools/starters $(LESSONS)

bench: ## time the solutions and the grader here (SAVE=DIR keeps the figures)
	@common/tools/bench $(if $(SAVE),--save '$(SAVE)') $(LESSONS)

bench-cpu: ## time the CPU backend against native loops
	@tests/cpu/bench.sh

bench-class: ## COUNT=300: grade that many submissions of lesson02, and print the speed
	@COUNT='$(or $(COUNT),300)' tests/class/bench

figures: ## update pages, summaries and drawings from results/ and the drawings' sources
	@common/tools/figures

bugs-table: ## write tests/lessons/bugs/README.md: which check reports which mistake (LESSON=lessonNN: only its rows)
	@tests/lessons/bugs/table $(LESSON)

fingerprints: ## write grader/checks/lessonNN.mistakes: by which result the grader knows a mistake (LESSON=lessonNN: only its)
	@tests/lessons/bugs/fingerprints $(LESSON)

handout: ## the learner's edition, with the solutions in RELEASED="lesson01 ..." (BRANCH=NAME: also as a branch)
	@common/tools/handout --output '$(B)/handout' $(if $(BRANCH),--branch '$(BRANCH)') \
	  $(if $(WORKSHOP),--workshop '$(WORKSHOP)') \
	  $(if $(filter undefined,$(origin RELEASED)),,--released '$(RELEASED)')

site_options = $(if $(ROLE),--role '$(ROLE)') $(if $(WORKSHOP),--workshop '$(WORKSHOP)')
site: ## the workshop's pages, into build/site (ROLE=instructor WORKSHOP=my.yml DRAFT=1)
	@site/build $(site_options)

site-serve: ## the same at http://localhost:8080, rebuilt at every change (PORT=8080)
	@site/build $(site_options) --serve $(PORT)

site-zip: ## the same as one file: build/site.zip
	@site/build $(site_options) --zip

units: $(patsubst tests/harness/unit/%.c,$(B)/unit/%,$(wildcard tests/harness/unit/*.c))

$(B)/unit/%: tests/harness/unit/%.c \
  $(patsubst %.c,$(B)/host/%.o,$(filter-out common/harness/run/main.c,$(sources_host)))
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -MF $@.d $(INCLUDES) -o $@ $< $(filter %.o,$^) -fopenmp -lcmocka -lpthread -lm
-include $(wildcard $(B)/unit/*.d)

test-all: ## all tests, including the slow ones
	@tests/run --all

format: ## clang-format over all C and CUDA sources
	@git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' | xargs -d '\n' clang-format -i
