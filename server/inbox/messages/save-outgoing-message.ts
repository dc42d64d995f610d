import { v7 as uuidv7 } from 'uuid';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { SendStatus } from '#server/generated/prisma/enums.ts';
import type { Tx } from '#server/ground/db.ts';
import { AI_AGENT_NAME } from '#server/inbox/ai-agent/ai-agent.ts';
import type { OutgoingTemplate } from '#server/inbox/channels/channel-adapter.ts';
import { type Actor, actorColumns } from '#server/people/teammates/actor.ts';

/** A message as it was saved. */
export type SavedMessage = {
  id: string;
  conversationId: string;
  content: string;
  createdAt: Date;
  sendStatus: SendStatus | null;
};

type NewMessage = {
  workspaceId: string;
  conversationId: string;
  actor: Actor;
  content: string;
  sendStatus: SendStatus | null;
  solveAskedAt?: Date | null;
  template?: OutgoingTemplate | null;
  now: Date;
};

/**
 * Saves a message to a contact in its conversation. Nothing leaves here: `queued` waits for a job, `sending` for
 * the caller to send it once this transaction is committed.
 */
export async function saveOutgoingMessage(tx: Tx, given: NewMessage): Promise<SavedMessage> {
  const { message, statement } = outgoingMessage(given);
  await tx.$executeRaw(statement);
  return message;
}

/** The same as a statement, to be a part of a larger one. */
export function outgoingMessage(given: NewMessage): { message: SavedMessage; statement: Prisma.Sql } {
  const { conversationId, content, sendStatus, now, template = null } = given;
  const { actorKind, actorId, actorName, connectionId } = actorColumns(given.actor);
  const id = uuidv7();
  const statement = Prisma.sql`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_id, author_name, connection_id,
      content, send_status, send_started_at, solve_asked_at, template, created_at)
    values (${id}::uuid, ${given.workspaceId}::uuid, ${conversationId}::uuid, 'outbound', ${actorKind}::actor_kind,
      ${actorId}::uuid, ${actorKind === 'ai_agent' ? AI_AGENT_NAME : actorName}::text, ${connectionId}::uuid, ${content},
      ${sendStatus}::send_status, ${sendStatus === 'sending' ? now : null}::timestamptz,
      ${given.solveAskedAt ?? null}::timestamptz, ${template && JSON.stringify(template)}::jsonb, ${now}::timestamptz)`;
  return { message: { id, conversationId, content, createdAt: now, sendStatus }, statement };
}
