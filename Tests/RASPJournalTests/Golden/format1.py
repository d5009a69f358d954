#!/usr/bin/env python3
"""Writes the golden files of format 1, from the description of the format and without the library.

format1-hand.rasp is what the library must write, byte for byte; format1-json.rasp, format1-notes.rasp,
format1-journal and format1-closed are what it must read.
Usage: format1.py FOLDER. The files are in the repository; a later format gets files of its own beside them.
"""
import json, os, struct, sys

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ 0x82F63B78 if byte & 1 else byte >> 1
    TABLE.append(byte)

def crc(data):
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder = remainder >> 8 ^ TABLE[(remainder ^ byte) & 0xFF]
    return remainder ^ 0xFFFFFFFF

def varint(number):
    out = b''
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])

def zigzag(number):
    return varint((number << 1 ^ number >> 63) & (1 << 64) - 1)

def text(string):
    return varint(len(string.encode())) + string.encode()

def record(body):
    return varint(len(body)) + body

def definition(number, role, name, version):
    return record(varint(0) + varint(number) + bytes([role]) + varint(version) + text(name))

SALT, WALL, IDENTITY = 0x5EED, 1_790_000_000_123_456_789, 42

def file(first, body, count, wall):
    head = b'\x89RASPJ\r\n' + struct.pack('<HHIQQQQIQ', 1, 2, SALT, first, WALL, IDENTITY, 0, 0, 0)
    head += struct.pack('<I', crc(head))
    def batch(body, count, first, link):
        before = struct.pack('<III', SALT, len(body), count)
        after = struct.pack('<QQII', first, wall, link, 0)
        checksum = crc(before + after + body)
        return before + struct.pack('<I', checksum) + after + body, checksum
    records, link = batch(body, count, first, struct.unpack('<I', head[60:])[0])
    seal, _ = batch(b'', 0, first + count, link)
    return head + records + seal

def recording(state_name, event_name, initial, events, state, encode_state, encode_event, notes=None):
    """The events have the numbers from 1, at 0, 1, 4, 9 … ms, and every second one has a cause.

    The notes are those of each event."""
    origin = WALL // 1000 - (len(events) - 1) ** 2 * 1000
    wall = max(WALL, origin * 1000)
    body = definition(1, 2, 'recording', 1) + record(varint(1) + zigzag(3) + zigzag(origin) + text('boat'))
    body += definition(2, 1, state_name, 1) + record(varint(2) + encode_state(initial))
    body += definition(3, 0, event_name, 1)
    time = wall // 1000
    for index, event in enumerate(events):
        now = origin + index ** 2 * 1000
        lane = 1 + index % 5 if index % 2 else 0
        cause = varint(lane | (0 if notes is None else 1 << 24)) + (zigzag(index + 1 - index * 7) if lane else b'')
        if notes is not None:
            cause += varint(len(notes)) + notes
        body += record(varint(3) + zigzag(now - time) + cause + encode_event(event))
        time = now
    body += record(varint(2) + encode_state(state))
    return file(1, body, len(events), wall)

def hand_state(state):
    return struct.pack('<q', state[0]) + varint(len(state[1])) + b''.join(map(text, state[1]))

def hand_event(event):
    return b'\x01' + text(event) if isinstance(event, str) else b'\x00' + struct.pack('<q', event)

def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).encode()

most = (1 << 63) - 1
hand = recording(
    'Total', 'TotalEvent', (7, ['zero']), [1, 'two', -3, 'four', most],
    # The sum overflows, as that of the library does.
    ((7 + 1 - 3 + most + (1 << 63)) % (1 << 64) - (1 << 63), ['zero', 'two', 'four']), hand_state, hand_event)
begin = {'aboard': [], 'crew': {}, 'events': 0}
crew = {'Ada': 1, 'Grace "G" ö': 2, 'Linus': 3}
end = {'aboard': ['Linus', 'Ada'], 'crew': crew, 'events': 4, 'heading': 359.5, 'latitude': 'Infinity', 'later': [1]}
readable = recording(
    'BoatState', 'BoatEvent', begin,
    [{'heading': {'_0': 359.5}}, {'position': {'latitude': 'Infinity', 'longitude': -0.0}}, {'silence': {}},
     {'crew': {'_0': crew, 'aboard': ['Ada', 'Linus']}}],
    end, as_json, as_json)
noted = recording(
    'Total', 'TotalEvent', (7, ['zero']), [1, 'two', -3, 'four', most],
    ((7 + 1 - 3 + most + (1 << 63)) % (1 << 64) - (1 << 63), ['zero', 'two', 'four']), hand_state, hand_event,
    notes=bytes(range(49)))
for name, content in (('hand', hand), ('json', readable), ('notes', noted)):
    with open(f'{sys.argv[1]}/format1-{name}.rasp', 'wb') as out:
        out.write(content)

def part(content, salt, first, batches, link=0):
    """A file of a journal: batches of (number of the first event, number of events, body).

    Returns its bytes and the checksum of its last batch with a body."""
    out = b'\x89RASPJ\r\n' + struct.pack('<HHIQQQQIQ', 1, content, salt, first, WALL, IDENTITY, 0, link, 0)
    link = crc(out)
    out += struct.pack('<I', link)
    for number, count, body in batches:
        before = struct.pack('<III', salt, len(body), count)
        after = struct.pack('<QQII', number, WALL, link, 0)
        checksum = crc(before + after + body)
        out += before + struct.pack('<I', checksum) + after + body
        link = checksum if body else link
    return out, link

def begin_of_segment():
    return (definition(1, 2, 'recording', 1) + record(varint(1) + zigzag(2) + zigzag(0) + text('Total'))
            + definition(2, 0, 'TotalEvent', 1))

def event(value, delta):
    return record(varint(2) + zigzag(delta) + varint(0) + hand_event(value))

# Two segments, of which the second was not ended: event 6 was being written. The snapshot is that behind event 3.
one, last = part(0, 0xA, 1, [(1, 3, begin_of_segment() + event(1, 0) + event('two', 5) + event(-3, 5)), (4, 0, b'')])
two, _ = part(0, 0xB, 4, [(4, 1, begin_of_segment() + event('four', 1000)), (5, 1, event(5, 2000)), (6, 1, event(6, 3000))],
              last)
state, _ = part(1, 0xC, 3, [(3, 0, definition(1, 1, 'Total', 1) + record(varint(1) + hand_state((-2, ['two'])))), (3, 0, b'')])
closed, _ = part(0, 0xB, 4, [(4, 1, begin_of_segment() + event('four', 1000)), (5, 1, event(5, 2000)), (6, 0, b'')], last)
for folder, files in (
        ('journal', (('1.events', one), ('3.state', state), ('4.events', two[:-7]))),
        # The same journal, which was closed behind event 5.
        ('closed', (('1.events', one), ('3.state', state), ('4.events', closed), ('5.closed', b'')))):
    folder = f'{sys.argv[1]}/format1-{folder}'
    os.makedirs(folder, exist_ok=True)
    for name, content in files:
        number, end = name.split('.')
        with open(f'{folder}/{number.zfill(20)}.{end}', 'wb') as out:
            out.write(content)
