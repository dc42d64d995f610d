import type { Role } from '#server/generated/prisma/enums.ts';
import { WORKING_ROLES } from '#server/teammates/roles.ts';

/** Whether a role may create and change contacts: every one but viewers (spec.md §1). */
export function mayChangeContacts(role: Role): boolean {
  return WORKING_ROLES.some((working) => working === role);
}
