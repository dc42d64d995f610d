import type { Role } from '#server/generated/prisma/enums.ts';

/** A role as a sentence names it. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  agent: 'an agent',
  viewer: 'a viewer',
};
