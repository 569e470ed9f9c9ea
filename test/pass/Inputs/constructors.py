"""constructors.py OBJECT: how many constructors of its own priority an object has."""
import subprocess
import sys

sections = subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True, check=True).stdout
print("constructors:", sum(" .init_array." in line for line in sections.splitlines()))
