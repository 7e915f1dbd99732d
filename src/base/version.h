/* The version of hence, as `hence --version` says it. */
#ifndef HENCE_BASE_VERSION_H
#define HENCE_BASE_VERSION_H

#define HENCE_VERSION "0.1.0"

#endif
