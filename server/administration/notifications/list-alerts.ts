import {
  announceable,
  type NotificationView,
  notificationSelect,
  notificationViews,
} from '#server/administration/notifications/list-notifications.ts';
import { getPreferences } from '#server/administration/notifications/preferences.ts';
import type { Db } from '#server/core/database/prisma.ts';
import type { PreferenceKind } from '#server/teammates/notification-kinds.ts';
import { isQuiet } from '#server/teammates/notification-preferences.ts';
import { findVisibilities } from '#server/teammates/visibility.ts';

/** A new notification, and how the browser announces it. */
export type AlertView = Pick<NotificationView, 'id' | 'sentence' | 'href'> & {
  /** Time since it was created, in ms. */
  ageMs: number;
  desktop: boolean;
  sound: boolean;
};

/** Age in seconds up to which a notification is announced. An open page requests alerts right after each one. */
const MAX_AGE_SECONDS = 60;
const ALERTS_MAX = 5;

/**
 * Returns a teammate's newest unread notifications that the browser announces by their preferences, oldest first. None
 * during quiet hours, about a deleted conversation, or about one that the teammate does not see. The browser leaves out those that it announced before.
 */
export async function listAlerts(
  db: Db,
  { workspaceId, userId, now = new Date() }: { workspaceId: string; userId: string; now?: Date },
): Promise<AlertView[]> {
  const { choices, quiet } = await getPreferences(db, { workspaceId, userId });
  const kinds: string[] = [...choices.desktop, ...choices.sound];
  if (kinds.length === 0 || (quiet && isQuiet(quiet, now))) return [];
  const visibilities = await findVisibilities({ workspaceId, userIds: [userId] });
  const rows = await db.notification.findMany({
    where: {
      workspaceId,
      userId,
      readAt: null,
      kind: { in: kinds },
      createdAt: { gt: new Date(now.getTime() - MAX_AGE_SECONDS * 1_000) },
      ...announceable(visibilities.get(userId) ?? null),
    },
    select: notificationSelect,
    orderBy: { createdAt: 'desc' },
    take: ALERTS_MAX,
    relationLoadStrategy: 'join',
  });
  const views = await notificationViews(db, rows);
  return views
    .map(({ id, sentence, href, createdAt }, n) => {
      const kind = rows[n]?.kind as PreferenceKind;
      return {
        id,
        sentence,
        href,
        ageMs: now.getTime() - createdAt.getTime(),
        desktop: choices.desktop.includes(kind),
        sound: choices.sound.includes(kind),
      };
    })
    .reverse();
}
