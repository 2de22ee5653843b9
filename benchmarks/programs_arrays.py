"""Array programs whose derivatives' cost is measured: each a plain NumPy function, written from its definition.

gmm, d_lstm and bundle adjustment are objectives of the ADBench suite (Srajer, Kukelova, Fitzgibbon 2018); k-means by Newton's
method stands in Schenck et al., "AD for an array language with nested parallelism" (2022).
"""
from __future__ import annotations

import numpy as np

import s2s

# ---- Gaussian mixture with a Wishart prior -----------------------------------------------------------------------------


def log_sum_exp_rows(a):
    """log(sum(exp(a), axis=1)), safely."""
    top = np.max(a, axis=1)
    return top + np.log(np.sum(np.exp(a - top[:, None]), axis=1))


def gmm(alphas, means, icf, x, gamma, m):
    """Log-posterior. alphas (K,), means (K, d), icf (K, d + d (d - 1) / 2): logarithms of the diagonal, then the columns below it."""
    n, d = x.shape
    k_components = alphas.shape[0]
    diagonal = np.exp(icf[:, :d])
    sums = np.sum(icf[:, :d], axis=1)
    inner = np.empty((n, k_components))
    lower = np.zeros((d, d))
    for k in range(k_components):
        place = d
        for j in range(d):
            lower[j, j] = diagonal[k, j]
            for i in range(j + 1, d):
                lower[i, j] = icf[k, place]
                place += 1
        centred = x - means[k]
        scaled = centred @ lower.T
        inner[:, k] = alphas[k] + sums[k] - 0.5 * np.sum(scaled * scaled, axis=1)
    top = np.max(alphas)
    normaliser = n * (top + np.log(np.sum(np.exp(alphas - top))))
    prior = 0.5 * gamma * gamma * (np.sum(diagonal * diagonal) + np.sum(icf[:, d:] ** 2)) - m * np.sum(sums)
    return np.sum(log_sum_exp_rows(inner)) - normaliser + prior


# ---- LSTM ----------------------------------------------------------------------------------------------------------------


def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def d_lstm(main, extra, state, sequence):
    """Diagonal LSTM that predicts the next character. main (layers, 2, 4, b), extra (3, b), state (layers, 2, b), sequence (T, b)."""
    layers = main.shape[0]
    steps, width = sequence.shape
    hidden = state[:, 0].copy()
    cell = state[:, 1].copy()
    total = 0.0
    for t in range(steps - 1):
        x = sequence[t] * extra[0]
        for layer in range(layers):
            weight, bias = main[layer, 0], main[layer, 1]
            forget = sigmoid(x * weight[0] + bias[0])
            ingate = sigmoid(hidden[layer] * weight[1] + bias[1])
            outgate = sigmoid(x * weight[2] + bias[2])
            change = np.tanh(hidden[layer] * weight[3] + bias[3])
            cell[layer] = cell[layer] * forget + ingate * change
            hidden[layer] = outgate * np.tanh(cell[layer])
            x = hidden[layer]
        guess = x * extra[1] + extra[2]
        guess = guess - np.log(2.0 + np.sum(np.exp(guess)))
        total += np.sum(sequence[t + 1] * guess)
    return -total / ((steps - 1) * width)


def lstm(weights_x, weights_h, bias, out, sequence):
    """Two full LSTM layers in a batch. weights_x, weights_h (layers, h, 4 h), bias (layers, 4 h), out (h, h), sequence (T, batch, h)."""
    layers, h, _ = weights_h.shape
    steps, batch, _ = sequence.shape
    hidden = np.zeros((layers, batch, h))
    cell = np.zeros((layers, batch, h))
    total = 0.0
    for t in range(steps - 1):
        x = sequence[t]
        for layer in range(layers):
            gates = x @ weights_x[layer] + hidden[layer] @ weights_h[layer] + bias[layer]
            forget = sigmoid(gates[:, :h])
            ingate = sigmoid(gates[:, h:2 * h])
            outgate = sigmoid(gates[:, 2 * h:3 * h])
            change = np.tanh(gates[:, 3 * h:])
            cell[layer] = cell[layer] * forget + ingate * change
            hidden[layer] = outgate * np.tanh(cell[layer])
            x = hidden[layer]
        miss = x @ out - sequence[t + 1]
        total += np.sum(miss * miss)
    return total


# ---- bundle adjustment -----------------------------------------------------------------------------------------------------


def reprojection(camera, point, weight, feature):
    """The error of one observation, two numbers. camera: rotation vector 3, centre 3, focal length, principal point 2, distortion 2."""
    rx, ry, rz = camera[0], camera[1], camera[2]
    px, py, pz = point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]
    square = rx * rx + ry * ry + rz * rz
    if square > 0.0:
        angle = np.sqrt(square)
        c, s = np.cos(angle), np.sin(angle)
        wx, wy, wz = rx / angle, ry / angle, rz / angle
        along = (wx * px + wy * py + wz * pz) * (1.0 - c)
        qx = px * c + (wy * pz - wz * py) * s + wx * along
        qy = py * c + (wz * px - wx * pz) * s + wy * along
        qz = pz * c + (wx * py - wy * px) * s + wz * along
    else:
        qx = px + ry * pz - rz * py
        qy = py + rz * px - rx * pz
        qz = pz + rx * py - ry * px
    u, v = qx / qz, qy / qz
    radius = u * u + v * v
    stretch = (1.0 + camera[9] * radius + camera[10] * radius * radius) * camera[6]
    return weight * (u * stretch + camera[7] - feature[0]), weight * (v * stretch + camera[8] - feature[1])


def residuals(cameras, points, weights, seen, features):
    """Errors of all observations (p, 2), and of the weights (p,). seen (p, 2): numbers of camera and point."""
    count = seen.shape[0]
    errors = np.empty((count, 2))
    for i in range(count):
        u, v = reprojection(cameras[seen[i, 0]], points[seen[i, 1]], weights[i], features[i])
        errors[i, 0] = u
        errors[i, 1] = v
    return errors, 1.0 - weights * weights


def residuals_jacobian(cameras, points, weights, seen, features):
    """The Jacobian of every observation's error, (p, 2, 15), and of the weights' errors, (p,)."""
    count = seen.shape[0]
    rows = np.empty((count, 2, 15))
    for i in range(count):
        for k in range(2):
            one = s2s.grad(lambda c, p, w, f, k: reprojection(c, p, w, f)[k], argnums=(0, 1, 2))
            camera, point, weight = one(cameras[seen[i, 0]], points[seen[i, 1]], weights[i], features[i], k)
            rows[i, k, :11] = camera
            rows[i, k, 11:14] = point
            rows[i, k, 14] = weight
    return rows, -2.0 * weights


# ---- least squares, log-sum-exp, k-means -------------------------------------------------------------------------------------


def llsq(x, a, b):
    """Linear least squares."""
    miss = a @ x - b
    return 0.5 * np.sum(miss * miss)


def logistic(w, x, y):
    """Cross entropy of a logistic regression."""
    z = x @ w
    return np.mean(np.log(1.0 + np.exp(-z)) + (1.0 - y) * z)


def log_sum_exp(x):
    """log(sum(exp(x))), safely."""
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def kmeans(centres, points):
    """The sum of squared distances of points to the centre nearest to each."""
    differences = points[:, None, :] - centres[None, :, :]
    nearest = np.argmin(np.sum(differences * differences, axis=2), axis=1)
    away = points - centres[nearest]
    return np.sum(away * away)


def kmeans_min(centres, points):
    """The same as the sum of smallest squared distances."""
    differences = points[:, None, :] - centres[None, :, :]
    return np.sum(np.min(np.sum(differences * differences, axis=2), axis=1))


def kmeans_direction(centres, points):
    """Newton's step: gradient over the Hessian's diagonal, which is what the Hessian makes of ones (it is diagonal)."""
    slope, curvature = s2s.jvp(lambda c: s2s.grad(kmeans)(c, points), (centres,), (np.ones_like(centres),))
    return slope / curvature


def kmeans_min_direction(centres, points):
    """The same of `kmeans_min`."""
    slope, curvature = s2s.jvp(lambda c: s2s.grad(kmeans_min)(c, points), (centres,), (np.ones_like(centres),))
    return slope / curvature
