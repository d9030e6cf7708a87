"""Three ways to find a value that occurs twice, counted and timed: python3 duplicates.py"""
import random
import time


def by_pairs(values):
    """Compares each value with each later one. Returns whether two are equal, and the number of steps."""
    steps = 0
    for i in range(len(values)):
        for j in range(i + 1, len(values)):
            steps += 1
            if values[i] == values[j]:
                return True, steps
    return False, steps


def by_sorting(values):
    """Sorts first: equal values are then neighbors. Counts only the comparisons of neighbors."""
    steps = 0
    ordered = sorted(values)
    for i in range(len(ordered) - 1):
        steps += 1
        if ordered[i] == ordered[i + 1]:
            return True, steps
    return False, steps


def by_set(values):
    """Remembers what it has seen."""
    steps = 0
    seen = set()
    for value in values:
        steps += 1
        if value in seen:
            return True, steps
        seen.add(value)
    return False, steps


def median_ms(function, values, runs=5):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function(values)
        times.append(time.perf_counter() - start)
    return sorted(times)[runs // 2] * 1000


if __name__ == "__main__":
    for n in (1000, 2000, 4000, 8000):
        values = random.sample(range(10 * n), n)  # no value occurs twice: the worst case
        for function in (by_pairs, by_sorting, by_set):
            _, steps = function(values)
            print(f"{n:6} {function.__name__:11} {steps:11,} steps {median_ms(function, values):9.2f} ms")
