import { consumeLimit } from '#server/core/limits/limits.ts';
import type { ActorKind } from '#server/generated/prisma/enums.ts';
import type { OutgoingMessage } from '#server/inbox/channels/channel-adapter.ts';

/** Authors of automatic replies (RFC 3834). A reply through an API counts as a teammate's message. */
export const AUTOMATIC_AUTHORS: ReadonlySet<ActorKind> = new Set<ActorKind>([
  'ai_agent',
  'flow',
  'automatic',
]);

/** Authors that are programs. Workflows and programs reply in a teammate's name, but nobody types these replies. */
const PROGRAMS: ReadonlySet<ActorKind> = new Set<ActorKind>([...AUTOMATIC_AUTHORS, 'workflow', 'program']);

/**
 * Counts a message of a program against the limit of its recipient (docs/rulings.md 3.32). Retries do not count again.
 * @returns whether the message may be sent. Those of people always may
 */
export async function countProgramMessage(
  { authorKind, deferrals }: OutgoingMessage,
  limit: 'program_mail' | 'program_chat',
  recipient: string,
): Promise<boolean> {
  if (!PROGRAMS.has(authorKind) || deferrals > 0) return true;
  return (await consumeLimit(limit, recipient)).allowed;
}
