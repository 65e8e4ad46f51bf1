#include "messages.h"

/* Read at compile time: the program is one file. */
static const unsigned char de_AT[] = {
#embed "de_AT.po"
};

const unsigned char *const peersync_de_AT = de_AT;
const size_t peersync_de_AT_size = sizeof de_AT;
