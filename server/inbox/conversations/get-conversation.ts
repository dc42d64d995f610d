import { validate as isUuid } from 'uuid';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { ConversationStatus, SlaKind } from '#server/generated/prisma/enums.ts';
import type { Db } from '#server/ground/db.ts';
import { unlessDeleted } from '#server/ground/unless-deleted.ts';
import {
  calledAs,
  otherConversation,
  otherConversationSelect,
} from '#server/inbox/conversations/name-conversations.ts';
import { readThread, threadPage } from '#server/inbox/conversations/read-thread.ts';
import { statusProblem } from '#server/inbox/conversations/set-status.ts';
import type { ClockView, ConversationView, ThreadPage } from '#server/inbox/conversations/views.ts';
import { contactName } from '#server/people/contacts/contact-record.ts';

const openedSelect = {
  id: true,
  subject: true,
  status: true,
  channel: true,
  contactClaimed: true,
  priority: true,
  createdAt: true,
  tags: { select: { name: true }, orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { key: 'asc' }] },
  assignee: { select: { user: { select: { id: true, name: true } } } },
  team: { select: { id: true, name: true, deletedAt: true } },
  contact: {
    select: {
      id: true,
      firstName: true,
      lastName: true,
      email: true,
      phone: true,
      company: { select: { id: true, name: true, deletedAt: true } },
    },
  },
  mergedInto: { select: otherConversationSelect },
  slaClocks: {
    select: { kind: true, dueAt: true, pausedAt: true, stoppedAt: true, breachedAt: true },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
  },
} satisfies Prisma.ConversationSelect;

type Opened = Prisma.ConversationGetPayload<{ select: typeof openedSelect }>;

/**
 * One conversation of a workspace with the newest of what stands in it, or null when there is none. Two statements,
 * asked for at once.
 */
export async function getConversation(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ConversationView | null> {
  if (!isUuid(id)) return null;
  const [opened, rows] = await Promise.all([
    db.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id } },
      select: openedSelect,
      relationLoadStrategy: 'join',
    }),
    readThread(db, { workspaceId, conversationId: id }),
  ]);
  if (!opened) return null;
  const contactName = calledAs(opened.contact);
  return openedView(opened, await threadPage(db, rows, { workspaceId, contactName }));
}

/** What stands in a conversation before what is shown, or null when there is no such conversation. */
export async function readEarlier(
  db: Db,
  { workspaceId, id, before }: { workspaceId: string; id: string; before: string },
): Promise<ThreadPage | null> {
  if (!isUuid(id)) return null;
  const [conversation, rows] = await Promise.all([
    db.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id } },
      select: otherConversationSelect,
      relationLoadStrategy: 'join',
    }),
    readThread(db, { workspaceId, conversationId: id, before }),
  ]);
  if (!conversation) return null;
  return threadPage(db, rows, { workspaceId, contactName: calledAs(conversation.contact) });
}

function openedView(opened: Opened, thread: ThreadPage): ConversationView {
  const { id, subject, status, channel, priority, createdAt, team, contact, mergedInto } = opened;
  return {
    ...thread,
    id,
    subject,
    status,
    channel,
    priority,
    createdAt,
    contactName: calledAs(contact),
    contactClaimed: opened.contactClaimed,
    tags: opened.tags.map(({ name }) => name),
    assignee: opened.assignee?.user ?? null,
    team: unlessDeleted(team),
    nextStatuses: Object.values(ConversationStatus).filter(
      (next) => next !== status && statusProblem(status, next) === undefined,
    ),
    mergedInto: mergedInto && otherConversation(mergedInto),
    clocks: newestOfEachKind(opened.slaClocks),
    contact: contact && {
      id: contact.id,
      name: contactName(contact),
      email: contact.email,
      phone: contact.phone,
      companyName: unlessDeleted(contact.company)?.name ?? null,
    },
  };
}

/** @param clocks newest first */
function newestOfEachKind(clocks: ClockView[]): ClockView[] {
  return Object.values(SlaKind).flatMap((kind) => clocks.find((clock) => clock.kind === kind) ?? []);
}
