/* A program that tries to change the report about it. test.sh puts raw bytes in for the words in @, writes this to a file with
   a hostile name, and another one with the name of the second #line. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int naïve$(const char *arg)
{
	return strlen(arg) > 3;
}

/* @NASTY@ */
static void show(char mark, const char *tag)
{
	assert(mark != '\033' || strcmp(tag, "</script><img src=x onerror=alert(5)> \033[7;45m %n {3}")); /* @NASTY@ */
	printf("%c%s\n", mark, tag); /* @NASTY@ */
}

#line 3 "@LINE@"
static void choose(const char *arg)
{
	char mark = '-'; const char *tag = "fine"; /* @NASTY@ */
	if (naïve$(arg)) { /* @NASTY@ */
		tag = "</script><img src=x onerror=alert(3)> \033[7;45m \a\b \"\\N\"]; {0} [x](http://evil) %n%s \n\r\t\1\177\377\376"
		      "\xe2\x80\xae \xef\xbf\xbf &lt;' ` --> ]]>";
	}
	if (arg[0] == '!') {
		mark = '\033';
		tag = "</script><img src=x onerror=alert(5)> \033[7;45m %n {3}";
	}
	show(mark, tag);
}

#line 1 ""
int main(int argc, char **argv) { choose(argc > 1 ? argv[1] : ""); return 0; }
