import type { ServerResponse } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';

/** Open pages of one visitor; with one more the oldest is ended. */
const STREAMS_PER_VISITOR = 5;
/** Open pages of visitors from one address; one more is refused. */
const STREAMS_PER_ADDRESS = 200;

/** Whom a stream of the web chat was opened for. */
export type VisitorListener = {
  /** The digest of their token, as text. */
  visitorKey: string;
  address: string;
  /** The conversations that the visitor receives now; undefined when no one has the token any more. */
  findConversations: () => Promise<string[] | undefined>;
};

type Stream = VisitorListener & { res: ServerResponse; conversationIds: string[] };

/** The open web chats of this process. They are notified that something changed, and load it. */
export function visitorStreams(write: (res: ServerResponse, text: string) => void) {
  const streams = new Set<Stream>();

  /** Where the visitor writes may have changed: another conversation has begun, or it was merged. */
  async function look(stream: Stream): Promise<void> {
    try {
      const conversationIds = await stream.findConversations();
      if (conversationIds) stream.conversationIds = conversationIds;
      else stream.res.end();
    } catch (error) {
      // Looked at again at the next beat.
      log().debug({ err: error }, 'live.visitor_not_checked');
    }
  }

  /** The longest open of a visitor's pages makes room, and does not come back. */
  function makeRoom(visitorKey: string): void {
    const own = [...streams].filter((stream) => stream.visitorKey === visitorKey);
    for (const stream of own.slice(0, Math.max(0, own.length - STREAMS_PER_VISITOR + 1))) {
      streams.delete(stream);
      stream.res.end('event: enough\ndata:\n\n');
    }
  }

  return {
    isFull: (address: string): boolean => {
      const key = addressKey(address);
      let count = 0;
      for (const stream of streams) if (addressKey(stream.address) === key) count += 1;
      return count >= STREAMS_PER_ADDRESS;
    },
    add: (res: ServerResponse, listener: VisitorListener): Promise<void> => {
      makeRoom(listener.visitorKey);
      const stream = { ...listener, res, conversationIds: [] };
      streams.add(stream);
      res.once('close', () => streams.delete(stream));
      return look(stream);
    },
    send: (conversationId: string): void => {
      for (const stream of streams) {
        if (!stream.conversationIds.includes(conversationId)) continue;
        write(stream.res, 'event: changed\ndata:\n\n');
        void look(stream);
      }
    },
    sendAll: (text: string): void => {
      for (const { res } of streams) write(res, text);
    },
    lookAtAll: async (): Promise<void> => {
      for (const stream of streams) await look(stream);
    },
    end: (): void => {
      for (const { res } of streams) res.end();
    },
    isEmpty: (): boolean => streams.size === 0,
  };
}
