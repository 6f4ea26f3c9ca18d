"""Circles of files: tests/lint/run prints them.

A node is a file with its header (x.c and x.h are one), an edge an #include of the other's header. Files of a circle cannot be read,
tested or replaced one by one. Of two files that need each other, the lower one gets a function pointer, or what both need
becomes a third.
"""

import re

def edges(paths):
    """What includes what: {node: {node}}."""
    found = {}
    for path in paths:
        node = str(path.with_suffix("").relative_to("src"))
        names = re.findall(r'^\s*#\s*include\s*"([^"]+)\.h"', path.read_text(), re.MULTILINE)
        found.setdefault(node, set()).update(n for n in names if n != node)
    return found


def reach(graph, start):
    """All nodes that can be come to from start, each with the node before it on a shortest way."""
    before, row = {}, [start]
    while row:
        row, last = [], row
        for node in last:
            for other in sorted(graph.get(node, ())):
                if other not in before:
                    before[other] = node
                    row.append(other)
    return before


def circles(graph):
    """Groups of files of which each comes back to itself by way of the others, sorted."""
    reached = {node: reach(graph, node) for node in graph}
    return sorted({tuple(sorted(b for b in reached[a] if a in reached.get(b, ()))) for a in graph if a in reached[a]})


def way(graph, group):
    """The shortest circle within a group: "a -> b -> a"."""
    ways = []
    for node in group:
        before, steps = reach(graph, node), [node]
        steps.append(before[node])
        while steps[-1] != node:
            steps.append(before[steps[-1]])
        ways.append(steps[::-1])
    return " -> ".join(min(ways, key=len))


def check(paths):
    """One line for each circle."""
    graph = edges(paths)
    found = circles(graph)
    return [f"circle of files: {way(graph, c)} (all of it: {', '.join(c)})" for c in found]
