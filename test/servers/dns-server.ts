import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** An answer of the DNS server: TXT records, each with its parts; an error code; or no response. */
export type DnsAnswer = string[][] | 'no such name' | 'no such record' | 'broken' | 'silent';

const CODES = { 'no such name': 3, 'no such record': 0, broken: 2 } as const;
const TXT = 16;
const IN = 1;

/**
 * Starts a DNS server on UDP (RFC 1035) that only has TXT records. `answers` has its answers by name; other
 * names do not exist. `resolver` queries only this server.
 */
export async function startDnsServer() {
  const answers = new Map<string, DnsAnswer>();
  const queried: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end, kind } = parseName(query);
    queried.push(name);
    const answer = kind === TXT ? (answers.get(name) ?? 'no such name') : 'no such record';
    if (answer !== 'silent') socket.send(write(query.subarray(0, end), answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    answers,
    queried,
    resolver,
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/** Parses the queried name, and the end of the question after its type and class. */
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
  // Authoritative answer, recursion desired and available.
  header.writeUInt16BE(0x8580 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, ...records]);
}

function writeRecord(parts: string[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
  const head = Buffer.alloc(12);
  // Pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
