"""What the same machine does without peersync, measured in the same run."""

import os
import pathlib
import resource
import shutil
import socket
import sqlite3
import ssl
import statistics
import subprocess
import sys
import time

from hosts import FOLDER, LAN, until

ROUND_TRIPS = 300
PORT = 8730


def fsync_seconds(times=100):
    """Median time of writing 4 KiB and waiting until they are on the disk."""
    taken = []
    with open(FOLDER / "fsync", "wb") as file:
        for _ in range(times):
            start = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def verifications_per_second():
    """Ed25519 signatures that one core verifies, by OpenSSL."""
    words = ["openssl", "speed", "-seconds", "1", "ed25519"]
    result = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(result.stdout.split()[-1])


def sqlite_rows_per_second(rows=50_000, per_batch=250):
    """Rows as large as a purchase's, with an index by random ids, durable batch by batch."""
    path = FOLDER / "plain.sqlite"
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE record (id INTEGER PRIMARY KEY, record BLOB UNIQUE, body BLOB)")
    content = [(os.urandom(16), os.urandom(280)) for _ in range(rows)]
    start = time.monotonic()
    for first in range(0, rows, per_batch):
        database.execute("BEGIN")
        database.executemany(
            "INSERT INTO record (record, body) VALUES (?, ?)", content[first:first + per_batch])
        database.execute("COMMIT")
    seconds = time.monotonic() - start
    database.close()
    path.unlink()
    return rows / seconds


def on(host, *words, **options):
    return subprocess.Popen([LAN, "exec", host.name, "--", *words], **options)


def tls_seconds(hosts):
    """Median time of 64 bytes there and back over TLS 1.3 between the two hosts."""
    key, certificate = FOLDER / "tls.key", FOLDER / "tls.crt"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=measured",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, stderr=subprocess.DEVNULL)
    words = [sys.executable, str(pathlib.Path(__file__))]
    server = on(
        hosts.ben, *words, "serve", str(certificate), str(key), stdout=subprocess.PIPE)
    server.stdout.readline()
    client = on(hosts.anna, *words, "ask", hosts.ben.address(), stdout=subprocess.PIPE)
    answer = client.communicate()[0]
    server.wait(10)
    return float(answer)


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("", PORT)) as server:
        print("ready", flush=True)
        with context.wrap_socket(server.accept()[0], server_side=True) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while message := connection.recv(64):
                connection.sendall(message)


def ask(address):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    taken = []
    with socket.create_connection((address, PORT)) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with context.wrap_socket(plain) as connection:
            for _ in range(ROUND_TRIPS):
                start = time.perf_counter()
                connection.sendall(b"x" * 64)
                connection.recv(64)
                taken.append(time.perf_counter() - start)
    print(statistics.median(taken))


def rsync(hosts, source):
    """Copies a folder from Anna's host to Ben's with rsync as a daemon, without encryption, every file
    synced to the disk. Seconds and CPU seconds of both ends; nothing when it is not installed."""
    if not shutil.which("rsync"):
        print("SKIPPED: rsync is not installed (apt-get install rsync)", file=sys.stderr)
        return None
    target = FOLDER / "copied"
    target.mkdir()
    configuration = FOLDER / "rsyncd.conf"
    configuration.write_text(
        f"use chroot = no\nuid = {os.getuid()}\ngid = {os.getgid()}\n"
        f"[data]\npath = {target}\nread only = no\n")
    before = cpu_of_children()
    daemon = on(
        hosts.ben, "rsync", "--daemon", "--no-detach", f"--config={configuration}",
        f"--port={PORT}", stdin=subprocess.DEVNULL)
    url = f"rsync://{hosts.ben.address()}:{PORT}/data/"
    until("rsync listens", lambda: on(
        hosts.anna, "rsync", url, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).wait() == 0)
    start = time.monotonic()
    code = on(hosts.anna, "rsync", "-r", "--whole-file", "--fsync", f"{source}/", url).wait()
    seconds = time.monotonic() - start
    daemon.terminate()
    daemon.wait(10)
    shutil.rmtree(target)
    if code != 0:
        raise SystemExit(f"rsync ends with {code}")
    return seconds, cpu_of_children() - before


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def copy_seconds(source):
    """cp and sync of a folder on this one machine."""
    target = FOLDER / "copied"
    start = time.monotonic()
    subprocess.run(["cp", "-r", str(source), str(target)], check=True)
    subprocess.run(["sync", "-f", str(target)], check=True)
    seconds = time.monotonic() - start
    shutil.rmtree(target)
    return seconds


if __name__ == "__main__":
    {"serve": serve, "ask": ask}[sys.argv[1]](*sys.argv[2:])
