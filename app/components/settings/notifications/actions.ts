'use server';

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
    const quiet = form.has('quiet')
      ? {
          from: minuteOf(textOf(form, 'quietFrom')),
          until: minuteOf(textOf(form, 'quietUntil')),
          timeZone: textOf(form, 'timeZone'),
        }
      : null;
    await notifications.savePreferences({ choices, quiet });
  },
);

/** Converts `HH:MM` of a time field to minutes since midnight. -1 without a time, which is refused. */
function minuteOf(time: string): number {
  const [hour = '', minute = ''] = time.split(':');
  return /^\d{2}$/.test(hour) && /^\d{2}$/.test(minute) ? Number(hour) * 60 + Number(minute) : -1;
}
