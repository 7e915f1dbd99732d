struct range {
	int low, high;
};

int range_cut(const struct range *range, int value);
