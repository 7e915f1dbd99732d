/* Memory errors in words: what was read or written, and what lies there. */
#include <string.h>

#include "words/describe.h"

struct describe_errors {
	struct names *names;
	struct execution *e;
	VEC(struct described_error) places; /* one for each that was told */
};

struct describe_errors *describe_errors_create(struct names *names, struct execution *execution)
{
	struct describe_errors *t = mem_alloc(sizeof(*t));

	t->names = names;
	t->e = execution;
	return t;
}

void describe_errors_destroy(struct describe_errors *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->places.size; i++) {
		free(t->places.at[i].name);
		free(t->places.at[i].there);
	}
	vec_deinit(&t->places);
	free(t);
}

void describe_errors_move(struct describe_errors *t, struct execution *execution)
{
	uint32_t count;

	t->e = execution;
	execution_errors(execution, &count);
	while (t->places.size < count)
		vec_push(&t->places);
}

/* --- while it happens: names --- */

static LLVMValueRef pointer_of(LLVMValueRef instruction)
{
	if (LLVMIsAGetElementPtrInst(instruction))
		return instruction;

	if (LLVMIsALoadInst(instruction))
		return LLVMGetOperand(instruction, 0);
	return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

static char *take_name(struct name *name)
{
	char *text = name->known ? mem_strdup(str_text(&name->text)) : NULL;

	name_deinit(name);
	return text;
}

/* The name of the place that an instruction of the function on top used wrongly. */
static char *name_place(struct describe_errors *t, const struct execution_error *error)
{
	const struct activation *a = execution_top(t->e, 0);
	const struct code_function *f = code_of(execution_code_table(t->e), error->code);
	LLVMValueRef instruction = f->instructions[error->code - f->first];
	struct names_use use = {.size = error->size};
	LLVMValueRef pointer = pointer_of(instruction);
	struct name name = {0};

	if (!a || a->function != f || error->outside || !pointer)
		return NULL;
	if (LLVMIsALoadInst(instruction))
		use.instruction = instruction;
	names_of_pointer(t->names, a, pointer, &use, &name);
	return take_name(&name);
}

/* Was the byte written since its object was born? */
static bool is_written(struct describe_errors *t, uint64_t address)
{
	uint32_t source;

	memory_source_run(execution_memory(t->e), address, 1, &source);
	return source == SOURCE_EARLIER || source >= EXECUTION_FIRST;
}

static void take_read(struct describe_errors *t, const struct described_value *read,
                      struct described_error *out)
{
	uint64_t address = read->name.address;
	uint64_t at =
		address ? memory_find_undefined(execution_memory(t->e), address, read->name.size)
			: 0;

	out->name = mem_strdup(str_text(&read->name.text));
	out->address = address ? address + at : 0;
	out->start = address;
	/* A result of a call lies nowhere. */
	out->derived = !address || is_written(t, address + at);
}

/* What the statement read that had no value. */
static void name_undefined(struct describe_errors *t, const struct execution_error *error,
                           struct described_error *out)
{
	const struct activation *a = execution_top(t->e, 0);
	const struct code_function *f = code_of(execution_code_table(t->e), error->code);
	struct described s = {0};

	if (!a || a->function != f)
		return;
	describe_statement(t->names, t->e, false, &s);
	for (uint32_t i = 0; i < s.reads.size && !out->name; i++)
		if (!strcmp(str_text(&s.reads.at[i].value), "?"))
			take_read(t, &s.reads.at[i], out);
	described_deinit(&s);
}

/* The memory that is written out. */
static void name_output(struct describe_errors *t, const struct execution_error *error,
                        struct described_error *out)
{
	struct names_use use = {.size = 1};
	struct name name = {0};

	if (!error->address) {
		name_undefined(t, error, out);
		return;
	}
	names_of_address(t->names, error->address, &use, &name);
	out->name = take_name(&name);
	out->address = out->start = error->address;
	out->derived = is_written(t, error->address);
}

/* The variable that lies at the first byte outside of the object. */
static char *name_neighbour(struct describe_errors *t, const struct execution_error *error)
{
	const struct object *o;
	struct names_use use = {.size = 0};
	struct name name = {0};
	uint64_t end;

	if (error->kind != ERROR_OUT_OF_BOUNDS || !error->object)
		return NULL;
	o = objects_at(execution_objects(t->e), error->object);
	end = o->address + o->size;
	if (!names_find_variable(
		    t->names,
		    error->address >= o->address && error->address < end ? end : error->address,
		    &use, &name))
		return NULL;
	return take_name(&name);
}

/* The variable that the address was computed from: i in a[i], p in *p. Where there are several, the last index. */
static void find_maker(struct describe_errors *t, const struct execution_error *error,
                       struct described_error *out)
{
	const struct activation *a = execution_top(t->e, 0);
	const struct code_function *f = code_of(execution_code_table(t->e), error->code);
	LLVMValueRef value = pointer_of(f->instructions[error->code - f->first]), from;
	struct names_use use = {0};
	struct name name = {0};
	const struct variable *variable;

	if (!a || a->function != f || error->outside || !value)
		return;
	/* A member of what an index or a pointer leads to. */
	while (LLVMIsAGetElementPtrInst(value)) {
		from = LLVMGetOperand(value, (unsigned)LLVMGetNumOperands(value) - 1);
		value = LLVMIsAConstant(from) ? LLVMGetOperand(value, 0) : from;
	}
	while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) || LLVMIsATruncInst(value))
		value = LLVMGetOperand(value, 0);
	if (!LLVMIsALoadInst(value))
		return;
	names_of_pointer(t->names, a, LLVMGetOperand(value, 0), &use, &name);
	variable = variables_of_alloca(names_variables(t->names, f->place.module),
	                               LLVMGetOperand(value, 0));
	out->maker_is_parameter = variable && variable->argument;
	out->maker = name.address;
	out->maker_size = name.address ? 1 : 0;
	name_deinit(&name);
}

static void name_error(struct describe_errors *t, const struct execution_error *error,
                       struct described_error *out)
{
	switch (error->kind) {
	case ERROR_UNINITIALISED_BRANCH:
	case ERROR_UNINITIALISED_ADDRESS: name_undefined(t, error, out); break;
	case ERROR_UNINITIALISED_OUTPUT: name_output(t, error, out); break;
	default: out->name = name_place(t, error); find_maker(t, error, out);
	}
}

void describe_errors_follow(struct describe_errors *t)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(t->e, &count);

	for (uint32_t i = t->places.size; i < count; i++) {
		struct described_error place = {0};

		if (execution_top(t->e, 0)) {
			describe_stand_at(t->names, t->e);
			name_error(t, &errors[i], &place);
			place.there = name_neighbour(t, &errors[i]);
			names_at(t->names, 0, 0, 0, 0);
		}
		*vec_push(&t->places) = place;
	}
}

/* --- afterwards: words --- */

static void add_bytes(uint64_t count, struct str *out)
{
	str_printf(out, "%llu byte%s", (unsigned long long)count, count == 1 ? "" : "s");
}

/* Where the bytes lie, seen from the object. */
static void add_distance(const struct execution_error *error, const struct object *o,
                         struct str *out)
{
	uint64_t end = o->address + o->size;

	if (error->address >= o->address && error->address < end) {
		str_printf(out, ", the last %llu past the end of ",
		           (unsigned long long)(error->address + error->size - end));
	} else if (error->address >= end) {
		if (error->address > end) {
			str_add(out, ", ");
			add_bytes(error->address - end, out);
			str_add(out, " behind the end of ");
		} else {
			str_add(out, " past the end of ");
		}
	} else {
		str_add(out, ", ");
		add_bytes(o->address - error->address, out);
		str_add(out, " before the start of ");
	}
}

static void add_access(struct describe_errors *t, const struct execution_error *error,
                       const struct described_error *place, struct str *out)
{
	const struct object *o =
		error->object ? objects_at(execution_objects(t->e), error->object) : NULL;

	if (error->outside)
		str_printf(out, "%s() ", error->outside);
	str_add(out, error->writes ? "writes " : "reads ");
	if (place->name)
		str_printf(out, "%s, ", place->name);
	add_bytes(error->size, out);
	if (error->kind == ERROR_OUT_OF_BOUNDS && o)
		add_distance(error, o, out);
	else if (error->kind == ERROR_AFTER_FREE)
		str_add(out, " of freed memory: ");
	else
		str_add(out, " of a local whose function has returned: ");
	if (o)
		names_print_object(t->names, error->object, error->kind != ERROR_OUT_OF_BOUNDS,
		                   out);
	if (place->there)
		str_printf(out, "; there lies %s", place->there);
}

/* Without the index of the element. */
static void add_array(const char *name, struct str *out)
{
	const char *end = name ? strrchr(name, '[') : NULL;

	if (end)
		str_add_bytes(out, name, (size_t)(end - name));
	else
		str_add(out, "an array");
}

static void add_member(struct describe_errors *t, const struct execution_error *error,
                       const struct described_error *place, struct str *out)
{
	if (error->outside)
		str_printf(out, "%s() ", error->outside);
	str_add(out, error->writes ? "writes " : "reads ");
	if (place->name)
		str_add(out, place->name);
	else
		add_bytes(error->size, out);
	str_add(out, ", outside of ");
	add_array(place->name, out);
	str_printf(out, " (%llu elements), a member of ", (unsigned long long)error->elements);
	names_print_object(t->names, error->object, false, out);
}

static void add_fault(const struct execution_error *error, const char *name, struct str *out)
{
	str_printf(out, "the program died when it %s ", error->writes ? "wrote" : "read");
	if (name)
		str_printf(out, "%s, ", name);
	str_printf(out, "%llu byte%s at 0x%llx", (unsigned long long)error->size,
	           error->size == 1 ? "" : "s", (unsigned long long)error->address);
}

static void add_uninitialised(const struct execution_error *error,
                              const struct described_error *place, struct str *out)
{
	const char *what = place->name ? place->name : "a value";

	if (error->kind == ERROR_UNINITIALISED_BRANCH)
		str_printf(out, "a branch depends on %s", what);
	else if (error->kind == ERROR_UNINITIALISED_OUTPUT)
		str_printf(out, "%s() is given %s", error->outside, what);
	else
		str_printf(out, "%s memory at an address that depends on %s",
		           error->writes ? "writes" : "reads", what);
	str_add(out, place->derived ? ", which comes from something that was never initialised"
	                            : ", which was never initialised");
}

void describe_error(struct describe_errors *t, uint32_t index, struct str *out)
{
	uint32_t count;
	const struct execution_error *error = &execution_errors(t->e, &count)[index];
	const struct described_error *place = &t->places.at[index];

	switch (error->kind) {
	case ERROR_OUT_OF_BOUNDS:
	case ERROR_AFTER_FREE:
	case ERROR_AFTER_RETURN: add_access(t, error, place, out); break;
	case ERROR_OUT_OF_MEMBER: add_member(t, error, place, out); break;
	case ERROR_DOUBLE_FREE:
	case ERROR_BAD_FREE:
		str_printf(out, "%s() is given ", error->outside);
		str_add(out, error->kind == ERROR_DOUBLE_FREE ? "what was freed already: "
		                                              : "what was not allocated: ");
		if (error->object)
			names_print_object(t->names, error->object, true, out);
		break;
	case ERROR_FAULT: add_fault(error, place->name, out); break;
	default: add_uninitialised(error, place, out);
	}
}

const struct described_error *describe_error_parts(const struct describe_errors *t, uint32_t index)
{
	return &t->places.at[index];
}

const char *describe_error_kind(enum execution_error_kind kind)
{
	static const char *const names[] = {
		[ERROR_OUT_OF_BOUNDS] = "out-of-bounds",
		[ERROR_OUT_OF_MEMBER] = "out-of-member",
		[ERROR_AFTER_FREE] = "use-after-free",
		[ERROR_AFTER_RETURN] = "use-after-return",
		[ERROR_DOUBLE_FREE] = "double-free",
		[ERROR_BAD_FREE] = "bad-free",
		[ERROR_UNINITIALISED_BRANCH] = "uninitialised-branch",
		[ERROR_UNINITIALISED_ADDRESS] = "uninitialised-address",
		[ERROR_UNINITIALISED_OUTPUT] = "uninitialised-output",
		[ERROR_FAULT] = "fault",
	};

	return names[kind];
}
