"""Four baselines for missed appointments: python3 baseline.py appointments.csv"""
import csv
import sys

with open(sys.argv[1], newline="") as table:
    rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(table)]

# The file is in order of time: learn from the first 1,500, judge on the last 500.
past, later = rows[:1500], rows[1500:]

rules = {
    "no one misses": lambda row: 0,
    "call everyone": lambda row: 1,
    "missed before": lambda row: int(row["missed_before"] >= 1),
    "missed before, or 21 days ahead": lambda row: int(row["missed_before"] >= 1 or row["days_ahead"] >= 21),
}

share = sum(row["no_show"] for row in past) / len(past)
print(f"missed in the past: {share:.1%}")
for name, rule in rules.items():
    flagged = [row for row in later if rule(row)]
    caught = sum(row["no_show"] for row in flagged)
    missed = sum(row["no_show"] for row in later) - caught
    right = sum(rule(row) == row["no_show"] for row in later) / len(later)
    # A call costs $3; an empty chair costs $80. A call saves one appointment in two.
    cost = 3 * len(flagged) + 80 * (missed + caught / 2)
    print(f"{name:34} accuracy {right:.1%}  calls {len(flagged):3}  caught {caught:2} of {caught + missed}  cost ${cost:,.0f}")
