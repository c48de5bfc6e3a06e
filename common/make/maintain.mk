# What only those who write the workbook make. The Makefile includes this file where it is there: a handout leaves it out.

.PHONY: new-lesson starters bench bench-cpu bench-class units figures bugs-table handout test-all format site site-serve site-zip
new-lesson: ## LESSON=lessonNN NAME=word: begin a new lesson from the template
	@lessons/.template/instantiate '$(LESSON)' '$(NAME)'

starters: ## write the starters from the solutions; edited files stay as they are
	@common/tools/starters $(LESSONS)

bench: ## time the solutions and the grader here (SAVE=DIR keeps the figures)
	@common/tools/bench $(if $(SAVE),--save '$(SAVE)') $(LESSONS)

bench-cpu: ## time the CPU backend against native loops
	@tests/cpu/bench.sh

bench-class: ## COUNT=300: grade so many submissions of lesson02, and say how fast
	@COUNT='$(or $(COUNT),300)' tests/class/bench

figures: ## bring pages, summaries and drawings up to what results/ and the drawings' sources say
	@common/tools/figures

bugs-table: ## write tests/lessons/bugs/README.md: which check tells which mistake (LESSON=lessonNN: its rows anew)
	@tests/lessons/bugs/table $(LESSON)

handout: ## the learner's edition, without solutions but RELEASED="lesson01 ..." (BRANCH=NAME: as a branch too)
	@common/tools/handout --output '$(B)/handout' $(if $(BRANCH),--branch '$(BRANCH)') $(if $(WORKSHOP),--workshop '$(WORKSHOP)') \
	  $(if $(filter undefined,$(origin RELEASED)),,--released '$(RELEASED)')

site_options = $(if $(ROLE),--role '$(ROLE)') $(if $(WORKSHOP),--workshop '$(WORKSHOP)')
site: ## the workshop's pages, into build/site (ROLE=instructor WORKSHOP=my.yml)
	@site/build $(site_options)

site-serve: ## the same at http://localhost:8080, built again at every change (PORT=8080)
	@site/build $(site_options) --serve $(PORT)

site-zip: ## the same as one file to take along: build/site.zip
	@site/build $(site_options) --zip

units: $(patsubst tests/harness/unit/%.c,$(B)/unit/%,$(wildcard tests/harness/unit/*.c))

$(B)/unit/%: tests/harness/unit/%.c $(patsubst %.c,$(B)/host/%.o,$(filter-out common/harness/run/main.c,$(sources_host)))
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -MF $@.d $(INCLUDES) -o $@ $^ -fopenmp -lcmocka -lpthread -lm
-include $(wildcard $(B)/unit/*.d)

test-all: ## all tests, the slow ones too
	@tests/run --all

format: ## clang-format over all C and CUDA sources
	@git ls-files '*.c' '*.h' '*.cu' '*.cuh' | xargs -d '\n' clang-format -i
