import { z } from 'zod';

/** The conversations that a teammate's pages on one server have open. Replaces that server's previous message. */
export const presence = z.object({
  serverId: z.uuid(),
  workspaceId: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  /** Empty when the teammate has closed the last page. */
  open: z.array(z.object({ conversationId: z.uuid(), isTyping: z.boolean() })),
});

export type Presence = z.output<typeof presence>;

/** A page's report, passed on to the server that holds the page's stream. */
export const presenceReport = z.object({
  sessionId: z.uuid(),
  workspaceId: z.uuid(),
  page: z.uuid(),
  conversationId: z.uuid().nullable(),
  isTyping: z.boolean(),
});

/** A change of a draft that was not empty, for the pages of other teammates that have its conversation open. */
export const draftChange = z.object({ workspaceId: z.uuid(), conversationId: z.uuid(), authorId: z.uuid() });

export type DraftChange = z.output<typeof draftChange>;

export type PresenceReport = z.output<typeof presenceReport>;
