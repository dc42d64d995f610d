import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '#server/core/live/listen.ts';
import type { Listener } from '#server/core/live/listen-to-database.ts';
import { log } from '#server/core/log.ts';
import { type VisitorListener, visitorStreams } from '#server/http/live/visitor-streams.ts';
import { headersOf } from '#server/http/request/client-address.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { findEndedSessions, findSignedIn } from '#server/teammates/signed-in.ts';

/** So often a stream says that it is still there, and its session is looked at again, in milliseconds. */
const HEARTBEAT_MS = 25_000;
/** Open pages of one teammate; with one more the oldest is ended. */
const STREAMS_PER_TEAMMATE = 20;
/** What a page may leave unread before its stream is cut, in bytes. */
const UNREAD_MAX_BYTES = 64_000;
/** How long a stream waits for the database to be listened to before it begins all the same, in milliseconds. */
const READY_PATIENCE_MS = 3_000;
/** How long the connection that listens outlives the last stream, in milliseconds: people move from page to page. */
const LINGER_MS = 10_000;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Content-Type-Options': 'nosniff',
  // Asks the usual proxies to pass on what comes as it comes.
  'X-Accel-Buffering': 'no',
};
const BEGINNING = 'retry: 2000\n\n';
const STILL_HERE = ': still here\n\n';
const MISSED = 'event: missed\ndata:\n\n';

type Stream = StreamOwner & { res: ServerResponse };

export type LiveStreams = {
  join(res: ServerResponse, owner: StreamOwner): Promise<void>;
  /** Opens a visitor's stream; false when too many are open at their address. */
  joinVisitor(res: ServerResponse, listener: VisitorListener): Promise<boolean>;
  /** Ends every stream, and takes none any more. */
  end(): void;
};

/**
 * The open pages of this process and the one connection over which it hears what changed. Events: `changed` names a
 * topic, `missed` says that anything may have changed, `enough` that the page has to do without.
 */
export function openLiveStreams(): LiveStreams {
  const streams = new Set<Stream>();
  const visitors = visitorStreams(write);
  let listener: Listener | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let linger: NodeJS.Timeout | undefined;
  let ended = false;

  function start(): Listener {
    clearTimeout(linger);
    heartbeat ??= setInterval(() => void beat(), HEARTBEAT_MS);
    listener ??= listen({
      onMessage: (message) => {
        if ('sessionId' in message) void checkSessions(({ sessionId }) => sessionId === message.sessionId);
        else if ('conversationId' in message) visitors.send(message.conversationId);
        else send(message.workspaceId, `event: changed\ndata: ${message.topic}\n\n`);
      },
      onListening: () => {
        for (const { res } of streams) write(res, MISSED);
        visitors.sendAll(MISSED);
      },
    });
    return listener;
  }

  function stop(): void {
    clearInterval(heartbeat);
    clearTimeout(linger);
    listener?.close();
    heartbeat = undefined;
    listener = undefined;
  }

  function send(workspaceId: string, text: string): void {
    for (const stream of streams) if (stream.workspaceId === workspaceId) write(stream.res, text);
  }

  async function beat(): Promise<void> {
    for (const { res } of streams) write(res, STILL_HERE);
    visitors.sendAll(STILL_HERE);
    await checkSessions(() => true);
    await visitors.lookAtAll();
  }

  /** Ends the streams of sessions that have ended or moved on. A page that may still listen reconnects. */
  async function checkSessions(which: (stream: Stream) => boolean): Promise<void> {
    try {
      for (const { res } of await findEndedSessions([...streams].filter(which))) res.end();
    } catch (error) {
      // Asked again at the next beat; until then a page learns no more than that something changed.
      log().debug({ err: error }, 'live.sessions_not_checked');
    }
  }

  /** The longest open of a teammate's pages makes room. It does not come back, or it would push out the next. */
  function makeRoom(userId: string): void {
    const own = [...streams].filter((stream) => stream.userId === userId);
    for (const stream of own.slice(0, Math.max(0, own.length - STREAMS_PER_TEAMMATE + 1))) {
      streams.delete(stream);
      stream.res.end('event: enough\ndata:\n\n');
    }
  }

  return {
    join: async (res, owner) => {
      // A page whose connection breaks reconnects, one that is refused does not.
      if (ended) return void res.destroy();
      await start().ready(READY_PATIENCE_MS);
      if (res.destroyed) return leave();
      if (ended) return void res.destroy();
      makeRoom(owner.userId);
      res.writeHead(200, STREAM_HEADERS);
      const stream = { ...owner, res };
      streams.add(stream);
      res.once('close', () => {
        streams.delete(stream);
        leave();
      });
      res.write(BEGINNING);
    },
    joinVisitor: async (res, visitor) => {
      if (visitors.isFull(visitor.address)) return false;
      if (!ended) await start().ready(READY_PATIENCE_MS);
      if (ended) res.destroy();
      if (res.destroyed) {
        leave();
        return true;
      }
      res.writeHead(200, STREAM_HEADERS);
      const added = visitors.add(res, visitor);
      res.once('close', leave);
      await added;
      // Only now everything is heard: the page reads its conversation when this arrives.
      if (!res.writableEnded) res.write(BEGINNING);
      return true;
    },
    end: () => {
      ended = true;
      for (const { res } of streams) res.end();
      visitors.end();
      stop();
    },
  };

  function isUsed(): boolean {
    return streams.size > 0 || !visitors.isEmpty();
  }

  function leave(): void {
    if (isUsed() || ended) return;
    clearTimeout(linger);
    linger = setTimeout(() => isUsed() || stop(), LINGER_MS);
    linger.unref();
  }
}

function write(res: ServerResponse, text: string): void {
  if (res.writableLength > UNREAD_MAX_BYTES) res.destroy();
  else if (!res.writableEnded) res.write(text);
}

/** Whom a stream was opened for. */
type StreamOwner = { sessionId: string; userId: string; workspaceId: string };

/** Where an open page hears what changes in its workspace (server-sent events, HTML standard §9.2). */
export const LIVE_PATH = '/live';

/** Opens the stream of a page of ours for the signed-in teammate's open workspace. */
export async function handleLive(
  live: LiveStreams,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (req.method !== 'GET') {
    return sendJson(res, 405, { message: 'This address answers GET only.' }, { Allow: 'GET' });
  }
  const from = req.headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') {
    return sendJson(res, 403, { message: 'Only pages of this service can listen here.' });
  }
  const signedIn = await findSignedIn(headersOf(req));
  if (!signedIn) return sendJson(res, 401, { message: 'Sign in to listen here.' });
  const { sessionId, user, workspace } = signedIn;
  if (!workspace) return sendJson(res, 403, { message: 'There is no workspace to listen to.' });
  await live.join(res, { sessionId, userId: user.id, workspaceId: workspace.id });
}
