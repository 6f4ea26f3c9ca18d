"""What an event costs in the index of filters, however many listeners and words there are."""

import subprocess

from tools import build_program

POSTS = 20_000
# Listeners, and the words that they look for between them.
CASES = [(100, 1_000), (10_000, 100_000), (1_000, 100_000), (10_000, 10_000)]


def measure(table, options):
    """Processor time, so that other work on the machine does not count; the best of some rounds."""
    program = build_program("match")
    for listeners, words in CASES:
        runs = [subprocess.run([program, str(listeners), str(words), str(POSTS)], capture_output=True, text=True, check=True)
                for _ in range(options.rounds + 2)]
        reading, finding, looked, wanted, memory = min(([float(word) for word in run.stdout.split()] for run in runs),
                                                       key=lambda row: row[1])
        table.add(f"a post past {listeners:,} filters with {words:,} words",
                  f"{finding:.1f} us of processor time to find the {wanted:.2f} who want it, after {looked:.2f} rules; {reading:.1f} us "
                  f"to take it apart, once; {memory:,.0f} bytes a filter")
