import type { Prisma } from '#server/generated/prisma/client.ts';
import type { Db } from '#server/ground/db.ts';
import { settings } from '#server/ground/env.ts';
import { findHookNames } from '#server/members/notifications/find-hook-names.ts';
import { notificationSentence } from '#server/members/notifications/notification-sentence.ts';
import type { NotificationView } from '#server/members/notifications/views.ts';
import { contactLabel } from '#server/people/contacts/contact-label.ts';
import {
  NOTIFIED_ROLES,
  type NotificationContent,
  notificationContent,
} from '#server/people/notify/notification-content.ts';

/** How many notifications the bell shows. */
const NEWEST_MAX = 20;
/** Where hooks and connections are shown. */
const INTEGRATIONS = '/settings/integrations';

type Whose = { workspaceId: string; userId: string };

/** The newest notifications of a teammate in one workspace. */
export async function listNotifications(db: Db, { workspaceId, userId }: Whose): Promise<NotificationView[]> {
  const rows = await db.notification.findMany({
    where: { userId, workspaceId },
    select: notificationSelect,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: NEWEST_MAX,
    relationLoadStrategy: 'join',
  });
  return notificationViews(db, rows);
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

/** Notifications as they are told: a sentence and where it leads. */
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
      href: conversation
        ? `/inbox?selected=${conversation.id}`
        : isOfIntegrations(content)
          ? INTEGRATIONS
          : null,
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

function isOfIntegrations(content: NotificationContent | null): boolean {
  return content !== null && content.kind in NOTIFIED_ROLES;
}
