import {
  findHookNames,
  notificationSentence,
} from '#server/administration/notifications/notification-sentence.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { contactOf } from '#server/contacts/contact-record.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import {
  isReadableBy,
  type MemberView,
  NOT_DELETED,
} from '#server/inbox/conversations/readable-conversations.ts';
import { isVisibleById, visibleById } from '#server/inbox/conversations/visible-conversations.ts';
import {
  NOTIFIED_ROLES,
  type NotificationContent,
  notificationContent,
} from '#server/teammates/notification-content.ts';
import {
  DEFAULT_CHOICES,
  type NotificationChannel,
  PREFERENCE_KINDS,
} from '#server/teammates/notification-kinds.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Number of notifications in the bell's menu. */
const NEWEST_MAX = 20;
/** Page with hooks and connections. */
const INTEGRATIONS = '/settings/integrations';
const CHANNELS_PAGE = '/settings/channels';
const DEVELOPERS_PAGE = '/settings/developers';
const STORAGE_PAGE = '/settings/web-chat';

type Whose = { workspaceId: string; userId: string };
type Reader = Whose & MemberView;
/** Row of `statement`. JSON carries timestamps as text. */
type Row = Omit<SelectedNotification, 'createdAt' | 'readAt'> & {
  createdAt: string;
  readAt: string | null;
};

/** Upper bound of the unread count. No one needs an exact number above it. */
const COUNTED_MAX = 100;

/** Returns the condition that a teammate wants the notification `n` on a channel. */
function isWanted({ workspaceId, userId }: Whose, channel: NotificationChannel): Prisma.Sql {
  const kinds = Prisma.sql`${[...PREFERENCE_KINDS]}::text[]`;
  return Prisma.sql`(n.kind <> all (${kinds}) or n.kind = any (coalesce(
    (select ${Prisma.raw(channel)} from notification_preferences
      where workspace_id = ${workspaceId}::uuid and user_id = ${userId}::uuid),
    ${DEFAULT_CHOICES[channel]}::text[])))`;
}

/** Returns a subquery that counts a teammate's unread notifications `n`, up to `COUNTED_MAX`. */
function countUnread(
  { workspaceId, userId, visibility }: Whose & Pick<Reader, 'visibility'>,
  condition: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`(select count(*)::int from (
    select from notifications n
    where n.user_id = ${userId}::uuid and n.workspace_id = ${workspaceId}::uuid and n.read_at is null and ${condition} and ${isAboutVisible(visibility)}
    limit ${COUNTED_MAX}::int
  ) u)`;
}

/** Returns the condition that the notification `n` is about no conversation that the teammate does not see. */
function isAboutVisible(visibility: Visibility | null | undefined): Prisma.Sql {
  if (!visibility) return Prisma.sql`true`;
  return Prisma.sql`(n.conversation_id is null or exists (
    select from conversations c
    where c.workspace_id = n.workspace_id and c.id = n.conversation_id and ${isVisibleById(visibility)}))`;
}

const statement = ({ workspaceId, userId, role, visibility }: Reader) => Prisma.sql`
    select n.id, n.kind, n.data, n.created_at as "createdAt", n.read_at as "readAt",
      case when c.id is not null then json_build_object('id', c.id, 'subject', c.subject,
        'contact', ${contactOf('k')}) end as conversation
    from notifications n
    left join conversations c on c.workspace_id = n.workspace_id and c.id = n.conversation_id and ${isReadableBy({ role, visibility })}
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    where n.user_id = ${userId}::uuid and n.workspace_id = ${workspaceId}::uuid and ${isWanted({ workspaceId, userId }, 'bell')}
      and ${isAboutVisible(visibility)}
    order by n.created_at desc, n.id desc limit ${NEWEST_MAX}::int`;

/**
 * Returns one row, also without notifications and without saved preferences. Counts other kinds only if the bell has no
 * unread ones: `offset 0` keeps PostgreSQL from counting those twice.
 */
const stateStatement = (whose: Reader) => Prisma.sql`
    select u.unread, u.unread > 0 or ${countUnread(whose, Prisma.sql`true`)} > 0 as "hasUnread",
      coalesce(p.desktop, ${DEFAULT_CHOICES.desktop}::text[]) <> '{}' as desktop,
      coalesce(p.sound, ${DEFAULT_CHOICES.sound}::text[]) <> '{}' as sound
    from (select ${countUnread(whose, isWanted(whose, 'bell'))} as unread offset 0) u
    left join notification_preferences p
      on p.workspace_id = ${whose.workspaceId}::uuid and p.user_id = ${whose.userId}::uuid`;

type State = Announces & { unread: number; hasUnread: boolean };

/**
 * Returns the newest notifications of a teammate in one workspace and the unread count (100 means "100 or
 * more"). A deleted conversation is named and linked only for those who may read it. Those
 * about a conversation that the teammate no longer sees are left out. One round trip, plus one when a
 * notification names a workflow.
 */
export async function listNotifications(reads: ReadDb, reader: Reader): Promise<NotificationsView> {
  const [rows, state] = await Promise.all([
    runRead(reads, statement(reader), (found: Row[]) => found),
    runRead(reads, stateStatement(reader), ([found]: State[]) => found),
  ]);
  if (!state) throw new Error('The state of the notifications has a row.');
  const { unread, hasUnread, ...announces } = state;
  const newest = rows.map(({ createdAt, readAt, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    readAt: readAt === null ? null : new Date(readAt),
  }));
  return { newest: await notificationViews(db(), newest), unread, hasUnread, announces };
}

/**
 * Returns a teammate's number of unread notifications as their bell shows it, for the badge of the app: without the kinds that
 * the bell leaves out, and at most `COUNTED_MAX`.
 */
export async function countUnreadInBell(whose: Whose & { visibility: Visibility | null }): Promise<number> {
  const [found] = await sql().$queryRaw<{ unread: number }[]>`
    select ${countUnread(whose, isWanted(whose, 'bell'))} as unread`;
  return found?.unread ?? 0;
}

/** The columns that `notificationViews` needs. */
export const notificationSelect = {
  id: true,
  kind: true,
  data: true,
  createdAt: true,
  readAt: true,
  conversation: {
    select: {
      id: true,
      subject: true,
      contact: { select: { id: true, firstName: true, lastName: true, email: true, phone: true } },
    },
  },
} satisfies Prisma.NotificationSelect;

/**
 * Returns the filter of notifications that are about no deleted conversation and none that their teammate does not see. Emails and
 * alerts leave deleted ones out for everyone, because others may see them.
 */
export function announceable(visibility: Visibility | null) {
  return {
    OR: [{ conversationId: null }, { conversation: { AND: [NOT_DELETED, visibleById(visibility)] } }],
  } satisfies Prisma.NotificationWhereInput;
}

type SelectedNotification = Prisma.NotificationGetPayload<{ select: typeof notificationSelect }>;

/** Returns the sentence and link of each notification. */
export async function notificationViews(db: Db, rows: SelectedNotification[]): Promise<NotificationView[]> {
  const read = rows.map((row) => ({ row, content: contentOf(row) }));
  const hookNames = await findHookNames(
    db,
    read.flatMap(({ content }) => hookIdOf(content) ?? []),
  );
  const { PLATFORM_NAME: platformName } = settings();
  return read.map(({ row: { id, createdAt, readAt, conversation }, content }) => {
    const hookId = hookIdOf(content);
    const contact = conversation?.contact;
    return {
      id,
      sentence: notificationSentence(content, {
        conversation: conversation && {
          subject: conversation.subject,
          contactName: contact ? contactLabel(contact) : null,
        },
        hookNames: hookNames.get(hookId ?? ''),
        platformName,
      }),
      href: conversation ? `/inbox?selected=${conversation.id}` : settingsOf(content),
      createdAt,
      isRead: readAt !== null,
    };
  });
}

function contentOf(row: { kind: string; data: unknown }): NotificationContent | null {
  const parsed = notificationContent.safeParse(row);
  return parsed.success ? parsed.data : null;
}

function hookIdOf(content: NotificationContent | null): string | undefined {
  return content && 'hookId' in content.data ? content.data.hookId : undefined;
}

/** Returns the settings page that the notification is about, or null. */
function settingsOf(content: NotificationContent | null): string | null {
  if (content === null || !(content.kind in NOTIFIED_ROLES)) return null;
  if (content.kind === 'storage_low') return STORAGE_PAGE;
  if (content.kind === 'api_token_created' || 'endpointId' in content.data) return DEVELOPERS_PAGE;
  return 'accountId' in content.data ? CHANNELS_PAGE : INTEGRATIONS;
}

export type NotificationView = {
  id: string;
  sentence: string;
  /** Path of the page it is about; null when there is nothing left to show. */
  href: string | null;
  createdAt: Date;
  isRead: boolean;
};

/** Ways in which the browser announces new notifications of any kind. */
type Announces = { desktop: boolean; sound: boolean };

/** Newest notifications and unread count, capped at 100. `hasUnread`: any kind, also one that the bell leaves out. */
export type NotificationsView = {
  newest: NotificationView[];
  unread: number;
  hasUnread: boolean;
  announces: Announces;
};
