import { randomUUID } from 'node:crypto';
import type { Presence, PresenceReport } from '#server/core/live/presence-messages.ts';

/** Interval of `tick`, in ms. */
export const PRESENCE_TICK_MS = 2_500;
/** Interval at which a server publishes its presence again, in ms. */
const REFRESH_MS = 10_000;
/** Time after which the presence of a silent server expires, in ms. */
const SERVER_EXPIRY_MS = 25_000;
/** Time after which a page counts as suspended, in ms. It reports every 30 s. */
const PAGE_EXPIRY_MS = 75_000;
/** Time after which a page no longer counts as typing, in ms. It reports every 4 s while its user types. */
const TYPING_EXPIRY_MS = 10_000;
/** Delay that collects changes of a workspace for its pages, in ms. */
const COLLECT_MS = 50;
/** Maximum length of a name. PostgreSQL limits a notification to 8,000 bytes. */
const NAME_MAX_LENGTH = 100;

/** The conversations that a teammate has open, on all servers. */
export type PresentTeammate = Pick<Presence, 'userId' | 'name' | 'open'>;

export type PageOwner = {
  sessionId: string;
  userId: string;
  name: string;
  workspaceId: string;
  page: string;
};

type Page = PageOwner & { conversationId: string | null; reportedAt: number; typingUntil: number };

type Options = {
  publish: (presence: Presence) => void;
  /** Sends changes to the pages of a workspace. */
  deliver: (workspaceId: string, teammates: PresentTeammate[]) => void;
  now?: () => number;
};

/**
 * Tracks which conversations teammates have open and where they type. Each server knows its own pages, publishes their
 * presence to all servers, itself included, and forgets what other servers no longer repeat. Only in memory: its size is
 * bounded by the open pages.
 */
export function trackPresence({ publish, deliver, now = Date.now }: Options) {
  const serverId = randomUUID();
  const pages = new Map<string, Page>();
  /** Published presence: by workspace, then by teammate and server. */
  const published = new Map<string, Map<string, Presence & { heardAt: number }>>();
  const changed = new Map<string, Set<string>>();
  let refreshAt = 0;

  function publishTeammate({ workspaceId, userId, name }: Omit<PageOwner, 'sessionId' | 'page'>): void {
    const own = [...pages.values()].filter(
      (page) => page.userId === userId && page.workspaceId === workspaceId && page.conversationId !== null,
    );
    const open = joinOpen(
      own.map((page) => ({ conversationId: page.conversationId ?? '', isTyping: page.typingUntil > now() })),
    );
    publish({ serverId, workspaceId, userId, name: name.slice(0, NAME_MAX_LENGTH), open });
  }

  function publishAll(): void {
    refreshAt = now() + REFRESH_MS;
    const owners = new Map<string, Page>();
    for (const page of pages.values())
      if (page.conversationId !== null) owners.set(`${page.workspaceId}:${page.userId}`, page);
    for (const owner of owners.values()) publishTeammate(owner);
  }

  function noteChange(workspaceId: string, userId: string): void {
    if (changed.size === 0) setTimeout(deliverChanges, COLLECT_MS).unref();
    const users = changed.get(workspaceId) ?? new Set();
    changed.set(workspaceId, users.add(userId));
  }

  function deliverChanges(): void {
    const all = [...changed];
    changed.clear();
    for (const [workspaceId, users] of all) {
      const present = new Map(list(workspaceId).map((teammate) => [teammate.userId, teammate]));
      const left = (userId: string) => ({ userId, name: '', open: [] });
      deliver(
        workspaceId,
        [...users].map((userId) => present.get(userId) ?? left(userId)),
      );
    }
  }

  /** Returns the teammates who have conversations of a workspace open. */
  function list(workspaceId: string): PresentTeammate[] {
    const teammates = new Map<string, PresentTeammate>();
    for (const { userId, name, open, heardAt } of published.get(workspaceId)?.values() ?? []) {
      // Without streams nothing expires in the meantime.
      if (heardAt + SERVER_EXPIRY_MS <= now()) continue;
      const known = teammates.get(userId)?.open ?? [];
      teammates.set(userId, { userId, name, open: joinOpen([...known, ...open]) });
    }
    return [...teammates.values()];
  }

  function expirePages(): void {
    for (const page of pages.values()) {
      if (page.conversationId === null) continue;
      const stoppedTyping = page.typingUntil > 0 && page.typingUntil <= now();
      const isSuspended = page.reportedAt + PAGE_EXPIRY_MS <= now();
      if (stoppedTyping) page.typingUntil = 0;
      if (isSuspended) page.conversationId = null;
      if (stoppedTyping || isSuspended) publishTeammate(page);
    }
  }

  function expireServers(): void {
    for (const [workspaceId, teammates] of published) {
      for (const [key, { heardAt, userId }] of teammates) {
        if (heardAt + SERVER_EXPIRY_MS > now()) continue;
        teammates.delete(key);
        noteChange(workspaceId, userId);
      }
      if (teammates.size === 0) published.delete(workspaceId);
    }
  }

  return {
    list,
    publishAll,
    /** Adds a page of this server. Returns the function that removes it. */
    addPage: (owner: PageOwner): (() => void) => {
      const key = keyOf(owner);
      const page: Page = { ...owner, conversationId: null, reportedAt: now(), typingUntil: 0 };
      pages.set(key, page);
      return () => {
        // The page may have reconnected before its previous stream closed, perhaps in another workspace.
        if (pages.get(key) === page) pages.delete(key);
        if (page.conversationId !== null) publishTeammate(page);
      };
    },
    /** Applies the report of a page. Returns false when this server does not hold its stream. */
    report: (report: PresenceReport): boolean => {
      const page = pages.get(keyOf(report));
      if (page?.workspaceId !== report.workspaceId) return false;
      const { conversationId } = report;
      const isTyping = conversationId !== null && report.isTyping;
      const isChanged = page.conversationId !== conversationId || page.typingUntil > now() !== isTyping;
      page.conversationId = conversationId;
      page.reportedAt = now();
      page.typingUntil = isTyping ? now() + TYPING_EXPIRY_MS : 0;
      if (isChanged) publishTeammate(page);
      return true;
    },
    /** Returns whether a page of this server reported that it has a conversation open. */
    hasOpen: (
      owner: { sessionId: string; page: string | null },
      { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
    ): boolean => {
      const page = owner.page === null ? undefined : pages.get(keyOf({ ...owner, page: owner.page }));
      return page?.workspaceId === workspaceId && page.conversationId === conversationId;
    },
    /** Stores what a server published, and delivers it to the pages if it changed. */
    receive: (presence: Presence): void => {
      const { workspaceId, userId, open } = presence;
      const teammates = published.get(workspaceId) ?? new Map<string, Presence & { heardAt: number }>();
      published.set(workspaceId, teammates);
      const key = `${userId}:${presence.serverId}`;
      const before = JSON.stringify(teammates.get(key)?.open ?? []);
      if (open.length === 0) teammates.delete(key);
      else teammates.set(key, { ...presence, heardAt: now() });
      if (JSON.stringify(open) !== before) noteChange(workspaceId, userId);
    },
    /** Expires what is old and publishes the presence of this server again. */
    tick: (): void => {
      expirePages();
      expireServers();
      if (refreshAt <= now()) publishAll();
    },
  };
}

function keyOf({ sessionId, page }: { sessionId: string; page: string }): string {
  return `${sessionId}:${page}`;
}

/** Merges entries of the same conversation. */
function joinOpen(open: Presence['open']): Presence['open'] {
  const joined = new Map<string, boolean>();
  for (const { conversationId, isTyping } of open) {
    joined.set(conversationId, isTyping || joined.get(conversationId) === true);
  }
  return [...joined].map(([conversationId, isTyping]) => ({ conversationId, isTyping }));
}
