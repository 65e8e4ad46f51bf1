/* Copies of a whole disk: templates, and backups that are restored. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

/* One file of an image. */
struct image_file {
    char *name;
    uint64_t identity;
    struct bytes content;
};

struct peersync_disk_image {
    struct image_file *files;
    size_t count;
};

peersync_disk_image *peersync_disk_copy(peersync_disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    struct peersync_disk_image *image = sure_realloc(NULL, sizeof *image);
    *image = (struct peersync_disk_image){
        .files = sure_realloc(NULL, disk->node_count * sizeof *image->files)};
    for (size_t index = 0; index < disk->node_count; index += 1) {
        const struct node *node = disk->nodes[index];
        if (node->linked) {
            struct image_file *file = &image->files[image->count];
            *file = (struct image_file){sure_copy(node->name), node->identity, {0}};
            bytes_assign(&file->content, &node->content);
            image->count += 1;
        }
    }
    pthread_mutex_unlock(&disk->mutex);
    return image;
}

void peersync_disk_image_free(peersync_disk_image *image) {
    for (size_t index = 0; index < image->count; index += 1) {
        free(image->files[index].name);
        bytes_free(&image->files[index].content);
    }
    free(image->files);
    free(image);
}

void peersync_disk_restore(
    peersync_disk *disk, const peersync_disk_image *image, bool as_copies) {
    pthread_mutex_lock(&disk->mutex);
    disk_drop_all(disk);
    disk->is_off = false;
    for (size_t index = 0; index < image->count; index += 1) {
        const struct image_file *file = &image->files[index];
        uint64_t identity = file->identity;
        if (as_copies) {
            identity = next_random(&disk->random_state) | 1;
        }
        struct node *node = node_new(file->name, identity);
        node->linked = true;
        node->durably_linked = true;
        bytes_assign(&node->content, &file->content);
        bytes_assign(&node->durable, &file->content);
        disk_add(disk, node);
    }
    pthread_mutex_unlock(&disk->mutex);
}
