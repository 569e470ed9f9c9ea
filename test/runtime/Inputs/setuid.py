"""Runs a setuid program as another user, with settings that name files in a folder that both may write to: setuid.py CLANG RUNTIME.

The same program without that bit shows that the settings would make these files."""
import os
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
clang, runtime = sys.argv[1], sys.argv[2]
OTHER = 65534


def become_other():
    os.setgroups([])
    os.setgid(OTHER)
    os.setuid(OTHER)


def run(folder, app):
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    os.mkdir(os.path.join(out, "cases"))
    for name in (out, os.path.join(out, "cases")):
        os.chmod(name, 0o777)
    settings = {"PLACE_REPORT": out + "/report.json", "PLACE_CASE": out + "/cases", "PLACE_STORE": out + "/store.sqlite",
                "PLACE_PATIENCE": "0", "PLACE_TRIALS": "many", "PLACE_REPROT": "1", "HOME": out, "XDG_CACHE_HOME": out}
    done = subprocess.run([app], env=settings, cwd=out, preexec_fn=become_other, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "right" in done.stdout, done
    return done.stderr, sorted(os.path.relpath(os.path.join(at, f), out) for at, _, files in os.walk(out) for f in files)


with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
    os.chmod(folder, 0o755)
    library, app = os.path.join(folder, "libplacert.so"), os.path.join(folder, "app")
    names = subprocess.check_output(["readelf", "-d", runtime], text=True).split("SONAME")
    shutil.copy(runtime, library)
    if len(names) > 1:
        soname = names[1].split("[")[1].split("]")[0]
        if soname != "libplacert.so":
            shutil.copy(runtime, os.path.join(folder, soname))
    subprocess.check_call([sys.executable, os.path.join(here, "handmade.py"), clang, app, "-Wl,--no-as-needed", library,
                           "-Wl,-rpath," + folder])
    said, files = run(folder, app)
    assert "PLACE_TRIALS" in said and "report.json" in files, (said, files)
    assert any(f.startswith("cases/") for f in files), files
    os.chown(app, 0, 0)
    os.chmod(app, 0o4755)
    said, files = run(folder, app)
    assert "place:" not in said, said
    assert not files, files
