/* who.h - who may do something: the one vocabulary of routes (http.h) and visits (visit.h), from everybody down to few.
 *
 * Whoever may do what a later word says may do what the earlier ones say.
 */
#ifndef BASE_WHO_H
#define BASE_WHO_H

enum who {
    WHO_ANYONE,
    WHO_MEMBER, /* somebody who is signed in */
    WHO_ADMINISTRATOR,
};

#endif
