'use server';

import { NO_TEAM } from '#app/components/settings/notifications/new-conversation-fields.tsx';
import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';
import { NOTIFICATION_CHANNELS } from '#server/screens/notification-views.ts';

/** Saves the checked kinds per channel, and the quiet hours. The server validates them. */
export const savePreferences = action(
  '/settings/notifications',
  async ({ notifications }, form: FormData) => {
    const choices = Object.fromEntries(
      NOTIFICATION_CHANNELS.map((channel) => [channel, form.getAll(channel)]),
    ) as Parameters<typeof notifications.savePreferences>[0]['choices'];
    // The form submits what is shown and what is checked: unchecked ones are muted.
    const isUnchecked = (name: string) => (value: string) => !form.getAll(name).includes(value);
    const shownTeams = form.getAll('shownTeam').map(String);
    const shownChannels = form.getAll('shownChannel').map(String);
    const muted = {
      teamIds: shownTeams.filter((id) => id !== NO_TEAM).filter(isUnchecked('team')),
      noTeam: shownTeams.includes(NO_TEAM) && isUnchecked('team')(NO_TEAM),
      channels: shownChannels.filter(isUnchecked('newOn')),
    } as Parameters<typeof notifications.savePreferences>[0]['muted'];
    const quiet = form.has('quiet')
      ? {
          from: minuteOf(textOf(form, 'quietFrom')),
          until: minuteOf(textOf(form, 'quietUntil')),
          timeZone: textOf(form, 'timeZone'),
        }
      : null;
    await notifications.savePreferences({ choices, muted, quiet });
  },
);

/** Adds this browser to the devices that get push notifications. */
export const addPushDevice = action(
  '/settings/notifications',
  ({ notifications }, subscription: { endpoint: string; p256dh: string; auth: string }) =>
    notifications.addDevice(subscription),
);

export const removePushDevice = action('/settings/notifications', ({ notifications }, id: string) =>
  notifications.removeDevice({ id }),
);

export const testPushDevice = action('/settings/notifications', ({ notifications }) =>
  notifications.testDevice(),
);

/** Converts `HH:MM` of a time field to minutes since midnight. -1 without a time, which is refused. */
function minuteOf(time: string): number {
  const [hour = '', minute = ''] = time.split(':');
  return /^\d{2}$/.test(hour) && /^\d{2}$/.test(minute) ? Number(hour) * 60 + Number(minute) : -1;
}
