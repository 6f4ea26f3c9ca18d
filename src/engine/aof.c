/* aof.c - see aof.h.
 *
 * Behind damage the scan looks for the next unit: it tries every place that looks like the beginning of a command.
 * Nobody can put such a place into a text (the protocol's lines end with CR LF, and no text of a user holds a CR). The
 * unit that is found may be the rest of a transaction whose beginning is lost: an EXEC without MULTI shows that, and
 * then the part up to it is left out as well.
 */
#include "engine/aof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/panic.h"

#define WINDOW (256 * 1024)
#define LINE_MAX_SIZE 64 /* of "*3", "$17" and "#TS:1732250000" with their ends; and of a command's name */
#define ARGUMENTS_MAX (1 << 20)
#define BULK_MAX (512ull << 20)
#define TIME_MARK "#TS:"

struct reader {
    int fd;
    int error; /* errno of a failed read */
    uint64_t size;
    uint64_t start; /* of the window in the file */
    size_t filled;
    char *window;
};

enum what { NONSENSE, COMMAND, MULTI, EXEC, TIME };

/* One command or line. */
struct piece {
    enum what what;
    uint64_t end;
    uint64_t seconds; /* TIME */
};

/* At most `want` bytes (LINE_MAX_SIZE or less) at this place of the file; *got says how many there are. */
static const char *aof_look(struct reader *r, uint64_t at, size_t want, size_t *got)
{
    if (at < r->start || at + want > r->start + r->filled) {
        r->start = at;
        r->filled = 0;
        while (r->filled < WINDOW && at + r->filled < r->size) {
            ssize_t n = pread(r->fd, r->window + r->filled, WINDOW - r->filled, (off_t)(at + r->filled));
            if (n < 0 && errno == EINTR) {
                continue;
            }
            if (n <= 0) {
                r->error = n < 0 ? errno : EIO; /* shorter than it was: somebody else writes to it */
                r->size = at + r->filled;
                break;
            }
            r->filled += (size_t)n;
        }
    }
    size_t there = (size_t)(r->start + r->filled - at);
    *got = there < want ? there : want;
    return r->window + (at - r->start);
}

/* Reads "<sign><digits>\r\n" at *at and moves it on. */
static bool aof_read_number(struct reader *r, uint64_t *at, const char *sign, uint64_t *n)
{
    size_t got, i = strlen(sign);
    const char *p = aof_look(r, *at, LINE_MAX_SIZE, &got);
    if (got < i || memcmp(p, sign, i) != 0) {
        return false;
    }
    size_t first = i;
    for (*n = 0; i < got && i < first + 15 && p[i] >= '0' && p[i] <= '9'; i++) {
        *n = *n * 10 + (uint64_t)(p[i] - '0');
    }
    if (i == first || i + 2 > got || p[i] != '\r' || p[i + 1] != '\n') {
        return false;
    }
    *at += i + 2;
    return true;
}

/* A word of letters, as all commands are. */
static enum what what_is(struct reader *r, uint64_t at, uint64_t length)
{
    size_t got;
    const char *name = length < LINE_MAX_SIZE ? aof_look(r, at, (size_t)length, &got) : NULL;
    if (!name || got < length || length == 0) {
        return NONSENSE;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i] | 0x20;
        if ((c < 'a' || c > 'z') && (!name[i] || !strchr("|-_.", name[i]))) {
            return NONSENSE;
        }
    }
    return length == 5 && strncasecmp(name, "multi", 5) == 0  ? MULTI
           : length == 4 && strncasecmp(name, "exec", 4) == 0 ? EXEC
                                                              : COMMAND;
}

static struct piece read_piece(struct reader *r, uint64_t at)
{
    static const struct piece nonsense = {.what = NONSENSE};
    struct piece p = {.end = at};
    uint64_t count, length;
    size_t got;
    if (aof_read_number(r, &p.end, TIME_MARK, &p.seconds)) {
        p.what = TIME;
        return p;
    }
    if (!aof_read_number(r, &p.end, "*", &count) || count == 0 || count > ARGUMENTS_MAX) {
        return nonsense;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!aof_read_number(r, &p.end, "$", &length) || length > BULK_MAX || p.end + length + 2 > r->size) {
            return nonsense;
        }
        if (i == 0 && (p.what = what_is(r, p.end, length)) == NONSENSE) {
            return nonsense;
        }
        const char *line_end = aof_look(r, p.end + length, 2, &got);
        if (got < 2 || line_end[0] != '\r' || line_end[1] != '\n') {
            return nonsense;
        }
        p.end += length + 2;
    }
    return p;
}

/* The next place from here on where a whole piece begins; the size of the file if there is none. */
static uint64_t find_piece(struct reader *r, uint64_t at)
{
    size_t got;
    while (at < r->size) {
        const char *p = aof_look(r, at, 1, &got);
        size_t there = (size_t)(r->start + r->filled - at);
        size_t skip = 0;
        while (skip < there && p[skip] != '*' && p[skip] != '#') {
            skip++;
        }
        at += skip;
        if (skip < there && read_piece(r, at).what != NONSENSE) {
            return at;
        }
        at += skip < there;
    }
    return r->size;
}

/* Where whole units begin again, from a whole piece on: behind the first EXEC that has no MULTI in front of it. */
static uint64_t leave_transaction(struct reader *r, uint64_t begin)
{
    for (uint64_t at = begin; at < r->size;) {
        struct piece p = read_piece(r, at);
        if (p.what == EXEC) {
            return p.end;
        }
        if (p.what != COMMAND) {
            return begin; /* what was passed stood by itself */
        }
        at = p.end;
    }
    return begin;
}

struct state {
    struct reader r;
    struct aof_scan *out;
    uint64_t at;
    uint64_t good;      /* end of the last whole unit */
    uint64_t previous;  /* its beginning */
    uint64_t run;       /* beginning of the single commands that end at `good`, */
    uint64_t run_units; /* and how many they are */
    uint64_t time_s;    /* of what comes now */
    bool in_transaction;
};

static void begin_run(struct state *s, uint64_t at)
{
    s->good = s->run = s->previous = at;
    s->run_units = 0;
}

static void note_unit(struct state *s, uint64_t begin, uint64_t end)
{
    struct aof_scan *out = s->out;
    out->units++;
    out->units_behind += out->gaps > 0;
    out->last_s = s->time_s ? s->time_s : out->last_s;
    if (out->gaps && !out->gap[out->gaps - 1].after_s) {
        out->gap[out->gaps - 1].after_s = s->time_s;
    }
    s->previous = begin;
    s->good = end;
}

static void aof_take_back(struct state *s, uint64_t units, uint64_t good)
{
    s->out->units -= units;
    s->out->units_behind -= s->out->gaps ? units : 0;
    s->good = good;
}

/* What stands at `at` fits nowhere: a gap from the end of the last whole unit to the next one, at `from` or behind. */
static void note_gap(struct state *s, uint64_t from)
{
    struct aof_scan *out = s->out;
    uint64_t next = find_piece(&s->r, from);
    next = next < s->r.size ? leave_transaction(&s->r, next) : next;
    if (out->gaps == AOF_GAPS) {
        next = out->gap[AOF_GAPS - 1].to = s->r.size;
    } else {
        out->gap[out->gaps++] = (struct aof_gap){.from = s->good, .to = next, .before_s = out->last_s};
    }
    s->at = next;
    s->in_transaction = false;
    begin_run(s, next);
}

static void note_nonsense(struct state *s)
{
    size_t got;
    const char *p = aof_look(&s->r, s->at, 1, &got);
    if (s->at == s->good && got && *p == '$' && s->run_units) {
        aof_take_back(s, 1, s->previous); /* an argument too many: the number in the command before it is wrong */
    }
    note_gap(s, s->at + 1);
}

static void step(struct state *s)
{
    struct piece p = read_piece(&s->r, s->at);
    if (p.what == NONSENSE) {
        note_nonsense(s);
        return;
    }
    if (p.what == MULTI && s->in_transaction) {
        note_gap(s, s->at);
        return;
    }
    if (p.what == EXEC && !s->in_transaction) {
        aof_take_back(s, s->run_units, s->run); /* one of them was the MULTI */
        note_gap(s, p.end);
        return;
    }
    if (p.what == TIME) {
        s->time_s = p.seconds;
    }
    if (p.what == TIME && !s->in_transaction) {
        begin_run(s, p.end);
    } else if (p.what == MULTI) {
        s->in_transaction = true;
    } else if (p.what == EXEC) {
        s->in_transaction = false;
        note_unit(s, s->good, p.end);
        begin_run(s, p.end);
    } else if (p.what == COMMAND && !s->in_transaction) {
        note_unit(s, s->at, p.end);
        s->run_units++;
    }
    s->at = p.end;
}

bool aof_scan(int fd, struct aof_scan *out)
{
    struct stat st;
    memset(out, 0, sizeof(*out));
    if (fstat(fd, &st) != 0) {
        return false;
    }
    struct state s = {.out = out, .r = {.fd = fd, .size = (uint64_t)st.st_size, .window = mem_alloc(WINDOW)}};
    out->size = s.r.size;
    while (s.at < s.r.size) {
        step(&s);
    }
    if (s.good < s.r.size && !s.r.error) {
        note_gap(&s, s.r.size); /* a transaction without its end */
    }
    free(s.r.window);
    errno = s.r.error;
    return !s.r.error;
}

bool aof_is_torn(const struct aof_scan *s)
{
    return s->gaps == 1 && s->gap[0].to == s->size;
}
