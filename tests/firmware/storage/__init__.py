"""Tests of storage, also on failing disks."""
