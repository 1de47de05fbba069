#!/usr/bin/env python3
"""numbers.py [ROWS [NUMBERS]] - rows of LIBSVM's format in two classes: each has so many numbers, none of them 0."""
import random
import sys

rows, numbers = (int(word) for word in [*sys.argv[1:], *("3000", "200")[len(sys.argv) - 1:]])
drawn = random.Random(1)
for _ in range(rows):
    side = drawn.choice((-1, 1))
    print(side, *(f"{number}:{drawn.gauss(0.15 * side * (number <= 40), 1):.4f}" for number in range(1, numbers + 1)))
