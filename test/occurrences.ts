import { randomUUID } from 'node:crypto';
import { operatorOf, operatorSelect } from '#server/automation/samples/list-samples.ts';
import { contactRecord } from '#server/contacts/contact-record.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { type NewEvent, recordEvents } from '#server/contract/record-events.ts';
import type { ConversationRecord } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { conversationRecord, conversationSelect } from '#server/inbox/conversations/conversation-record.ts';
import { messageRecord, messageSelect } from '#server/inbox/messages/add-received-message.ts';
import { ratingRecord } from '#server/inbox/ratings/rate-conversation.ts';
import { type ConversationColumns, makeContact, makeConversation, type Stage } from '#test/fixtures.ts';

type Details = {
  at: Date;
  /** Where it happens; without it, in a conversation of its own. */
  conversationId?: string;
  /** What that conversation is besides. */
  columns?: ConversationColumns;
  tags?: string[];
  command?: string;
};

/**
 * Makes what an event reports occur: its rows, and the event recorded with them, as every change does.
 * @returns the id of the conversation, or of the contact that was created
 */
export async function makeOccurrence(key: EventKey, stage: Stage, details: Details): Promise<string> {
  const { workspaceId } = stage;
  const { at } = details;
  if (key === 'contact.created') {
    const contact = contactRecord(await makeContact(workspaceId, { createdAt: at }));
    await record(workspaceId, at, { key, payload: { contact } });
    return contact.id;
  }
  const column = COLUMNS[key];
  const columns = { ...(column && { [column]: at }), ...details.columns };
  const id = details.conversationId ?? (await makeConversation(stage, columns));
  const row = await db().conversation.findUniqueOrThrow({ where: { id }, select: conversationSelect });
  await record(workspaceId, at, await OCCURRENCES[key](stage, conversationRecord(row), details));
  return id;
}

/** Which column keeps when it happened. */
const COLUMNS: Partial<Record<EventKey, keyof ConversationColumns>> = {
  'conversation.created': 'createdAt',
  'conversation.status_changed': 'statusChangedAt',
  'conversation.assigned': 'assignedAt',
};

const record = (workspaceId: string, now: Date, event: NewEvent) =>
  inTransaction((tx) => recordEvents(tx, { workspaceId, events: [event], now }));

type Occur = (stage: Stage, conversation: ConversationRecord, details: Details) => Promise<NewEvent>;

const OCCURRENCES: Record<Exclude<EventKey, 'contact.created'>, Occur> = {
  'conversation.created': async (_stage, conversation) => ({
    key: 'conversation.created',
    payload: { conversation },
  }),
  'conversation.status_changed': async (_stage, conversation) => ({
    key: 'conversation.status_changed',
    payload: { conversation, previous_status: 'pending' },
  }),
  'conversation.assigned': async (_stage, conversation) => {
    const previous = { id: randomUUID(), name: 'Noor', email: 'noor@acme.test' };
    return { key: 'conversation.assigned', payload: { conversation, previous_assignee: previous } };
  },
  'conversation.tagged': async ({ workspaceId }, conversation, { at, tags = ['VIP', 'Refund'] }) => {
    const rows = tags.map((name, position) => ({ position, name, key: name.toLowerCase() }));
    const { id } = await db().tagging.create({
      data: {
        workspaceId,
        conversationId: conversation.id,
        actorKind: 'teammate',
        createdAt: at,
        // Not in the order of their positions, so that nothing else can put them into it.
        tags: { create: rows.toReversed() },
      },
    });
    return { key: 'conversation.tagged', subjectId: id, payload: { conversation, added_tags: tags } };
  },
  'conversation.rated': async ({ workspaceId }, conversation, { at }) => {
    const rating = await db().rating.create({
      data: {
        workspaceId,
        conversationId: conversation.id,
        solvedConversationId: conversation.id,
        resolvedAt: at,
        score: 4,
        comment: 'Quick',
        createdAt: at,
      },
    });
    const payload = { conversation, rating: ratingRecord(rating) };
    return { key: 'conversation.rated', subjectId: rating.id, payload };
  },
  'message.received': async ({ workspaceId }, conversation, { at }) => {
    const message = await db().message.create({
      data: {
        workspaceId,
        conversationId: conversation.id,
        direction: 'inbound',
        authorKind: 'contact',
        content: `Where is it?\n${randomUUID()}`,
        attachmentsCount: 2,
        createdAt: at,
      },
      select: messageSelect,
    });
    const payload = { conversation, message: messageRecord(message) };
    return { key: 'message.received', subjectId: message.id, payload };
  },
  'operator.command': async ({ workspaceId, teammate }, conversation, { at, command = 'refund' }) => {
    const run = await db().commandRun.create({
      data: {
        workspaceId,
        conversationId: conversation.id,
        operatorId: teammate.id,
        operatorName: teammate.name,
        operatorEmail: teammate.email,
        command,
        arguments: 'order 1042',
        createdAt: at,
      },
      select: { id: true, arguments: true, ...operatorSelect },
    });
    const payload = { conversation, command, arguments: run.arguments, operator: operatorOf(run) };
    return { key: 'operator.command', id: run.id, subjectId: run.id, payload };
  },
};
