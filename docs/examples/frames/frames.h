/* frames.h - the parts of the example: see main.c. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

#define TEXTURE_BYTES ((size_t)8 << 20)

void frame(int number);

/* scene.c */
void update(int number);
void draw(int number);

/* textures.c: the texture that is shown; it stays the same until it is given back. */
int textures_make(void);
const uint8_t *textures_take(void);
void textures_give_back(void);
void textures_reload(void);

uint32_t checksum(const uint8_t *bytes, size_t count);

void rest(long microseconds);

#endif
