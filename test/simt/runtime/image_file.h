// The file that an image was loaded from.
#ifndef SIMT_IMAGE_FILE_H
#define SIMT_IMAGE_FILE_H

// Removes the file of the image that holds `address` if it is one that libomptarget's host plugin has written to load it; others
// stay. Any thread.
void simt_drop_image_file(const void *address);

#endif
