/* Sums of products of factors, computed while they are read. */
#include <stdio.h>
#include <string.h>
#include "calc.h"

static int is_sign(const struct lexer *lexer, char sign)
{
	return lexer->token.kind == TOKEN_SIGN && lexer->token.as.sign == sign;
}

static void expect(struct lexer *lexer, char sign)
{
	if (!is_sign(lexer, sign))
		lexer_fail(lexer, "something is missing");
	lexer_next(lexer);
}

static long apply(struct lexer *lexer, char sign, long a, long b)
{
	long result = 0;
	switch (sign) {
	case '+': result = a + b; break;
	case '-': result = a - b; break;
	case '*': result = a * b; break;
	case '/':
		if (!b)
			lexer_fail(lexer, "division by zero");
		result = a / b;
		break;
	}
	printf("%ld %c %ld = %ld\n", a, sign, b, result);
	return result;
}

static long parse_call(struct lexer *lexer)
{
	char name[8];
	strcpy(name, lexer->token.as.name);
	function call = function_find(name);
	if (!call)
		lexer_fail(lexer, "no such function");
	lexer_next(lexer);
	expect(lexer, '(');
	long a = parse_sum(lexer);
	expect(lexer, ',');
	long b = parse_sum(lexer);
	expect(lexer, ')');
	long result = call(a, b);
	printf("%s(%ld, %ld) = %ld\n", name, a, b, result);
	return result;
}

static long parse_factor(struct lexer *lexer)
{
	long value;
	if (lexer->token.kind == TOKEN_NUMBER) {
		value = lexer->token.as.number;
		lexer_next(lexer);
		return value;
	}
	if (lexer->token.kind == TOKEN_NAME)
		return parse_call(lexer);
	if (is_sign(lexer, '-')) {
		lexer_next(lexer);
		return -parse_factor(lexer);
	}
	expect(lexer, '(');
	value = parse_sum(lexer);
	expect(lexer, ')');
	return value;
}

static long parse_product(struct lexer *lexer)
{
	long value = parse_factor(lexer);
	while (is_sign(lexer, '*') || is_sign(lexer, '/')) {
		char sign = lexer->token.as.sign;
		lexer_next(lexer);
		value = apply(lexer, sign, value, parse_factor(lexer));
	}
	return value;
}

long parse_sum(struct lexer *lexer)
{
	long value = parse_product(lexer);
	while (is_sign(lexer, '+') || is_sign(lexer, '-')) {
		char sign = lexer->token.as.sign;
		lexer_next(lexer);
		value = apply(lexer, sign, value, parse_product(lexer));
	}
	return value;
}
