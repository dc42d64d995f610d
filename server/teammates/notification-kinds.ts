import type { NotificationContent } from '#server/teammates/notification-content.ts';

type Kind = NotificationContent['kind'];

/** Kinds of notifications that teammates turn on and off. All others always appear in the app. */
export const PREFERENCE_KINDS = [
  'assigned',
  'mentioned',
  'contact_wrote',
  'noted',
  'team_conversation',
  'command_failed',
] as const satisfies Kind[];

export type PreferenceKind = (typeof PREFERENCE_KINDS)[number];

/** `bell`: the list in the app. `desktop`: notifications of the operating system. */
export const NOTIFICATION_CHANNELS = ['bell', 'desktop', 'sound', 'email'] as const;

export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export type NotificationChoices = Record<NotificationChannel, PreferenceKind[]>;

/** Choices of a teammate who has saved none. */
export const DEFAULT_CHOICES: NotificationChoices = {
  bell: ['assigned', 'mentioned', 'contact_wrote', 'noted', 'command_failed'],
  desktop: ['assigned', 'mentioned', 'contact_wrote', 'command_failed'],
  sound: [],
  email: ['assigned', 'mentioned', 'noted', 'command_failed'],
};
