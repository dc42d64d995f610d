import {
  findHookNames,
  notificationSentence,
} from '#server/administration/notifications/notification-sentence.ts';
import { contactLabel } from '#server/contacts/contact-label.ts';
import { ask, type ReadDb, read } from '#server/core/database/batch-reads.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import {
  NOTIFIED_ROLES,
  type NotificationContent,
  notificationContent,
} from '#server/teammates/notification-content.ts';

/** How many notifications the bell shows. */
const NEWEST_MAX = 20;
/** Where hooks and connections are shown. */
const INTEGRATIONS = '/settings/integrations';
const CHANNELS_PAGE = '/settings/channels';
const STORAGE_PAGE = '/settings/web-chat';

type Whose = { workspaceId: string; userId: string };
/** A row of it: the moments of a notification are texts. */
type Row = Omit<SelectedNotification, 'createdAt' | 'readAt'> & {
  createdAt: string;
  readAt: string | null;
  unread: number;
};

/** Beyond this no one needs the exact number of unread ones, and it need not be counted. */
const COUNTED_MAX = 100;

const statement = ({ workspaceId, userId }: Whose) => Prisma.sql`
    select n.id, n.kind, n.data, n.created_at as "createdAt", n.read_at as "readAt",
      case when c.id is not null then json_build_object('id', c.id, 'subject', c.subject,
        'contact', case when k.id is not null then json_build_object('id', k.id, 'firstName', k.first_name,
          'lastName', k.last_name, 'email', k.email, 'phone', k.phone) end) end as conversation,
      (select count(*)::int from (
        select from notifications where user_id = ${userId}::uuid and workspace_id = ${workspaceId}::uuid and read_at is null limit ${COUNTED_MAX}::int
      ) u) as unread
    from notifications n
    left join conversations c on c.workspace_id = n.workspace_id and c.id = n.conversation_id
    left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    where n.user_id = ${userId}::uuid and n.workspace_id = ${workspaceId}::uuid
    order by n.created_at desc, n.id desc limit ${NEWEST_MAX}::int`;

/**
 * The newest notifications of a teammate in one workspace, and how many are unread: 100 means so many or more. One round trip,
 * and another where they name workflows.
 */
export async function listNotifications(reads: ReadDb, whose: Whose): Promise<NotificationsView> {
  const rows = await ask(
    reads,
    read(statement(whose), (found: Row[]) => found),
  );
  const newest = rows.map(({ createdAt, readAt, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt),
    readAt: readAt === null ? null : new Date(readAt),
  }));
  return { newest: await notificationViews(db(), newest), unread: rows[0]?.unread ?? 0 };
}

/** What a query must select for `notificationViews`. */
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

type SelectedNotification = Prisma.NotificationGetPayload<{ select: typeof notificationSelect }>;

/** Notifications as they are shown: a sentence and where it leads. */
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

/** Where the settings are that it is about, for those who may change them. */
function settingsOf(content: NotificationContent | null): string | null {
  if (content === null || !(content.kind in NOTIFIED_ROLES)) return null;
  if (content.kind === 'storage_low') return STORAGE_PAGE;
  return 'accountId' in content.data ? CHANNELS_PAGE : INTEGRATIONS;
}

/** A notification as the bell shows it. */
export type NotificationView = {
  id: string;
  sentence: string;
  /** Where it leads, as a path; null when there is nothing to see any more. */
  href: string | null;
  createdAt: Date;
  isRead: boolean;
};

/** The newest notifications of a teammate in one workspace, and how many are unread in all; 100: so many or more. */
export type NotificationsView = { newest: NotificationView[]; unread: number };
