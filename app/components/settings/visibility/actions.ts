'use server';

import { action } from '#app/data/action.ts';

const VISIBILITY = '/settings/visibility';

type Source = { mailboxId: string | null; channelAccountId: string | null };

/** Limits a source to teams, or opens it to everyone (null). */
export const limitSource = action(
  VISIBILITY,
  async ({ visibility }, source: Source, teamIds: string[] | null) => {
    await visibility.limitSource({ ...source, teamIds });
  },
);

export const setOnlyAssigned = action(
  VISIBILITY,
  async ({ visibility }, userId: string, onlyAssigned: boolean) => {
    await visibility.setOnlyAssigned({ userId, onlyAssigned });
  },
);
