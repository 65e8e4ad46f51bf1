#pragma once

#include <stddef.h>

/* The translation de_AT.po as it stands in this folder: gettext's format, UTF-8. */
extern const unsigned char *_Nonnull const peersync_de_AT;
extern const size_t peersync_de_AT_size;
