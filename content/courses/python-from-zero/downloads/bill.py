"""Splits a bill, in whole cents: python3 bill.py"""

bill = round(float(input("Bill: ")) * 100)
tip_percent = float(input("Tip in percent: "))
people = int(input("People: "))

total = bill + round(bill * tip_percent / 100)
share = total // people
left_over = total % people

print(f"Total:     {total / 100:.2f}")
print(f"Each pays: {share / 100:.2f}")
if left_over:
    print(f"People who pay one cent more: {left_over}")
