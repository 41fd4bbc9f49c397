"""Writes figures.json, with python3-scipy of Debian: python3 figures.py > figures.json"""

import json
import random
import sys

import numpy
import scipy
from scipy import stats


def midp(b, c):
    """The mid-p value of Fagerland, Lydersen and Laake (2013)."""
    n, least = b + c, min(b, c)
    if n == 0:
        return 1.0
    if b == c:
        return float(1 - stats.binom.pmf(least, n, 0.5) / 2)
    return float(2 * stats.binom.cdf(least, n, 0.5) - stats.binom.pmf(least, n, 0.5))


random.seed(1)
out = {"scipy": scipy.__version__, "wilson": [], "mcnemar": [], "phi": [], "effective": []}
for n in (1, 5, 29, 40, 148, 263, 1000):
    for right in sorted({0, 1, n // 3, n // 2, n - 1, n}):
        ci = stats.binomtest(right, n).proportion_ci(0.95, "wilson")
        out["wilson"].append([right, n, float(ci.low), float(ci.high)])
for b, c in [(0, 0), (1, 7), (6, 4), (5, 0), (9, 1), (15, 5), (8, 2), (3, 3), (50, 70), (200, 260), (0, 1)]:
    out["mcnemar"].append([b, c, midp(b, c)])
for n in (10, 20, 40, 200):
    a = [random.random() < 0.4 for _ in range(n)]
    b = [x if random.random() < 0.6 else not x for x in a]
    out["phi"].append({"a": a, "b": b, "phi": float(numpy.corrcoef(a, b)[0, 1])})
for k, n in [(3, 40), (5, 25), (7, 200)]:
    truth = numpy.random.default_rng(k).random(n) < 0.35  # questions that are hard for all
    seats = [[bool(x) for x in truth ^ (numpy.random.default_rng(10 * k + i).random(n) < 0.2)] for i in range(k)]
    pairs = numpy.corrcoef(seats)[numpy.triu_indices(k, 1)]
    variance = numpy.cov((numpy.array(seats, float).T / numpy.std(seats, axis=1, ddof=1)).T).mean()
    out["effective"].append({"errors": seats, "rho": float(pairs.mean()), "effective": float(1 / variance)})
json.dump(out, sys.stdout)
print()
