import { z } from 'zod';
import { listAlerts } from '#server/administration/notifications/list-alerts.ts';
import {
  countUnreadInBell,
  listNotifications,
} from '#server/administration/notifications/list-notifications.ts';
import {
  markAllRead,
  markConversationRead,
  markRead,
} from '#server/administration/notifications/mark-read.ts';
import {
  getEditablePreferences,
  preferencesInput,
  savePreferences,
} from '#server/administration/notifications/preferences.ts';
import {
  addPushDevice,
  listPushDevices,
  pushSubscriptionInput,
  removePushDevice,
  testPushDevice,
} from '#server/administration/notifications/push-devices.ts';
import { pushKeys } from '#server/administration/notifications/push-keys.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { keyInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { listTeams } from '#server/teammates/find-teammates.ts';
import { problemBeyondSession } from '#server/teammates/refuse-beyond-session.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

export type {
  NotificationsView,
  NotificationView,
} from '#server/administration/notifications/list-notifications.ts';

/** A teammate's notifications in the open workspace. */
export const notificationsScreens = screenRouter({
  list: screenProcedure.query(({ ctx: { workspace, user, reads } }) =>
    listNotifications(reads, {
      workspaceId: workspace.id,
      userId: user.id,
      role: workspace.role,
      visibility: workspace.visibility,
    }),
  ),
  /** Returns the new notifications that the browser announces. */
  alerts: screenProcedure.query(({ ctx: { workspace, user } }) =>
    listAlerts(db(), { workspaceId: workspace.id, userId: user.id }),
  ),
  preferences: screenProcedure.query(({ ctx: { workspace, user } }) =>
    getEditablePreferences(db(), { workspaceId: workspace.id, userId: user.id }),
  ),
  /** Returns the teams and channels for which a teammate chooses notifications. */
  preferenceChoices: screenProcedure.query(async ({ ctx: { workspace, reads } }) => ({
    teams: await listTeams(reads, workspace.id),
    channels: CHANNEL_LIST.map((channel) => ({ channel, name: CHANNEL_NAMES[channel].name })),
  })),
  savePreferences: screenProcedure
    .input(preferencesInput)
    .mutation(({ ctx: { workspace, user }, input }) =>
      savePreferences({ workspaceId: workspace.id, userId: user.id, ...input }),
    ),
  /** Returns the public key for which browsers subscribe to push notifications. */
  pushKey: screenProcedure.query(() => pushKeys().publicKey),
  devices: screenProcedure.query(({ ctx: { user, signedIn } }) =>
    listPushDevices(visibleDevices(user, signedIn)),
  ),
  addDevice: screenProcedure
    .input(pushSubscriptionInput)
    .mutation(({ ctx: { user, signedIn, headers }, input }) =>
      addPushDevice({
        userId: user.id,
        sessionId: signedIn.sessionId,
        userAgent: headers.get('user-agent'),
        ...input,
      }),
    ),
  removeDevice: screenProcedure
    .input(z.object({ id: keyInput }))
    .mutation(({ ctx: { user, signedIn }, input: { id } }) =>
      removePushDevice({ ...visibleDevices(user, signedIn), id }),
    ),
  testDevice: screenProcedure.mutation(async ({ ctx: { workspace, user, signedIn } }) => {
    const { id: workspaceId, visibility } = workspace;
    const unread = await countUnreadInBell({ workspaceId, userId: user.id, visibility });
    await testPushDevice({ userId: user.id, sessionId: signedIn.sessionId }, { unread });
  }),
  markRead: screenProcedure
    .input(z.object({ id: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      markRead(db(), { workspaceId: workspace.id, userId: user.id, id: input.id }),
    ),
  markConversationRead: screenProcedure
    .meta({ names: { conversationId: 'conversation' } })
    .input(z.object({ conversationId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      markConversationRead(db(), { workspaceId: workspace.id, userId: user.id, ...input }),
    ),
  markAllRead: screenProcedure
    .input(z.object({ until: z.date() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      markAllRead(db(), { workspaceId: workspace.id, userId: user.id, until: input.until }),
    ),
});

/** Returns which browsers a session may list and remove: only its own if it must not change what applies in all workspaces. */
function visibleDevices({ id: userId }: Teammate, signedIn: SignedIn) {
  const { sessionId } = signedIn;
  return { userId, sessionId, onlyCurrent: problemBeyondSession(signedIn) !== null };
}
