/* A packet of three bytes: what kind, how urgent, and a number or a letter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, LETTER };

struct packet {
	unsigned kind : 1;
	unsigned urgency : 3;
	unsigned sent : 1;
	union {
		int number;
		char letter;
	} u;
};

static void fill(struct packet *packet, int urgency, const char *content)
{
	memset(packet, 0, sizeof *packet);
	packet->urgency = urgency;
	if (content[0] >= '0' && content[0] <= '9') {
		packet->kind = NUMBER;
		packet->u.number = atoi(content);
	} else {
		packet->kind = LETTER;
		packet->u.letter = content[0];
	}
}

static void print(const struct packet *packet)
{
	if (packet->kind == NUMBER)
		printf("number %d\n", packet->u.number);
	else
		printf("letter %c\n", packet->u.letter);
	printf("urgency %u\n", packet->urgency);
}

int main(int argc, char *argv[])
{
	struct packet packet;
	if (argc != 3)
		return 2;
	int urgency = atoi(argv[1]);
	fill(&packet, urgency, argv[2]);
	packet.sent = 1;
	print(&packet);
	return 0;
}
