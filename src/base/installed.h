/* Where hence's own files are. */
#ifndef HENCE_BASE_INSTALLED_H
#define HENCE_BASE_INSTALLED_H

/* Where libhence_rt.a and the folder of *.model files are: beside the running hence executable as
   in the build tree, else in ../lib/hence and ../share/hence as installed. Never NULL: when they
   are in neither place it is the installed one, for the message of the caller that opens it. Valid for the
   whole run. */
const char *installed_runtime_library(void);
const char *installed_models_folder(void);

/* The executable of hence, which is the running one or beside it, with links resolved. Valid for the whole run. */
const char *installed_executable(void);

#endif
