import { z } from 'zod';
import { lineInput } from '#server/contract/text-input.ts';
import { type Db, inTransaction } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import {
  DEFAULT_CHOICES,
  type NotificationChoices,
  PREFERENCE_KINDS,
} from '#server/teammates/notification-kinds.ts';
import { type QuietHours, quietHoursErrors } from '#server/teammates/notification-preferences.ts';

type Whose = { workspaceId: string; userId: string };

export type Preferences = { choices: NotificationChoices; quiet: QuietHours | null };

const kinds = z
  .array(z.enum(PREFERENCE_KINDS))
  .max(100)
  .transform((given) => [...new Set(given)]);

/** Preferences as submitted. */
export const preferencesInput = z.object({
  choices: z.object({ bell: kinds, desktop: kinds, sound: kinds, email: kinds }),
  quiet: z.object({ from: z.number(), until: z.number(), timeZone: lineInput }).nullable(),
});

/** Returns a teammate's notification preferences in a workspace, by default the default ones. */
export async function getPreferences(db: Db, { workspaceId, userId }: Whose): Promise<Preferences> {
  const row = await db.notificationPreference.findUnique({
    where: { workspaceId_userId: { workspaceId, userId } },
  });
  if (!row) return { choices: DEFAULT_CHOICES, quiet: null };
  const { quietFrom, quietUntil, timeZone } = row;
  const known = (given: string[]) => PREFERENCE_KINDS.filter((kind) => given.includes(kind));
  return {
    choices: {
      bell: known(row.bell),
      desktop: known(row.desktop),
      sound: known(row.sound),
      email: known(row.email),
    },
    quiet:
      quietFrom === null || quietUntil === null || timeZone === null
        ? null
        : { from: quietFrom, until: quietUntil, timeZone },
  };
}

/**
 * Replaces a teammate's notification preferences in a workspace.
 * @throws Refusal for invalid quiet hours
 */
export async function savePreferences({
  workspaceId,
  userId,
  choices,
  quiet,
}: Whose & Preferences): Promise<void> {
  const errors = quiet ? quietHoursErrors(quiet) : {};
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const data = {
    ...choices,
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
