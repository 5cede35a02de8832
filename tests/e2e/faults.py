#!/usr/bin/env python3
"""Those faults of tests/faults that are looked at with every change."""

# BEGUN FIRST
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.execv(sys.executable, [sys.executable, os.path.join(
    HERE, '..', 'faults', 'faults.py'), '--core'] + sys.argv[1:])
