/* entity_table.h - the entities of the API, field by field: what GET /api says of them, and what tests hold live answers
 * against. entity*.c make them.
 *
 * Threads: constant data.
 */
#ifndef VIEW_ENTITY_TABLE_H
#define VIEW_ENTITY_TABLE_H

/* A type is a word of entity_words, the name of an entity, words joined by "|" (one of them), or one of these in brackets (an
 * array of it). With "?" behind it: may be null. With "~" before it: may be missing. */
struct entity_shape {
    const char *name;
    const char *extends; /* another one, whose fields it has too; NULL: none */
    const char *fields;  /* "id:id name:text …"; "": it has none */
};

/* Ended by one without a name. */
extern const struct entity_shape entity_shapes[];

/* The simple types: each is a schema of JSON Schema. Ended by one without a name. */
struct entity_word {
    const char *name, *type, *format, *pattern; /* NULL: none */
};
extern const struct entity_word entity_words[];

#endif
