import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** What a name server answers: texts of records, each in its parts; that there are none; or nothing at all. */
export type DnsAnswer = string[][] | 'no such name' | 'no such record' | 'broken' | 'silent';

const CODES = { 'no such name': 3, 'no such record': 0, broken: 2 } as const;
const TXT = 16;
const IN = 1;

/**
 * A real name server on UDP (RFC 1035) that knows TXT records alone. `answers` says what by name; a name that is not in
 * it is none. `resolver` asks this server and no other.
 */
export async function startDnsServer() {
  const answers = new Map<string, DnsAnswer>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end, kind } = parseName(query);
    asked.push(name);
    const answer = kind === TXT ? (answers.get(name) ?? 'no such name') : 'no such record';
    if (answer !== 'silent') socket.send(write(query.subarray(0, end), answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    answers,
    asked,
    resolver,
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** The name that is asked for, and where the question ends: after its type and class. */
function parseName(query: Buffer): { name: string; end: number; kind: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, kind: query.readUInt16BE(at + 1) };
}

function write(question: Buffer, answer: Exclude<DnsAnswer, 'silent'>): Buffer {
  const records = typeof answer === 'string' ? [] : answer.map(writeRecord);
  const header = Buffer.from(question);
  // An authoritative answer, recursion asked for and available.
  header.writeUInt16BE(0x8580 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, ...records]);
}

function writeRecord(parts: string[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
  const head = Buffer.alloc(12);
  // The name is where the question has it.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
