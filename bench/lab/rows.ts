import { calls, exchanges, refreshes } from '#bench/lab/build-requests.ts';
import type { BenchRequest } from '#bench/lab/request-load.ts';
import { makeCodes, type RequestStage } from '#bench/lab/request-stage.ts';
import { scaled } from '#bench/lab/scaled.ts';
import type { TokenPeer } from '#bench/lab/token-peers.ts';

/** A kind of request: the requests of a round, and the expected response. */
export type Row = {
  make: (stage: RequestStage, url: string) => Promise<BenchRequest[]> | BenchRequest[];
  makeForPeer?: (peer: TokenPeer) => Promise<BenchRequest[]>;
  concurrency: number;
  status: number;
  contains: string;
  /** Required share of the floor's rate; without it only the peers count. */
  atLeast?: number;
};

/** Same number as the connections of the service. */
const PEER_REFRESH_TOKENS = 512;
/** The platform calls from few addresses: many connections share one, just below its limit of 60 a minute. */
const SHARED_ADDRESS = { callsPerAddress: 50 };

let made = 0;
let patches = 0;

const conversationOf = ({ conversations }: RequestStage, n: number) =>
  conversations[n % conversations.length];

export const ROWS = {
  'GET /me': {
    make: calls(8_000, () => ({ method: 'GET', path: '/me' })),
    concurrency: 32,
    status: 200,
    contains: '"email":"t',
    atLeast: 0.7,
  },
  'GET /conversations/search': {
    make: calls(4_000, ({ emails }, n) => ({
      method: 'GET',
      path: `/conversations/search?contact_email=${encodeURIComponent(emails[n % emails.length] ?? '')}`,
    })),
    concurrency: 32,
    status: 200,
    contains: '"priority"',
    atLeast: 0.5,
  },
  'POST /conversations': {
    make: calls(1_000, (_stage, n) => {
      made += 1;
      const to_email = `new.${made}@elsewhere.test`;
      const body = { to_email, to_name: 'Ada Lovelace', subject: 'Your order', content: `Order ${n}` };
      return { method: 'POST', path: '/conversations', body };
    }),
    concurrency: 32,
    status: 201,
    contains: '"Your order"',
    atLeast: 0.5,
  },
  'POST notes': {
    make: calls(1_500, (stage, n) => ({
      method: 'POST',
      path: `/conversations/${conversationOf(stage, n)}/notes`,
      body: { content: 'Please have a look at this refund.' },
    })),
    concurrency: 32,
    status: 201,
    contains: '"Please have a look',
    atLeast: 0.5,
  },
  'PATCH a status': {
    make: (stage) => {
      // Alternate the status, so that every request changes something.
      patches += 1;
      const body = { status: patches % 2 === 1 ? 'pending' : 'open' };
      const path = (n: number) => `/conversations/${conversationOf(stage, n)}`;
      return calls(1_000, (_stage, n) => ({ method: 'PATCH', path: path(n), body }))(stage);
    },
    concurrency: 32,
    status: 200,
    contains: '"status"',
    atLeast: 0.6,
  },
  'POST tags': {
    make: calls(1_000, (stage, n) => {
      made += 1;
      return {
        method: 'POST',
        path: `/conversations/${conversationOf(stage, n)}/tags`,
        body: { tags: [`T${made}`] },
      };
    }),
    concurrency: 32,
    status: 200,
    contains: '"tags"',
    atLeast: 0.6,
  },
  'token: refresh': {
    make: ({ connections }) => refreshes(connections.map(({ refreshToken }) => refreshToken)),
    makeForPeer: async (peer) => refreshes(await peer.makeRefreshTokens(PEER_REFRESH_TOKENS)),
    concurrency: 32,
    status: 200,
    contains: '"access_token":"',
    atLeast: 0.6,
  },
  'token: exchange': {
    make: async (stage, url) => exchanges(await makeCodes(url, stage, scaled(1_000))),
    makeForPeer: async (peer) => exchanges(await peer.makeCodes(scaled(1_000))),
    concurrency: 32,
    status: 200,
    contains: '"refresh_token":"',
    atLeast: 0.6,
  },
  'token: refresh (50 calls per address)': {
    make: ({ connections }) =>
      refreshes(
        connections.map(({ refreshToken }) => refreshToken),
        SHARED_ADDRESS,
      ),
    makeForPeer: async (peer) => refreshes(await peer.makeRefreshTokens(PEER_REFRESH_TOKENS), SHARED_ADDRESS),
    concurrency: 16,
    status: 200,
    contains: '"access_token":"',
  },
  'token: exchange (50 calls per address)': {
    make: async (stage, url) => exchanges(await makeCodes(url, stage, scaled(1_000)), SHARED_ADDRESS),
    makeForPeer: async (peer) => exchanges(await peer.makeCodes(scaled(1_000)), SHARED_ADDRESS),
    concurrency: 16,
    status: 200,
    contains: '"refresh_token":"',
  },
} satisfies Record<string, Row>;
