import { NotificationPopover } from '#app/components/notifications/notification-popover.tsx';
import { listNotifications } from '#app/data/list-notifications.ts';

/** The teammate's notifications of the open workspace, behind a bell that says how many are unread. */
export async function Bell() {
  return <NotificationPopover view={await listNotifications()} />;
}
