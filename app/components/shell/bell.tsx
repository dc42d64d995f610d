import { LiveNotifications } from '#app/components/notifications/live-notifications.tsx';
import { listNotifications } from '#app/data/list-notifications.ts';

/** The teammate's notifications of the open workspace, behind a bell that says how many are unread. */
export async function Bell() {
  return <LiveNotifications served={await listNotifications()} />;
}
