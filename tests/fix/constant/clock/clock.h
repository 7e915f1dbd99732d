struct clock {
	int hours, minutes, seconds;
};

struct clock clock_of(int seconds);
