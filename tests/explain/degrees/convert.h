/* Degrees of temperature. */
enum unit { CELSIUS, FAHRENHEIT };

extern enum unit shown;

int convert(int celsius);
