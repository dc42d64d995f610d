import { z } from 'zod';

/** What the pages of a teammate on one server have open. Replaces what that server published before. */
export const presence = z.object({
  serverId: z.uuid(),
  workspaceId: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  /** Empty when the teammate has closed the last page. */
  open: z.array(z.object({ conversationId: z.uuid(), isTyping: z.boolean() })),
});

export type Presence = z.output<typeof presence>;

/** What a page has open, on the way to the server that holds the page's stream. */
export const presenceReport = z.object({
  sessionId: z.uuid(),
  workspaceId: z.uuid(),
  page: z.uuid(),
  conversationId: z.uuid().nullable(),
  isTyping: z.boolean(),
});

export type PresenceReport = z.output<typeof presenceReport>;
