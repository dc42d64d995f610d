export type { AlertView } from '#server/administration/notifications/list-alerts.ts';
export type { Preferences } from '#server/administration/notifications/preferences.ts';
export type { PushDevice } from '#server/administration/notifications/push-devices.ts';
export {
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  PREFERENCE_KINDS,
  type PreferenceKind,
} from '#server/teammates/notification-kinds.ts';
