#!/usr/bin/env python3
"""bridge.py SOCKET: lets programs that know only TCP talk to a unix socket.

Listens on a free port of 127.0.0.1 and prints it; copies bytes both ways until it is killed.
"""
import asyncio
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def main(path):
    async def serve(reader, writer):
        try:
            inner_reader, inner_writer = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main(sys.argv[1]))
