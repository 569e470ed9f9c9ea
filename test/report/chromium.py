"""Headless Chromium, if it is installed: nothing of it is kept, nothing goes over the network."""
import os
import shutil
import subprocess
import tempfile

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = "Chromium is not installed (Debian: apt-get install chromium)"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-default-apps", "--no-first-run", "--proxy-server=127.0.0.1:9", "--hide-scrollbars"]


def run(page, *flags):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
        return subprocess.run([CHROMIUM, *FLAGS, "--user-data-dir=" + folder, *flags, page if page.startswith("data:") else "file://" + page],
                              check=True, capture_output=True, timeout=60, env=environment).stdout.decode()


def dom(page, dark=False):
    """The page as it is after its scripts have run."""
    return run(page, "--virtual-time-budget=4000", *(["--blink-settings=preferredColorScheme=0"] if dark else []), "--dump-dom")


def screenshot(page, out, size="1180,2400", dark=False):
    run(page, "--window-size=" + size, "--virtual-time-budget=4000", *(["--blink-settings=preferredColorScheme=0"] if dark else []), "--screenshot=" + out)
