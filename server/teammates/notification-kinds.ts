import type { NotificationContent } from '#server/teammates/notification-content.ts';

type Kind = NotificationContent['kind'];

/** Kinds of notifications that teammates turn on and off. All others always appear in the app. */
export const PREFERENCE_KINDS = [
  'assigned',
  'mentioned',
  'contact_wrote',
  'assignee_away',
  'noted',
  'new_conversation',
  'team_conversation',
  'command_failed',
] as const satisfies Kind[];

export type PreferenceKind = (typeof PREFERENCE_KINDS)[number];

/** `bell`: the list in the app. `desktop`: notifications while the app is open in a tab. `push`: on devices, also while it is closed. */
export const NOTIFICATION_CHANNELS = ['bell', 'desktop', 'push', 'sound', 'email'] as const;

export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export type NotificationChoices = Record<NotificationChannel, PreferenceKind[]>;

/**
 * Choices of a teammate who has saved none. New conversations are a default of small workspaces only, where everyone
 * handles them. In larger ones these notifications are not created for teammates without choices.
 */
export const DEFAULT_CHOICES: NotificationChoices = {
  bell: [
    'assigned',
    'mentioned',
    'contact_wrote',
    'assignee_away',
    'noted',
    'new_conversation',
    'command_failed',
  ],
  desktop: ['assigned', 'mentioned', 'contact_wrote', 'assignee_away', 'new_conversation', 'command_failed'],
  // The column has the same default without `new_conversation`, which would notify teammates who turned it off.
  push: ['assigned', 'mentioned', 'contact_wrote', 'assignee_away', 'new_conversation', 'command_failed'],
  sound: [],
  email: ['assigned', 'mentioned', 'noted', 'command_failed'],
};

/** Maximum number of members of a small workspace. */
export const SMALL_WORKSPACE_MEMBERS = 10;
