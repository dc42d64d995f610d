import { validate as isUuid } from 'uuid';
import { COMPANY_JOIN, contactName, contactOf } from '#server/contacts/contact-record.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { ConversationStatus, type Removal, type Role, SlaKind } from '#server/generated/prisma/enums.ts';
import { type ShownOffer, shownOffer } from '#server/inbox/claimed-addresses/contact-offers.ts';
import { statusProblem } from '#server/inbox/conversations/changes.ts';
import { closedTime } from '#server/inbox/conversations/closed-time.ts';
import {
  isReadableBy,
  type MemberView,
  readableIn,
} from '#server/inbox/conversations/readable-conversations.ts';
import { IS_UNDOABLE } from '#server/inbox/conversations/undo-merge.ts';
import { isUnread, type Reader, readOf } from '#server/inbox/conversations/unread.ts';
import { offeredForm } from '#server/inbox/incoming-mail/listed-forms.ts';
import {
  calledAs,
  otherConversation,
  otherConversationSelect,
} from '#server/screens/inbox/name-conversations.ts';
import { readThread, threadPage } from '#server/screens/inbox/read-thread.ts';
import type { ThreadPage } from '#server/screens/inbox/thread-views.ts';
import type { ClockView, ConversationView } from '#server/screens/inbox/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';

type ClockColumns = Pick<ClockView, 'kind'> &
  Record<'dueAt', string> &
  Record<'pausedAt' | 'stoppedAt' | 'breachedAt', string | null> & {
    closed: { from: string; until: string } | null;
  };

type Opened = Pick<
  ConversationView,
  | 'id'
  | 'subject'
  | 'status'
  | 'channel'
  | 'contactClaimed'
  | 'isLinked'
  | 'mergedCount'
  | 'canUndoMerge'
  | 'priority'
  | 'tags'
  | 'assignee'
  | 'team'
> & {
  createdAt: string;
  snoozedUntil: string | null;
  claim: { email: string; owner: NonNullable<Parameters<typeof calledAs>[0]> | null } | null;
  unread: boolean;
  formOffer: { address: string; person: string } | null;
  contactOffer: ShownOffer | null;
  contact: (NonNullable<Parameters<typeof calledAs>[0]> & { companyName: string | null }) | null;
  mergedInto: Parameters<typeof otherConversation>[0] | null;
  removal: Removal | null;
  removedAt: Date | null;
  clocks: ClockColumns[];
};

const CLAIMED_OWNER = contactIdWithEmail({
  workspaceId: Prisma.sql`k.workspace_id`,
  email: Prisma.sql`k.claimed_email`,
});

/** Closed time before the running clock `s` is due, as SQL. Looks two weeks ahead, so that a due time in years costs no more. */
const CLOSED_DURING_CLOCK = Prisma.sql`(
  select json_build_object('from', closed.since, 'until', closed.opens) from (${closedTime(
    Prisma.sql`workspaces w where w.id = c.workspace_id and s.paused_at is null and s.stopped_at is null`,
    Prisma.sql`least(s.due_at, now() + interval '14 days')`,
  )}) closed)`;

/** Returns SQL for a conversation without its thread; the clocks are newest first. */
function openedStatement({ id, view, ...reader }: Reader & { id: string; view: MemberView }): Prisma.Sql {
  return Prisma.sql`
    select c.id, c.subject, c.status, c.channel, c.contact_claimed and k.email is null as "contactClaimed", c.priority,
      c.linked_from_id is not null as "isLinked", c.snoozed_until as "snoozedUntil",
      c.created_at as "createdAt", c.removal, c.removed_at as "removedAt", ${isUnread(reader, 'c', 'own_read')} as unread,
      ${offeredForm('c', 'k')} as "formOffer", ${shownOffer('c', 'k')} as "contactOffer",
      array(select g.name from conversation_tags g where g.conversation_id = c.id
        order by g.created_at, g.position, g.key) as tags,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as assignee,
      case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as team,
      case when k.id is not null then json_build_object('id', k.id, 'firstName', k.first_name,
        'lastName', k.last_name, 'email', k.email, 'phone', k.phone, 'companyName', o.name) end as contact,
      case when c.contact_claimed and k.email is null and k.claimed_email is not null then json_build_object('email', k.claimed_email,
        'owner', ${contactOf('h')}) end as claim,
      case when i.id is not null then json_build_object('id', i.id, 'subject', i.subject,
        'contact', ${contactOf('ik')}) end as "mergedInto",
      (select count(*)::int from conversations s
        where s.workspace_id = c.workspace_id and s.merged_into_id = c.id) as "mergedCount",
      c.merged_into_id is not null and exists (
        select from timeline_entries t where t.conversation_id = c.id and t.kind = 'merged'
          and t.data ->> 'intoId' = c.merged_into_id::text and t.data ? 'followedIds' and ${IS_UNDOABLE}) as "canUndoMerge",
      (select coalesce(json_agg(json_build_object('kind', s.kind, 'dueAt', s.due_at, 'pausedAt', s.paused_at,
          'stoppedAt', s.stopped_at, 'breachedAt', s.breached_at, 'closed', ${CLOSED_DURING_CLOCK}) order by s.started_at desc, s.id desc), '[]')
        from sla_clocks s where s.conversation_id = c.id) as clocks
    from conversations c
    left join users u on u.id = c.assignee_id
    left join teams t on t.workspace_id = c.workspace_id and t.id = c.team_id and t.deleted_at is null
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    left join contacts h on h.workspace_id = k.workspace_id and h.id = ${CLAIMED_OWNER}
    ${Prisma.raw(COMPANY_JOIN)}
    left join conversations i on i.workspace_id = c.workspace_id and i.id = c.merged_into_id
    left join contacts ik on ik.workspace_id = i.workspace_id and ik.id = i.contact_id
    left join lateral ${readOf(reader, 'c')} own_read on true
    where c.workspace_id = ${reader.workspaceId}::uuid and c.id = ${id}::uuid and ${isReadableBy(view)}`;
}

/**
 * Returns a conversation with the newest page of its thread, or null, as a teammate sees it. Two statements, in
 * parallel.
 */
export async function getConversation(
  reads: ReadDb,
  which: { workspaceId: string; userId?: string | null; id: string } & Partial<MemberView>,
): Promise<ConversationView | null> {
  const { workspaceId, userId = null, role = 'viewer', visibility, id } = which;
  const view = { role, visibility };
  if (!isUuid(id)) return null;
  const [opened, rows] = await Promise.all([
    runRead(reads, openedStatement({ workspaceId, userId, view, id }), ([found]: Opened[]) => found ?? null),
    readThread(reads, { workspaceId, conversationId: id }),
  ]);
  if (!opened) return null;
  const contactName = calledAs(opened.contact);
  return openedView(opened, await threadPage(db(), rows, { workspaceId, visibility, contactName }), role);
}

/** Returns the page of the thread before the cursor, or null when the teammate sees no such conversation. */
export async function readEarlier(
  db: Db,
  which: MemberView & { workspaceId: string; id: string; before: string },
): Promise<ThreadPage | null> {
  const { workspaceId, role, visibility, id, before } = which;
  if (!isUuid(id)) return null;
  const [conversation, rows] = await Promise.all([
    db.conversation.findUnique({
      where: { workspaceId_id: { workspaceId, id }, ...readableIn([{ id: workspaceId, role, visibility }]) },
      select: otherConversationSelect,
      relationLoadStrategy: 'join',
    }),
    readThread(db, { workspaceId, conversationId: id, before }),
  ]);
  if (!conversation) return null;
  return threadPage(db, rows, { workspaceId, visibility, contactName: calledAs(conversation.contact) });
}

function openedView(opened: Opened, thread: ThreadPage, role: Role): ConversationView {
  const {
    id,
    subject,
    status,
    channel,
    priority,
    contact,
    claim,
    formOffer,
    contactOffer,
    mergedInto,
    removal,
    removedAt,
  } = opened;
  return {
    ...thread,
    id,
    subject,
    status,
    channel,
    priority,
    createdAt: new Date(opened.createdAt),
    snoozedUntil: opened.snoozedUntil === null ? null : new Date(opened.snoozedUntil),
    contactName: calledAs(contact),
    contactClaimed: opened.contactClaimed,
    isLinked: opened.isLinked,
    mergedCount: opened.mergedCount,
    canUndoMerge: opened.canUndoMerge,
    claim: claim && {
      email: shownEmail(claim.email),
      owner: claim.owner && { id: claim.owner.id, name: calledAs(claim.owner) ?? '' },
    },
    formOffer: formOffer && {
      address: shownEmail(formOffer.address),
      person: shownEmail(formOffer.person),
      mayList: isAdmin(role),
    },
    contactOffer: contactOffer && { ...contactOffer, email: shownEmail(contactOffer.email) },
    tags: opened.tags,
    assignee: opened.assignee,
    team: opened.team,
    nextStatuses: Object.values(ConversationStatus).filter(
      (next) => next !== status && statusProblem(status, next) === undefined,
    ),
    unread: opened.unread,
    mergedInto: mergedInto && otherConversation(mergedInto),
    removal: removal && removedAt && { kind: removal, removedAt: new Date(removedAt) },
    clocks: newestOfEachKind(opened.clocks),
    contact: contact && {
      id: contact.id,
      name: contactName(contact),
      email: shownEmail(contact.email),
      phone: contact.phone,
      companyName: contact.companyName,
    },
  };
}

/** @param clocks newest first */
function newestOfEachKind(clocks: Opened['clocks']): ClockView[] {
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  return Object.values(SlaKind).flatMap((kind) => {
    const clock = clocks.find((one) => one.kind === kind);
    if (!clock) return [];
    return {
      kind,
      dueAt: new Date(clock.dueAt),
      pausedAt: dateOf(clock.pausedAt),
      stoppedAt: dateOf(clock.stoppedAt),
      breachedAt: dateOf(clock.breachedAt),
      closed: clock.closed && { from: new Date(clock.closed.from), until: new Date(clock.closed.until) },
    };
  });
}
