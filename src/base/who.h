/* who.h - who may do something: the one vocabulary of routes (http.h) and visits (visit.h), from everybody down to few.
 *
 * Each word includes all that the words before it allow.
 */
#ifndef BASE_WHO_H
#define BASE_WHO_H

enum who {
    WHO_ANYONE,
    WHO_MEMBER, /* somebody who is signed in */
    WHO_ADMINISTRATOR,
};

#endif
