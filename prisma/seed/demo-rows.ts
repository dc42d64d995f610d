import { timestampOf } from '#prisma/seed/ago.ts';
import { addAutomationRows } from '#prisma/seed/automation-rows.ts';
import { business } from '#prisma/seed/business.ts';
import type { Connecting } from '#prisma/seed/channel-account-rows.ts';
import { addConversationRows } from '#prisma/seed/conversation-rows.ts';
import { full } from '#prisma/seed/full.ts';
import { growth } from '#prisma/seed/growth/workspace.ts';
import { newId } from '#prisma/seed/new-id.ts';
import type { Person } from '#prisma/seed/people.ts';
import { noRows, type Rows } from '#prisma/seed/rows.ts';
import { scale } from '#prisma/seed/scale.ts';
import { starter } from '#prisma/seed/starter.ts';
import { addUserRows } from '#prisma/seed/user-rows.ts';
import { addWorkspaceRows } from '#prisma/seed/workspace-rows.ts';

/**
 * Returns all rows of the demo data, as of `now`.
 * @param connecting null to connect no channel
 */
export function demoRows({
  now,
  passwordHash,
  connecting,
}: {
  now: Date;
  passwordHash: string;
  connecting: Connecting | null;
}): Rows {
  const rows = noRows();
  const workspaces = [starter, growth, business, scale, full].map((data) => ({
    data,
    id: newId(timestampOf(now, data.since)),
  }));
  const firstWorkspaceOf = new Map<Person, string>();
  for (const { data, id } of workspaces) {
    if (data === growth) for (const person of EVERYWHERE) firstWorkspaceOf.set(person, id);
    if (data === business) firstWorkspaceOf.set('owner2', id);
  }
  const everybody = addUserRows(rows, { now, passwordHash, firstWorkspaceOf });
  for (const { data, id } of workspaces) {
    const made = addWorkspaceRows(rows, data, { id, now, everybody, connecting });
    addAutomationRows(rows, data, made, now);
    addConversationRows(rows, data, { made, now });
  }
  return rows;
}

/** Teammates for whom Demo Growth is open at first sign-in. */
const EVERYWHERE: Person[] = ['owner', 'admin', 'agent', 'viewer'];
