import { db } from '#server/core/database/prisma.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Returns the teammate as the author of changes that a job makes; once the account is deleted, no one in particular. */
export async function findActor(userId: string): Promise<Actor> {
  const teammate = await db().user.findUnique({
    where: { id: userId },
    select: { id: true, name: true, email: true },
  });
  return teammate ? { kind: 'teammate', teammate } : { kind: 'automatic' };
}
