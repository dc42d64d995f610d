import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { keyInput, lineInput } from '#server/contract/text-input.ts';
import { type Db, db, inTransaction } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { Channel } from '#server/generated/prisma/enums.ts';
import {
  DEFAULT_CHOICES,
  NOTIFICATION_CHANNELS,
  type NotificationChoices,
  PREFERENCE_KINDS,
  type PreferenceKind,
  SMALL_WORKSPACE_MEMBERS,
} from '#server/teammates/notification-kinds.ts';
import { type QuietHours, quietHoursErrors } from '#server/teammates/notification-preferences.ts';

type Whose = { workspaceId: string; userId: string };

/** Teams and channels whose new conversations do not notify the teammate. `noTeam`: conversations without a team. */
export type MutedConversations = { teamIds: string[]; noTeam: boolean; channels: Channel[] };

export type Preferences = {
  choices: NotificationChoices;
  muted: MutedConversations;
  quiet: QuietHours | null;
};

const NOTHING_MUTED: MutedConversations = { teamIds: [], noTeam: false, channels: [] };

const kinds = z
  .array(z.enum(PREFERENCE_KINDS))
  .max(100)
  .transform((kinds) => [...new Set(kinds)]);

/** Upper bound of the input. The ids of unknown teams are left out. */
const MUTED_TEAMS_MAX = 1_000;

/** Preferences as submitted. */
export const preferencesInput = z.object({
  choices: z.object({ bell: kinds, desktop: kinds, push: kinds, sound: kinds, email: kinds }),
  muted: z.object({
    teamIds: z.array(keyInput).max(MUTED_TEAMS_MAX),
    noTeam: z.boolean(),
    channels: z.array(z.enum(Channel)).max(100),
  }),
  quiet: z.object({ from: z.number(), until: z.number(), timeZone: lineInput }).nullable(),
});

/** Returns a teammate's notification preferences in a workspace, by default the default ones. */
export async function getPreferences(db: Db, { workspaceId, userId }: Whose): Promise<Preferences> {
  const row = await db.notificationPreference.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
  });
  if (!row) return { choices: DEFAULT_CHOICES, muted: NOTHING_MUTED, quiet: null };
  const { quietFrom, quietUntil, timeZone, mutedTeamIds, mutesNoTeam, mutedChannels } = row;
  const known = (kinds: string[]) => PREFERENCE_KINDS.filter((kind) => kinds.includes(kind));
  return {
    choices: {
      bell: known(row.bell),
      desktop: known(row.desktop),
      push: known(row.push),
      sound: known(row.sound),
      email: known(row.email),
    },
    muted: { teamIds: mutedTeamIds, noTeam: mutesNoTeam, channels: mutedChannels },
    quiet:
      quietFrom === null || quietUntil === null || timeZone === null
        ? null
        : { from: quietFrom, until: quietUntil, timeZone },
  };
}

/** Returns the preferences for the settings page, where new conversations are off by default in a large workspace. */
export async function getEditablePreferences(db: Db, whose: Whose): Promise<Preferences> {
  const preferences = await getPreferences(db, whose);
  if (preferences.choices !== DEFAULT_CHOICES) return preferences;
  const { workspaceId } = whose;
  const members = await db.member.findMany({
    where: { workspaceId },
    select: { userId: true },
    take: SMALL_WORKSPACE_MEMBERS + 1,
  });
  if (members.length <= SMALL_WORKSPACE_MEMBERS) return preferences;
  const isDefault = (kind: PreferenceKind) => kind !== 'new_conversation';
  const choices = { ...DEFAULT_CHOICES };
  for (const channel of NOTIFICATION_CHANNELS) choices[channel] = choices[channel].filter(isDefault);
  return { ...preferences, choices };
}

/**
 * Replaces a teammate's notification preferences in a workspace.
 * @throws Refusal for invalid quiet hours
 */
export async function savePreferences({
  workspaceId,
  userId,
  choices,
  muted,
  quiet,
}: Whose & Preferences): Promise<void> {
  const errors = quiet ? quietHoursErrors(quiet) : {};
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const teams = await db().team.findMany({
    where: { workspaceId, id: { in: muted.teamIds.filter((id) => isUuid(id)) }, deletedAt: null },
    select: { id: true },
  });
  const data = {
    ...choices,
    mutedTeamIds: teams.map(({ id }) => id),
    mutesNoTeam: muted.noTeam,
    mutedChannels: [...new Set(muted.channels)],
    quietFrom: quiet?.from ?? null,
    quietUntil: quiet?.until ?? null,
    timeZone: quiet?.timeZone ?? null,
  };
  await inTransaction((tx) =>
    tx.notificationPreference.upsert({
      where: { workspaceId_userId: { workspaceId, userId } },
      create: { workspaceId, userId, ...data },
      update: data,
    }),
  );
}
