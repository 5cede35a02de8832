#!/usr/bin/env python3
"""A few of the cases of tests/durability: calls fail, disks are full, processes are
killed."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.execv(sys.executable, [sys.executable, os.path.join(
    HERE, '..', 'durability', 'durability.py'), '--core'] + sys.argv[1:])
