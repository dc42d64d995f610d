import type { ServerResponse } from 'node:http';
import { listen } from '#server/core/live/listen.ts';
import type { Listener } from '#server/core/live/listen-to-database.ts';
import type { DraftChange, PresenceReport } from '#server/core/live/presence-messages.ts';
import { publishPresence, publishPresenceReport, requestPresence } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { rememberChanges } from '#server/http/live/recent-changes.ts';
import { runInOrder } from '#server/http/live/run-in-order.ts';
import {
  type PageOwner,
  PRESENCE_TICK_MS,
  type PresentTeammate,
  trackPresence,
} from '#server/http/live/track-presence.ts';
import { hidePresence, whoSee } from '#server/http/live/visible-presence.ts';
import { makeRoom, type VisitorListener, visitorStreams } from '#server/http/live/visitor-streams.ts';
import { findEndedSessions } from '#server/teammates/signed-in.ts';
import { findVisibilities, type Visibility } from '#server/teammates/visibility.ts';

/** Interval of heartbeats and session checks, in ms. */
const HEARTBEAT_MS = 25_000;
/** Maximum number of open pages per teammate; another one ends the oldest. */
const STREAMS_PER_TEAMMATE = 20;
/** Unread bytes after which a stream is cut. */
const UNREAD_MAX_BYTES = 64_000;
/** Maximum wait for the database listener before a stream starts anyway, in ms. */
const READY_TIMEOUT_MS = 3_000;
/**
 * Time that the listening connection stays open after the last stream, in ms. A page that is opened meanwhile learns what has changed
 * since it was rendered.
 */
const LINGER_MS = 600_000;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Content-Type-Options': 'nosniff',
  // Turns off response buffering in nginx and similar proxies.
  'X-Accel-Buffering': 'no',
};
const STREAM_START = 'retry: 2000\n\n';
const HEARTBEAT = 'event: heartbeat\ndata:\n\n';
const MISSED = 'event: missed\ndata:\n\n';

/** `page`: the page's own id, or null for a page that reports nothing. */
type StreamOwner = Omit<PageOwner, 'page'> & {
  page: string | null;
  /** What a limited view shows. Null: everything. Read again when it may have changed. */
  visibility: Visibility | null;
};
type Stream = StreamOwner & { res: ServerResponse };

export type LiveStreams = ReturnType<typeof openLiveStreams>;

/**
 * Creates the live streams of this process, with one database connection that listens for changes. Events:
 * `recent` with what has changed before the stream; `changed` with a topic; `presence` with what other teammates have open; `missed` when anything may have changed;
 * `enough` when the page must not reconnect; `heartbeat` every 25 seconds.
 */
export function openLiveStreams() {
  const streams = new Set<Stream>();
  const visitors = visitorStreams(write);
  let listener: Listener | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let presenceTick: NodeJS.Timeout | undefined;
  let linger: NodeJS.Timeout | undefined;
  let ended = false;
  const changes = rememberChanges();
  const allStreams = () => [...streams, ...visitors.streams];
  const presence = trackPresence({
    publish: publishPresence,
    deliver: (workspaceId, teammates) => {
      void deliverPresence(
        [...streams].filter((stream) => stream.workspaceId === workspaceId),
        { workspaceId, teammates },
      );
    },
  });

  function start(): Listener {
    clearTimeout(linger);
    heartbeat ??= setInterval(() => void beat(), HEARTBEAT_MS);
    presenceTick ??= setInterval(presence.tick, PRESENCE_TICK_MS);
    listener ??= listen({
      onMessage: (message) => {
        if ('sessionId' in message) void checkSessions(({ sessionId }) => sessionId === message.sessionId);
        else if ('conversationId' in message) visitors.send(message.conversationId);
        else if ('draft' in message) {
          changes.changed(message.draft.workspaceId, 'draft');
          void sendDraft(message.draft);
        } else if ('presence' in message) presence.receive(message.presence);
        else if ('presenceReport' in message) presence.report(message.presenceReport);
        else if ('presenceRequest' in message) presence.publishAll();
        else {
          changes.changed(message.workspaceId, message.topic);
          if (message.topic === 'access') void refreshViews(message.workspaceId);
          send(message.workspaceId, `event: changed\ndata: ${message.topic}\n\n`);
        }
      },
      onListening: () => {
        changes.listening();
        for (const { res } of allStreams()) write(res, MISSED);
        for (const workspaceId of new Set([...streams].map((stream) => stream.workspaceId)))
          void refreshViews(workspaceId);
        requestPresence();
      },
    });
    return listener;
  }

  function stop(): void {
    clearInterval(heartbeat);
    clearInterval(presenceTick);
    clearTimeout(linger);
    listener?.close();
    changes.stopped();
    heartbeat = undefined;
    presenceTick = undefined;
    listener = undefined;
  }

  function send(workspaceId: string, text: string): void {
    for (const stream of streams) if (stream.workspaceId === workspaceId) write(stream.res, text);
  }

  /** Tells other teammates whose pages have the conversation open, and who see it. Never rejects. */
  async function sendDraft({ workspaceId, conversationId, authorId }: DraftChange): Promise<void> {
    const open = [...streams].filter(
      (stream) => stream.userId !== authorId && presence.hasOpen(stream, { workspaceId, conversationId }),
    );
    for (const stream of await whoSee(open, { workspaceId, conversationId }))
      write(stream.res, 'event: changed\ndata: draft\n\n');
  }

  async function beat(): Promise<void> {
    for (const { res } of allStreams()) write(res, HEARTBEAT);
    await checkSessions(() => true);
    await visitors.checkAll();
  }

  /**
   * Ends the streams of sessions that have ended or opened another workspace. A page that may still listen
   * reconnects.
   */
  async function checkSessions(which: (stream: Stream) => boolean): Promise<void> {
    try {
      for (const { res } of await findEndedSessions([...streams].filter(which))) res.end();
    } catch (error) {
      // Checked again at the next heartbeat. Until then a page only learns that something changed.
      log().debug({ err: error }, 'live.sessions_not_checked');
    }
  }

  /** Reads again what the teammates with streams in a workspace see. */
  async function refreshViews(workspaceId: string): Promise<void> {
    const those = [...streams].filter((stream) => stream.workspaceId === workspaceId);
    try {
      const userIds = [...new Set(those.map(({ userId }) => userId))];
      const visibilities = await findVisibilities({ workspaceId, userIds });
      for (const stream of those) stream.visibility = visibilities.get(stream.userId) ?? null;
    } catch (error) {
      // The pages refetch what they show. Only who is present in a conversation can be shown for too long.
      log().debug({ err: error }, 'live.views_not_read');
    }
  }

  return {
    join: async (res: ServerResponse, owner: StreamOwner): Promise<void> => {
      // A page reconnects after a broken connection, but not after a refusal.
      if (ended) return void res.destroy();
      await start().ready(READY_TIMEOUT_MS);
      if (res.destroyed) return leave();
      if (ended) return void res.destroy();
      makeRoom(streams, ({ userId }) => userId === owner.userId, STREAMS_PER_TEAMMATE);
      res.writeHead(200, STREAM_HEADERS);
      const stream = { ...owner, res };
      streams.add(stream);
      const removePage = owner.page === null ? undefined : presence.addPage({ ...owner, page: owner.page });
      res.once('close', () => {
        streams.delete(stream);
        removePage?.();
        leave();
      });
      const { workspaceId } = owner;
      res.write(`${STREAM_START}event: recent\ndata: ${JSON.stringify(changes.of(workspaceId))}\n\n`);
      await deliverPresence([stream], {
        workspaceId,
        teammates: presence.list(workspaceId),
        isComplete: true,
      });
    },
    /** Receives what a page has open. */
    report: (report: PresenceReport): void => {
      if (!presence.report(report)) publishPresenceReport(report);
    },
    /** Opens a visitor's stream. Returns false when the visitor's IP address has too many. */
    joinVisitor: async (res: ServerResponse, visitor: VisitorListener): Promise<boolean> => {
      if (visitors.isFull(visitor.address)) return false;
      if (!ended) await start().ready(READY_TIMEOUT_MS);
      if (ended) res.destroy();
      if (res.destroyed) {
        leave();
        return true;
      }
      res.writeHead(200, STREAM_HEADERS);
      const added = visitors.add(res, visitor);
      res.once('close', leave);
      await added;
      // The listener is active now. The page loads its conversation when it receives this line.
      if (!res.writableEnded) res.write(STREAM_START);
      return true;
    },
    /** Ends every stream and refuses new ones. */
    end: (): void => {
      ended = true;
      for (const { res } of allStreams()) res.end();
      stop();
    },
  };

  function leave(): void {
    const isUsed = () => streams.size + visitors.streams.size > 0;
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

/** Sends what other teammates have open to streams of their workspace, without what a limited view hides. Never rejects. */
async function deliverPresence(
  streams: readonly Stream[],
  {
    workspaceId,
    teammates,
    isComplete = false,
  }: { workspaceId: string; teammates: readonly PresentTeammate[]; isComplete?: boolean },
): Promise<void> {
  for (const stream of streams) if (!stream.visibility) writePresence(stream, teammates, isComplete);
  const limited = streams.filter(({ visibility }) => visibility);
  if (limited.length === 0) return;
  await deliverInOrder(workspaceId, deliver);

  async function deliver(): Promise<void> {
    try {
      const seenBy = await hidePresence(workspaceId, teammates);
      for (const stream of limited)
        writePresence(stream, stream.visibility ? seenBy(stream.visibility) : teammates, isComplete);
    } catch (error) {
      log().debug({ err: error }, 'live.presence_not_sent');
    }
  }
}

/** Messages to limited views of a workspace are sent one after the other, so that an older state does not replace a newer one. */
const deliverInOrder = runInOrder();

/** Sends what other teammates have open. `isComplete`: the page forgets what it knew before. */
function writePresence({ res, userId }: Stream, all: readonly PresentTeammate[], isComplete: boolean): void {
  const teammates = all.filter((teammate) => teammate.userId !== userId);
  if (teammates.length === 0 && !isComplete) return;
  write(res, `event: presence\ndata: ${JSON.stringify({ isComplete, teammates })}\n\n`);
}
