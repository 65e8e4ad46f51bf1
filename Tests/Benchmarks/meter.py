"""Counts the packets that enter the switch, whose network namespace it runs in. For each line that it
reads it writes the counts so far: of TCP, and of everything else."""

import json
import socket
import sys
import threading

ALL_PROTOCOLS = 3
IPV4, IPV6, TCP = 0x0800, 0x86DD, 6
RECEIVE_BUFFER = 64 << 20
SO_RCVBUFFORCE = 33
LONGEST = 1 << 17

counts = {"bytes": 0, "packets": 0, "other_bytes": 0, "other_packets": 0}


def is_tcp(packet, kind):
    if kind == IPV4:
        return packet[23] == TCP
    return kind == IPV6 and packet[20] == TCP


def count():
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as tap:
        tap.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
        packet = bytearray(LONGEST)
        while True:
            length, (port, kind, direction, *_) = tap.recvfrom_into(packet)
            # What a host sends comes in at its port; the switch's own copies go out.
            if direction == socket.PACKET_OUTGOING or not port.startswith("port-"):
                continue
            name = "" if is_tcp(packet, kind) else "other_"
            counts[name + "packets"] += 1
            counts[name + "bytes"] += length


threading.Thread(target=count, daemon=True).start()
for _ in sys.stdin:
    print(json.dumps(counts), flush=True)
