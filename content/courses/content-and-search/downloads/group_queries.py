"""Groups queries that share results: python3 group_queries.py results.csv 4"""
import csv
import sys
from itertools import combinations

file, least = sys.argv[1], int(sys.argv[2])
results = {}
with open(file, newline="", encoding="utf-8") as table:
    for row in csv.DictReader(table):
        results.setdefault(row["query"], set()).add(row["url"])

# Every query starts as its own group. Two groups that share enough results become one.
group = {query: query for query in results}
for a, b in combinations(results, 2):
    shared = len(results[a] & results[b])
    if shared >= least:
        print(f"{shared:2} shared  {a} | {b}")
        old, new = group[b], group[a]
        group = {query: new if g == old else g for query, g in group.items()}

print()
for name in dict.fromkeys(group.values()):
    print("Page:", ", ".join(query for query, g in group.items() if g == name))
