'use client';

import { useState } from 'react';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { savePreferences } from '#app/components/settings/notifications/actions.ts';
import {
  type ConversationChoices,
  NewConversationFields,
} from '#app/components/settings/notifications/new-conversation-fields.tsx';
import { QuietHoursFields } from '#app/components/settings/notifications/quiet-hours-fields.tsx';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import {
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  PREFERENCE_KINDS,
  type PreferenceKind,
  type Preferences,
} from '#server/screens/notification-views.ts';

const kinds: Record<PreferenceKind, string> = {
  assigned: 'A conversation is assigned to you',
  mentioned: 'A teammate mentions you',
  contact_wrote: 'A contact replies in your conversation',
  assignee_away: 'A contact replies while the assignee is away',
  noted: 'A teammate adds a note to your conversation',
  new_conversation: 'A conversation is new and unassigned',
  team_conversation: 'A conversation is assigned to your team',
  command_failed: 'A command you ran is not delivered',
};

const channels: Record<NotificationChannel, string> = {
  bell: 'In app',
  desktop: 'Desktop',
  push: 'Push',
  sound: 'Sound',
  email: 'Email',
};

type Props = { preferences: Preferences; timeZones: string[] } & ConversationChoices;

/** Table of kinds and channels, and the quiet hours. */
export function PreferencesForm({
  preferences: { choices, muted, quiet },
  timeZones,
  teams,
  channels: messageChannels,
}: Props) {
  const [hasQuietHours, setHasQuietHours] = useState(quiet !== null);
  const [state, submit, pending] = useFormAction(savePreferences, () => {
    toast.success('Notifications saved');
    void refetchTopic('notifications');
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-5">
      <table className="w-full table-fixed text-list">
        <caption className="pb-2 text-left font-semibold text-base">Notify me when</caption>
        <thead>
          <tr className="border-b text-ink-soft text-xs max-md:grid max-md:grid-cols-5">
            <td className="pb-1.5 max-md:hidden" />
            {NOTIFICATION_CHANNELS.map((channel) => (
              <th key={channel} scope="col" className="w-20 pb-1.5 text-center font-medium max-md:w-auto">
                {channels[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {PREFERENCE_KINDS.map((kind) => (
            <tr key={kind} className="max-md:grid max-md:grid-cols-5">
              <th scope="row" className="py-2.5 pr-2 text-left font-normal max-md:col-span-5 max-md:pb-0">
                {kinds[kind]}
              </th>
              {NOTIFICATION_CHANNELS.map((channel) => (
                <td key={channel} className="p-0 text-center">
                  <label className="inline-grid size-11 place-items-center">
                    <span className="sr-only">
                      {kinds[kind]}: {channels[channel]}
                    </span>
                    <input
                      type="checkbox"
                      name={channel}
                      value={kind}
                      defaultChecked={choices[channel].includes(kind)}
                      className="size-4 accent-accent max-md:size-5"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="max-w-[65ch] text-ink-soft text-list">
        Emails are sent after ten minutes, if you haven’t seen the notification in the app. Missed SLA targets
        and replies that were not sent are always emailed.
      </p>
      <NewConversationFields muted={muted} teams={teams} channels={messageChannels} />
      <QuietHoursFields
        quiet={quiet}
        timeZones={timeZones}
        state={state}
        isOn={hasQuietHours}
        onChange={setHasQuietHours}
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save notifications'}
      </Button>
    </ActionForm>
  );
}
