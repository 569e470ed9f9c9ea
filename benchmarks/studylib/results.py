"""The raw results: a CSV to which rows are only ever added, so that an interrupted study goes on where it stopped."""

import csv
import os
import threading

FIELDS = ["case", "plan", "round", "region", "version", "placement", "launches", "counted", "kernels", "median_ms", "min_ms",
          "max_ms", "first50_ms", "all_ms", "timer", "wall_ms", "wall_min_ms", "process_s", "profile_ms", "solve_ms",
          "predicted_ms", "trial_ms", "dispatch_us", "settled", "extra_ms", "memory_mb", "compile_s", "program_bytes",
          "device_bytes", "note", "checksum", "error", "verdict", "size", "gpu", "driver", "host", "versions", "date",
          "command"]
CONFIRMED = 100  # rounds beyond this one are of the confirming pass
TOTAL = "*"  # the region of a row about all regions; the last row of each run


class Results:
    """Thread-safe: one writer at a time. retry: runs that did not pass are forgotten, so that they are run again."""

    def __init__(self, path, retry=False):
        self.path, self.lock = path, threading.Lock()
        self.rows = read_rows(path) if os.path.exists(path) else []
        if retry:
            failed = {(r["case"], r["plan"], r["round"]) for r in self.rows if r["verdict"] != "PASS"}
            self.rows = [r for r in self.rows if (r["case"], r["plan"], r["round"]) not in failed]
        self.done = {(r["case"], r["plan"], r["round"]) for r in self.rows if r["region"] == TOTAL}
        self.begin()

    def begin(self):
        """Head and complete rows: new rows must not follow upon half a row."""
        with open(self.path + ".new", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(self.rows)
        os.replace(self.path + ".new", self.path)

    def has(self, case, plan, turn):
        return (case, plan, str(turn)) in self.done

    def add(self, rows):
        with self.lock, open(self.path, "a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            for row in rows:
                row = {field: str(row.get(field, "")) for field in FIELDS}
                writer.writerow(row)
                self.rows.append(row)
                if row["region"] == TOTAL:
                    self.done.add((row["case"], row["plan"], row["round"]))
            file.flush()
            os.fsync(file.fileno())


def is_confirmed(row):
    return int(row["round"]) > CONFIRMED


def read_rows(path):
    """Complete rows only: what a killed run left half-written is dropped, and so are regions whose total is missing. Fields
    that an older study did not have are empty."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if None not in row.values() and None not in row]
    rows = [{field: row.get(field, "") for field in FIELDS} for row in rows]
    whole = {(r["case"], r["plan"], r["round"]) for r in rows if r["region"] == TOTAL}
    return [r for r in rows if (r["case"], r["plan"], r["round"]) in whole]
