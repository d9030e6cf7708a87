"""Bias and variance of polynomials, measured on 200 training sets: python3 bias_variance.py (needs numpy)"""
import numpy as np

rng = np.random.default_rng(7)
truth = lambda x: np.sin(2 * np.pi * x)
noise = 0.3
x_test = np.linspace(0.05, 0.95, 50)

print("degree   bias^2  variance   noise     sum   measured error   training error")
for degree in (0, 1, 3, 5, 9, 15):
    predictions, errors, training = [], [], []
    for _ in range(200):
        x = np.linspace(0, 1, 20)
        y = truth(x) + rng.normal(0, noise, 20)
        model = np.polynomial.Polynomial.fit(x, y, degree, domain=[0, 1])
        predictions.append(model(x_test))
        y_new = truth(x_test) + rng.normal(0, noise, x_test.size)
        errors.append(np.mean((model(x_test) - y_new) ** 2))
        training.append(np.mean((model(x) - y) ** 2))
    predictions = np.array(predictions)
    bias2 = np.mean((predictions.mean(axis=0) - truth(x_test)) ** 2)
    variance = np.mean(predictions.var(axis=0))
    total = bias2 + variance + noise**2
    print(f"{degree:6} {bias2:8.3f} {variance:9.3f} {noise**2:7.3f} {total:7.3f} {np.mean(errors):16.3f} {np.mean(training):16.3f}")
