import { type Ago, timestampOf } from '#prisma/seed/ago.ts';
import { newId } from '#prisma/seed/new-id.ts';
import { PEOPLE, PERSON_KEYS, type Person } from '#prisma/seed/people.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';

export function addUserRows(
  rows: Rows,
  given: { now: Date; passwordHash: string; firstWorkspaceOf: ReadonlyMap<Person, string> },
): Map<Person, Teammate> {
  const createdAt = timestampOf(given.now, SINCE);
  const teammates = new Map<Person, Teammate>();
  for (const person of PERSON_KEYS) {
    const teammate = { id: newId(createdAt), ...PEOPLE[person] };
    const times = { createdAt, updatedAt: createdAt };
    teammates.set(person, teammate);
    rows.users.push({
      ...teammate,
      emailVerified: true,
      lastWorkspaceId: given.firstWorkspaceOf.get(person) ?? null,
      ...times,
    });
    rows.accounts.push({
      id: newId(createdAt),
      userId: teammate.id,
      accountId: teammate.id,
      providerId: 'credential',
      password: given.passwordHash,
      ...times,
    });
  }
  return teammates;
}

const SINCE: Ago = '210d';
