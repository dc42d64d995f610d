import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

type Copy = { from: string; to: string };

/**
 * Creates a test workspace with the settings of a workspace (docs/test-workspaces.md): its columns, teammates, teams, tags and custom fields,
 * shared saved replies and views, automations and answers of the AI agent. Copies no secret and nothing about contacts: tokens,
 * webhooks, connections, channels, files, blocked senders, private replies and views.
 */
export async function copySettings(tx: Tx, { name, ...copy }: Copy & { name: string }): Promise<void> {
  await copyWorkspace(tx, { name, ...copy });
  await tx.$executeRaw`
    insert into members (workspace_id, user_id, role, signature)
    select ${copy.to}::uuid, user_id, role, signature from members where workspace_id = ${copy.from}::uuid`;
  await addMailbox(tx, copy);
  const ids = new Map([...(await copyTeams(tx, copy)), ...(await copyFields(tx, copy))]);
  const withNewIds: WithNewIds = (json) =>
    JSON.parse(JSON.stringify(json).replaceAll(UUID, (id) => ids.get(id) ?? id));
  await copyFlows(tx, copy, withNewIds);
  await copyShared(tx, copy, withNewIds);
  await tx.$executeRaw`
    insert into tags (workspace_id, key, name, tint, created_at)
    select ${copy.to}::uuid, key, name, tint, created_at from tags where workspace_id = ${copy.from}::uuid`;
  await tx.$executeRaw`
    insert into saved_answers (id, workspace_id, question, answer, next_status, created_at)
    select gen_random_uuid(), ${copy.to}::uuid, question, answer, next_status, created_at from saved_answers
    where workspace_id = ${copy.from}::uuid`;
}

/** Copies every column that is not named here, so that a new setting is copied as well. */
async function copyWorkspace(tx: Tx, { from, to, name }: Copy & { name: string }): Promise<void> {
  const {
    id: testOfId,
    name: _name,
    testOfId: _never,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    deletedAt: _deletedAt,
    // That of the workspace applies to its test workspace.
    secondFactorFrom: _required,
    businessHours,
    ...settings
  } = await tx.workspace.findUniqueOrThrow({ where: { id: from } });
  // The first steps of a workspace, such as verifying a domain, are not those of a test.
  const setupEndedAt = new Date();
  await tx.workspace.create({
    data: {
      ...settings,
      businessHours: businessHours ?? Prisma.DbNull,
      id: to,
      name,
      testOfId,
      setupEndedAt,
    },
    select: { id: true },
  });
}

/** Adds a default mailbox, so that the workspace can write email. No mail server finds its domain (RFC 6761 §6.4). */
async function addMailbox(tx: Tx, { from, to }: Copy): Promise<void> {
  const original = await tx.mailbox.findFirst({
    where: { workspaceId: from, isDefault: true },
    select: { name: true },
  });
  // The random end of the id: an address is unique over all workspaces.
  const address = `inbox@test-${to.slice(-12)}.invalid`;
  const data = { workspaceId: to, address, name: original?.name ?? 'Support', isDefault: true };
  await tx.mailbox.create({ data, select: { id: true } });
}

/** Replaces the ids of teams, custom fields and their choices in filters and actions. */
type WithNewIds = <T extends Prisma.JsonValue>(json: T) => Prisma.InputJsonValue;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns the new ids by those of the original. */
async function copyTeams(tx: Tx, { from, to }: Copy): Promise<Map<string, string>> {
  const teams = await tx.team.findMany({
    where: { workspaceId: from, deletedAt: null },
    select: {
      id: true,
      name: true,
      createdAt: true,
      businessHours: true,
      assignment: true,
      assignmentLimit: true,
    },
  });
  const ids = new Map(teams.map(({ id }) => [id, uuidv7()]));
  const newId = (id: string) => ids.get(id) ?? id;
  await tx.team.createMany({
    data: teams.map(({ businessHours, ...team }) => ({
      ...team,
      businessHours: businessHours ?? Prisma.DbNull,
      id: newId(team.id),
      workspaceId: to,
    })),
  });
  await tx.$executeRaw`
    insert into team_members (workspace_id, team_id, user_id)
    select ${to}::uuid, n.to_id, t.user_id
    from unnest(${[...ids.keys()]}::uuid[], ${[...ids.values()]}::uuid[]) as n (from_id, to_id)
    join team_members t on t.team_id = n.from_id and t.workspace_id = ${from}::uuid`;
  return ids;
}

/** Copies custom fields with their choices, in their order. Returns the new ids by those of the original. */
async function copyFields(tx: Tx, { from, to }: Copy): Promise<Map<string, string>> {
  const own = { where: { workspaceId: from, deletedAt: null } };
  const fields = await tx.customField.findMany({ ...own, orderBy: [{ position: 'asc' }, { id: 'asc' }] });
  const choices = await tx.fieldChoice.findMany({
    where: { ...own.where, field: { deletedAt: null } },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  const ids = new Map([...fields, ...choices].map(({ id }) => [id, uuidv7()]));
  const newId = (id: string) => ids.get(id) ?? id;
  await tx.customField.createMany({
    data: fields.map((field) => ({ ...field, id: newId(field.id), workspaceId: to })),
  });
  await tx.fieldChoice.createMany({
    data: choices.map((choice) => ({
      ...choice,
      id: newId(choice.id),
      fieldId: newId(choice.fieldId),
      workspaceId: to,
    })),
  });
  return ids;
}

async function copyFlows(tx: Tx, { from, to }: Copy, withNewIds: WithNewIds): Promise<void> {
  const flows = await tx.flow.findMany({
    where: { workspaceId: from },
    select: {
      name: true,
      enabled: true,
      trigger: true,
      condition: true,
      actions: true,
      timedUntil: true,
      createdAt: true,
    },
  });
  await tx.flow.createMany({
    data: flows.map(({ condition, actions, timedUntil, ...flow }) => ({
      ...flow,
      timedUntil: timedUntil && new Date(),
      workspaceId: to,
      condition: withNewIds(condition),
      actions: withNewIds(actions),
    })),
  });
}

/** Copies shared saved replies, without their files, and shared views. */
async function copyShared(tx: Tx, { from, to }: Copy, withNewIds: WithNewIds): Promise<void> {
  await tx.$executeRaw`
    insert into saved_replies (id, workspace_id, created_by_id, created_by_name, folder, name, content, created_at, updated_at)
    select gen_random_uuid(), ${to}::uuid, created_by_id, created_by_name, folder, name, content, created_at, updated_at
    from saved_replies where workspace_id = ${from}::uuid and owner_id is null`;
  const views = await tx.savedView.findMany({
    where: { workspaceId: from, ownerId: null },
    select: { name: true, filters: true, createdAt: true },
  });
  await tx.savedView.createMany({
    data: views.map(({ filters, ...view }) => ({ ...view, workspaceId: to, filters: withNewIds(filters) })),
  });
}
