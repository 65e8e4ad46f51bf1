#pragma once
#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>
#include <stddef.h>

/* The entry `tag` of one directory: Swift cannot index the array `ifd`. */
static inline ExifEntry *peersync_exif_entry(ExifData *data, ExifIfd directory, ExifTag tag) {
    return data->ifd[directory] ? exif_content_get_entry(data->ifd[directory], tag) : NULL;
}
