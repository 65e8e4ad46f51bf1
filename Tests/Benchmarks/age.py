"""The project's own age beside the age program: one large file, read from memory and not kept."""

import os
import subprocess
import time

import table
from hosts import FOLDER

PROGRAM = os.environ["BENCHMARK_AGE_FILE"]
MIB = 1024
TIMES = 3


def age():
    plain, key = FOLDER / "plain", FOLDER / "key"
    with open(plain, "wb") as file:
        for _ in range(MIB):
            file.write(os.urandom(1 << 20))
    subprocess.run(["age-keygen", "-o", key], check=True, stderr=subprocess.DEVNULL)
    recipient = output(["age-keygen", "-y", key]).strip()
    secret = key.read_text().splitlines()[-1]
    encrypted = FOLDER / "plain.age"
    with open(plain, "rb") as file, open(encrypted, "wb") as kept:
        subprocess.run([PROGRAM, "encrypt", recipient], stdin=file, stdout=kept, check=True)
    measure("encrypt", plain, [PROGRAM, "encrypt", recipient], ["age", "-r", recipient])
    measure("decrypt", encrypted, [PROGRAM, "decrypt", secret], ["age", "-d", "-i", key])
    plain.unlink()
    encrypted.unlink()


def output(words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def measure(what, source, ours, theirs):
    """Each program in turn, so that both meet the same other load; the fastest run of each."""
    taken = {"ours": [], "theirs": []}
    for _ in range(TIMES):
        for name, words in (("ours", ours), ("theirs", theirs)):
            with open(source, "rb") as file:
                start = time.perf_counter()
                subprocess.run(words, stdin=file, stdout=subprocess.DEVNULL, check=True)
                taken[name].append(time.perf_counter() - start)
    table.line("age", f"{what} {MIB} MiB", MIB / min(taken["ours"]), "MiB/s", "age",
               MIB / min(taken["theirs"]))
