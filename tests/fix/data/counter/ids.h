int ids_next(void);
