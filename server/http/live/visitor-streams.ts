import type { ServerResponse } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';

/** Maximum number of open pages per visitor; another one ends the oldest. */
const STREAMS_PER_VISITOR = 5;
/** Maximum number of open visitor pages per IP address; another one is refused. */
const STREAMS_PER_ADDRESS = 200;

export type VisitorListener = {
  /** The digest of the visitor's token, as text. */
  visitorKey: string;
  address: string;
  /** Returns the conversations that the visitor can see; undefined when the token is no longer valid. */
  findConversations: () => Promise<string[] | undefined>;
};

type Stream = VisitorListener & { res: ServerResponse; conversationIds: string[] };

/**
 * Creates the open web chat streams of this process. A stream only reports that something changed, and the page
 * reloads.
 */
export function visitorStreams(write: (res: ServerResponse, text: string) => void) {
  const streams = new Set<Stream>();

  /** Refreshes the visitor's conversations, as another one may have started or one may have been merged. */
  async function refresh(stream: Stream): Promise<void> {
    try {
      const conversationIds = await stream.findConversations();
      if (conversationIds) stream.conversationIds = conversationIds;
      else stream.res.end();
    } catch (error) {
      // Refreshed again at the next heartbeat.
      log().debug({ err: error }, 'live.visitor_not_checked');
    }
  }

  return {
    streams,
    isFull: (address: string): boolean => {
      const key = addressKey(address);
      let count = 0;
      for (const stream of streams) if (addressKey(stream.address) === key) count += 1;
      return count >= STREAMS_PER_ADDRESS;
    },
    add: (res: ServerResponse, listener: VisitorListener): Promise<void> => {
      const { visitorKey } = listener;
      makeRoom(streams, (stream) => stream.visitorKey === visitorKey, STREAMS_PER_VISITOR);
      const stream = { ...listener, res, conversationIds: [] };
      streams.add(stream);
      res.once('close', () => streams.delete(stream));
      return refresh(stream);
    },
    send: (conversationId: string): void => {
      for (const stream of streams) {
        if (!stream.conversationIds.includes(conversationId)) continue;
        write(stream.res, 'event: changed\ndata:\n\n');
        void refresh(stream);
      }
    },
    checkAll: async (): Promise<void> => {
      for (const stream of streams) await refresh(stream);
    },
  };
}

/** Ends the oldest pages of one person, to make room for another one. They must not reconnect, or they would end the next. */
export function makeRoom<Stream extends { res: ServerResponse }>(
  streams: Set<Stream>,
  isOwn: (stream: Stream) => boolean,
  max: number,
): void {
  const own = [...streams].filter(isOwn);
  for (const stream of own.slice(0, Math.max(0, own.length - max + 1))) {
    streams.delete(stream);
    stream.res.end('event: enough\ndata:\n\n');
  }
}
