"""Certificates for tests, made by openssl."""

import ipaddress
import os
import subprocess


def _alternative(name):
    """As certificates name a host or an address."""
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def make_certificate(directory, name, days=2):
    """A certificate for a host or an address, which is its own authority, and its key; as paths."""
    paths = os.path.join(directory, f"{name}.pem"), os.path.join(directory, f"{name}.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    str(days), "-subj", f"/CN={name}", "-addext", f"subjectAltName={_alternative(name)}", "-keyout", paths[1], "-out",
                    paths[0]], check=True, capture_output=True)
    return paths
