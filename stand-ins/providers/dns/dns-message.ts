/** Record types (RFC 1035 §3.2.2, RFC 3596). */
const TYPES = { A: 1, MX: 15, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof TYPES;

/** `value`: an address, `priority host`, or a text. */
export type DnsRecord = { type: RecordType; name: string; value: string };

/** Types of the records that can be added. */
export const ADDED_TYPES = ['TXT', 'MX'] as const;

const IN = 1;
const TTL_SECONDS = 5;
const NAME_MAX_LENGTH = 253;

/** A question: lowercase name and type. `end` is the offset after it; other types are undefined. */
export type Question = { name: string; type: RecordType | undefined; end: number };

/** Parses the first question of a query. Returns undefined for anything else, such as a response. */
export function parseQuestion(query: Buffer): Question | undefined {
  if (query.length < 12 || (query[2] ?? 0) >= 0x80 || query.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    if (length > 63) return undefined;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  if (at + 5 > query.length || name.length > NAME_MAX_LENGTH) return undefined;
  const code = query.readUInt16BE(at + 1);
  const types = Object.keys(TYPES) as RecordType[];
  return { name, type: types.find((type) => TYPES[type] === code), end: at + 5 };
}

/** Writes the response to a query. `records` is undefined for a name that does not exist. */
export function writeResponse(query: Buffer, { end }: Question, records: DnsRecord[] | undefined): Buffer {
  const header = Buffer.from(query.subarray(0, end));
  // Authoritative answer, recursion desired and available; 3: no such name.
  header.writeUInt16BE(0x8580 | (records ? 0 : 3), 2);
  header.writeUInt16BE(records?.length ?? 0, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return Buffer.concat([header, ...(records ?? []).map(writeRecord)]);
}

function writeRecord(record: DnsRecord): Buffer {
  const data = writeData(record);
  const head = Buffer.alloc(12);
  // Pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TYPES[record.type], 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(TTL_SECONDS, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function writeData({ type, value }: DnsRecord): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  // Only the loopback address has a record.
  if (type === 'AAAA') return Buffer.from([...Array(15).fill(0), 1]);
  if (type === 'MX') {
    const [priority = '10', host = ''] = value.split(' ');
    const head = Buffer.alloc(2);
    head.writeUInt16BE(Number(priority), 0);
    return Buffer.concat([head, writeName(host)]);
  }
  // A text of more than 255 bytes is split (RFC 1035 §3.3.14).
  const text = Buffer.from(value, 'latin1');
  const parts: Buffer[] = [];
  for (let at = 0; at < Math.max(1, text.length); at += 255) {
    const part = text.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ]);
}
