import { createSocket, type Socket } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';
import { StartError } from '../../http/listen.ts';
import { log } from '../../http/log.ts';
import type { Providers } from '../providers.ts';
import { parseQuestion, writeResponse } from './dns-message.ts';
import { findRecords } from './find-records.ts';
import { isOwnName } from './own-names.ts';

/** Time that a real name server has for its answer, in ms. */
const FORWARD_MS = 3_000;

/**
 * Answers DNS queries on a UDP port of this machine (RFC 1035): own names from the state, all others from the machine's name
 * server.
 * @throws StartError when the port is taken or not permitted
 */
export async function openDns(providers: Providers): Promise<Socket> {
  const { port } = providers.settings;
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = (response: Buffer) => socket.send(response, from.port, from.address);
    const question = parseQuestion(query);
    if (!question) return;
    if (!isOwnName(question.name)) return forward(query, answer);
    const records = findRecords(providers, question.name);
    answer(
      writeResponse(
        query,
        question,
        records?.filter(({ type }) => type === question.type),
      ),
    );
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = `UDP port ${port} cannot be used (${error.code}). Set PROVIDERS_PORT to another port.`;
      reject(new StartError(sentence));
    });
    socket.bind(port, '127.0.0.1', resolve);
  });
  socket.removeAllListeners('error');
  socket.on('error', (error: Error) => log('providers.dns_fault', { message: error.message }));
  return socket;
}

/** Sends a query to the machine's name server and passes its answer on. Without an answer the query is dropped. */
function forward(query: Buffer, answer: (response: Buffer) => void): void {
  const [server] = getServers().filter((each) => !each.includes(']:') && !/^[\d.]+:/.test(each));
  if (server === undefined) return;
  const socket = createSocket(isIPv6(server) ? 'udp6' : 'udp4');
  const timer = setTimeout(() => socket.close(), FORWARD_MS);
  const end = () => {
    clearTimeout(timer);
    socket.close();
  };
  socket.once('error', end);
  socket.once('message', (response) => {
    answer(response);
    end();
  });
  socket.send(query, 53, server);
}
