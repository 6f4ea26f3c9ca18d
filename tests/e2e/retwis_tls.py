"""Certificates for tests, made by openssl."""

import os
import subprocess


def make_certificate(directory, name, days=2):
    """A certificate for a host, which is its own authority, and its key; as paths."""
    paths = os.path.join(directory, f"{name}.pem"), os.path.join(directory, f"{name}.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    str(days), "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", paths[1], "-out",
                    paths[0]], check=True, capture_output=True)
    return paths
