"""What a trip costs: python3 trip.py"""

distance_km = float(input("Distance in km: "))
liters_per_100_km = float(input("Liters per 100 km: "))
price_per_liter = float(input("Price per liter: "))
people = int(input("People in the car: "))

fuel_liters = distance_km * liters_per_100_km / 100
cost = fuel_liters * price_per_liter
share = cost / people

print()
print(f"Fuel:  {fuel_liters:8.1f} liters")
print(f"Cost:  {cost:8.2f}")
print(f"Each:  {share:8.2f}")
