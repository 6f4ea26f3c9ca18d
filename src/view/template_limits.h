/* template_limits.h - how deep templates may go. */
#ifndef VIEW_TEMPLATE_LIMITS_H
#define VIEW_TEMPLATE_LIMITS_H

#define TEMPLATE_SECTIONS 32 /* entered at once, those of the partials included */
#define TEMPLATE_PARTIALS 16 /* within each other */

#endif
