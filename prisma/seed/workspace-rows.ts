import { timestampOf } from '#prisma/seed/ago.ts';
import {
  addChannelAccountRows,
  type Connecting,
  type MadeChannels,
} from '#prisma/seed/channel-account-rows.ts';
import { addContactRows } from '#prisma/seed/contact-rows.ts';
import type { DemoContact, DemoMailbox, DemoTeam, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { known } from '#prisma/seed/known.ts';
import { newId } from '#prisma/seed/new-id.ts';
import { PERSON_KEYS, type Person } from '#prisma/seed/people.ts';
import type { Rows } from '#prisma/seed/rows.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { DEFAULT_CHOICES } from '#server/teammates/notification-kinds.ts';

export type MadeWorkspace = {
  id: string;
  /** Members only. */
  teammates: ReadonlyMap<Person, Teammate>;
  teams: ReadonlyMap<DemoTeam, string>;
  mailboxes: ReadonlyMap<DemoMailbox, string>;
  contacts: ReadonlyMap<DemoContact, string>;
  channels: MadeChannels;
};

/** Does not add conversations. */
export function addWorkspaceRows(
  rows: Rows,
  data: DemoWorkspace,
  given: {
    id: string;
    now: Date;
    everybody: ReadonlyMap<Person, Teammate>;
    connecting: Connecting | null;
  },
): MadeWorkspace {
  const { id, now, everybody, connecting } = given;
  const createdAt = timestampOf(now, data.since);
  rows.workspaces.push({
    id,
    name: data.name,
    plan: data.plan,
    slaFirstResponseMinutes: data.sla?.firstResponse ?? null,
    slaResolutionMinutes: data.sla?.resolution ?? null,
    aiAgentEnabled: data.answers !== undefined,
    setupEndedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
  });
  for (const { since, ...columns } of data.integrations) {
    const at = timestampOf(now, since);
    rows.integrations.push({ id: newId(at), workspaceId: id, ...columns, createdAt: at });
  }
  const base = { rows, data, workspaceId: id, createdAt };
  const teammates = addMemberRows(base, everybody);
  const contacts = addContactRows(rows, data, { workspaceId: id, now });
  return {
    id,
    teammates,
    teams: addTeamRows(base, teammates),
    mailboxes: addMailboxRows(base),
    contacts,
    channels: addChannelAccountRows(rows, data, { workspaceId: id, createdAt, contacts, connecting }),
  };
}

type Base = { rows: Rows; data: DemoWorkspace; workspaceId: string; createdAt: Date };

/** Choices of the agent, who is notified of conversations with an assignee only. The others get the defaults. */
const OWN_WORK = Object.fromEntries(
  Object.entries(DEFAULT_CHOICES).map(([channel, kinds]) => [
    channel,
    kinds.filter((kind) => kind !== 'new_conversation'),
  ]),
);

function addMemberRows(base: Base, everybody: ReadonlyMap<Person, Teammate>): Map<Person, Teammate> {
  const { rows, data, workspaceId, createdAt } = base;
  const teammates = new Map<Person, Teammate>();
  for (const person of PERSON_KEYS) {
    const role = data.members[person];
    if (!role) continue;
    const teammate = known(everybody, person);
    teammates.set(person, teammate);
    rows.members.push({ workspaceId, userId: teammate.id, role, createdAt, updatedAt: createdAt });
    if (role === 'agent')
      rows.notificationPreferences.push({ workspaceId, userId: teammate.id, ...OWN_WORK });
  }
  return teammates;
}

function addTeamRows(base: Base, teammates: ReadonlyMap<Person, Teammate>): Map<DemoTeam, string> {
  const { rows, data, workspaceId, createdAt } = base;
  const teams = new Map<DemoTeam, string>();
  for (const team of data.teams) {
    const id = newId(createdAt);
    teams.set(team, id);
    rows.teams.push({ id, workspaceId, name: team.name, createdAt });
    for (const person of team.members) {
      rows.teamMembers.push({ workspaceId, teamId: id, userId: known(teammates, person).id });
    }
  }
  return teams;
}

function addMailboxRows(base: Base): Map<DemoMailbox, string> {
  const { rows, data, workspaceId, createdAt } = base;
  const emailDomainId = data.domain.verified ? newId(createdAt) : null;
  if (emailDomainId) {
    const domain = data.domain.name;
    rows.emailDomains.push({
      id: emailDomainId,
      workspaceId,
      domain,
      verificationToken: `inbox-verification=${domain}`,
      verifiedAt: createdAt,
      createdAt,
    });
  }
  const mailboxes = new Map<DemoMailbox, string>();
  for (const [index, mailbox] of data.mailboxes.entries()) {
    const id = newId(createdAt);
    mailboxes.set(mailbox, id);
    rows.mailboxes.push({ id, workspaceId, ...mailbox, isDefault: index === 0, emailDomainId, createdAt });
  }
  return mailboxes;
}
