"""constructors.py OBJECT: how many constructors of its own priority an object has, and the bytes of a program's table of them."""
import subprocess
import sys

sections = subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True, check=True).stdout
print("constructors:", sum(" .init_array." in line for line in sections.splitlines()))
for line in sections.splitlines():
    words = line.split("]")[-1].split()
    if words[:1] == [".init_array"]:
        print("bytes of .init_array:", int(words[4], 16))
