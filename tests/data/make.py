#!/usr/bin/env python3
"""Writes the FCLIB files beside it: a ball and a rod of 3 + 3 unknowns that touch the ground and each other."""
import pathlib
import h5py, numpy as np

M = np.zeros((6, 6))
M[:3, :3] = np.diag([2.0, 2.0, 4.0])
M[3:, 3:] = [[5.0, 0.5, 0.0], [0.25, 3.0, -1.0], [0.0, 0.5, 8.0]]  # not symmetric: that is allowed
H = np.zeros((6, 9))
H[:3, 0:3] = [[0, 1, 0], [0, 0, 1], [1, 0, 0.0]]  # the ball on the ground
H[3:, 3:6] = [[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1.0]]  # the rod against a wall
H[:3, 6:9] = [[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]]  # the ball against the rod
H[3:, 6:9] = -H[:3, 6:9]
f = np.array([0.5, -0.25, -2.0, 1.5, 0.75, -3.0])
w = np.array([0.0, 0.1, 0.0, -0.125, 0.0, 0.0, -0.0625, 0.0, 0.05])
mu = np.array([0.3, 0.55, 0.0])
W = H.T @ np.linalg.solve(M, H)
q = H.T @ np.linalg.solve(M, f) + w


def compressed(A):
    """Row starts, columns and values."""
    rows = [np.nonzero(row)[0] for row in A]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return starts, np.concatenate(rows), np.concatenate([A[k, row] for k, row in enumerate(rows)])


def write(path, form, matrices, vectors, libver, **storage):
    with h5py.File(pathlib.Path(__file__).with_name(path), "w", libver=libver) as file:
        group = file.create_group(form)
        group.create_dataset("spacedim", data=np.array([3], "i4"))
        for name, (A, kind) in matrices.items():
            if kind == "rows":
                nz, (p, i, x) = -2, compressed(A)
            elif kind == "columns":
                nz, (p, i, x) = -1, compressed(A.T)
            else:
                i, p = np.nonzero(A)
                nz, x = len(i), A[i, p]
            one = group.create_group(name)
            for key, value in (("nzmax", len(x)), ("m", A.shape[0]), ("n", A.shape[1]), ("nz", nz)):
                one.create_dataset(key, data=np.array([value], "i4"))
            one.create_dataset("p", data=p.astype("i4"))
            one.create_dataset("i", data=i.astype("i4"), **storage)
            one.create_dataset("x", data=x, **storage)
        for name, value in vectors.items():
            group.create_dataset(f"vectors/{name}", data=value)


local, whole = {"q": q, "mu": mu}, {"f": f, "w": w, "mu": mu}
write("local.hdf5", "fclib_local", {"W": (W, "rows")}, local, "earliest")
write("local_gzip.hdf5", "fclib_local", {"W": (W, "columns")}, local, "earliest",
      chunks=(8,), maxshape=(None,), compression="gzip", shuffle=True)
write("global.hdf5", "fclib_global", {"M": (M, "triplets"), "H": (H, "triplets")}, whole, "earliest")
write("global_latest.hdf5", "fclib_global", {"M": (M, "columns"), "H": (H, "rows")}, whole, "latest")
