/* Who may enter at which hour: AGE MEMBER STAFF HOUR for each person. Members of age may in the daytime, and pay
   three; staff may at any time, and do not pay; nobody else may. */
#include <stdio.h>

int main(void)
{
	int age, member, staff, hour, people = 0, in = 0, paid = 0;

	while (scanf("%d %d %d %d", &age, &member, &staff, &hour) == 4) {
		people++;
		if (age >= 18 && member && hour >= 8) {
			in++;
			paid += staff ? 0 : 3;
			printf("%d: come in\n", people);
		} else {
			printf("%d: sorry, not at %d\n", people, hour);
		}
	}
	printf("%d of %d, %d\n", in, people, paid);
	return 0;
}
