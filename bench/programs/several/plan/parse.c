#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* The next word of a line, which is cut off; NULL at its end. */
static char *next_word(char **at)
{
	char *word;

	while (isspace((unsigned char)**at))
		(*at)++;
	if (!**at || **at == '#')
		return NULL;
	word = *at;
	while (**at && !isspace((unsigned char)**at))
		(*at)++;
	if (**at)
		*(*at)++ = '\0';
	return word;
}

static bool read_number(const char *word, int *number)
{
	char *end;
	long value;

	if (!word)
		return false;
	value = strtol(word, &end, 10);
	if (end == word || *end || value < 0 || value > 100000)
		return false;
	*number = (int)value;
	return true;
}

/* A time: 90, 1h or 1h30. */
static bool read_time(const char *word, int *minutes)
{
	int parts[2] = {0, 0};
	bool hours = false;

	if (!word || !isdigit((unsigned char)*word))
		return false;
	for (; *word; word++) {
		if (*word == 'h' && !hours)
			hours = true;
		else if (isdigit((unsigned char)*word))
			parts[hours] = parts[hours] * 10 + (*word - '0');
		else
			return false;
	}
	*minutes = hours ? parts[0] * 60 + parts[1] : parts[0];
	return true;
}

/* job NAME TIME [PRIORITY] */
static const char *parse_job(struct plan *p, char *at)
{
	char *name = next_word(&at);
	int minutes, priority = 0;
	struct job *job;
	char *word;

	if (!name)
		return "the name is missing";
	if (!read_time(next_word(&at), &minutes))
		return "the time is missing";
	word = next_word(&at);
	if (word && !read_number(word, &priority))
		return "the priority is not a number";
	job = plan_job(p, name);
	if (!job)
		return "too many jobs";
	if (job->defined)
		return "there is such a job already";
	job_define(job, minutes, priority);
	return NULL;
}

/* needs NAME OTHER... */
static const char *parse_needs(struct plan *p, char *at)
{
	char *name = next_word(&at);
	struct job *job, *other;

	if (!name)
		return "the name is missing";
	job = plan_job(p, name);
	if (!job)
		return "too many jobs";
	while ((name = next_word(&at)) != NULL) {
		other = plan_job(p, name);
		if (!other || !job_needs(job, other))
			return "too many jobs";
	}
	return NULL;
}

const char *parse_line(struct plan *p, char *line)
{
	char *word = next_word(&line);

	if (!word)
		return NULL;
	if (strcmp(word, "job") == 0)
		return parse_job(p, line);
	if (strcmp(word, "needs") == 0)
		return parse_needs(p, line);
	if (strcmp(word, "workers") != 0)
		return "what is this?";
	if (!read_number(next_word(&line), &p->workers) || p->workers < 1 ||
	    p->workers > MOST_WORKERS)
		return "not a number of workers";
	return NULL;
}
