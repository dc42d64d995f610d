import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('renaming a mailbox', () => {
  test('changes only the sender name that contacts see', async () => {
    const { teammates, workspaces, first } = await makeTwo();
    await workspaces.renameMailbox({ mailboxId: first.id, name: '  Acme Help ' });
    expect((await mailboxesOf(teammates))[0]).toEqual({ ...first, name: 'Acme Help' });
    expect(
      await db().auditEntry.findFirst({
        where: { workspaceId: teammates.workspaceId, kind: 'mailbox_renamed' },
      }),
    ).toMatchObject({ userId: teammates.admin.id, data: { address: first.address, name: 'Acme Help' } });
  });

  test.each(['', '   ', 'a\nb', 'x'.repeat(81)])('refuses the name %j', async (name) => {
    const { workspaces, first } = await makeTwo();
    await expect(workspaces.renameMailbox({ mailboxId: first.id, name })).rejects.toMatchObject({
      cause: { errors: { name: [expect.stringContaining('mailbox name')] } },
    });
  });
});

describe('removing a mailbox', () => {
  test('keeps its conversations, which are answered from the default mailbox from then on', async ({
    service,
  }) => {
    const { teammates, workspaces, first, second } = await makeTwo();
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.owner,
    });
    const api = apiClient(service.url, connection.accessToken);
    await workspaces.chooseDefaultMailbox({ mailboxId: second.id });
    const created = await api('POST', '/conversations', {
      to_email: 'cara@contact.test',
      subject: 'Invoice',
      content: 'Hello',
    });
    const id = (created.body as { id: string }).id;
    await workspaces.chooseDefaultMailbox({ mailboxId: first.id });
    const before = await db().conversation.findUniqueOrThrow({ where: { id } });
    expect(before.mailboxId).toBe(second.id);

    await workspaces.removeMailbox({ mailboxId: second.id });
    expect((await mailboxesOf(teammates)).map(({ address }) => address)).toEqual([first.address]);
    const after = await db().conversation.findUniqueOrThrow({ where: { id } });
    expect(after).toEqual({ ...before, mailboxId: null });
    const reply = await api('POST', `/conversations/${id}/replies`, { content: 'One more thing' });
    expect(reply.status).toBe(201);
    expect((reply.body as { send_status: string }).send_status).not.toBe('held_for_paywall');
    expect(
      await db().auditEntry.findFirst({
        where: { workspaceId: teammates.workspaceId, kind: 'mailbox_removed' },
      }),
    ).toMatchObject({ userId: teammates.admin.id, data: { address: second.address } });
  });

  test('detaches thousands of conversations in batches', async () => {
    const { teammates, workspaces, second } = await makeTwo();
    await fill(teammates, second.id, 2_500);
    await workspaces.removeMailbox({ mailboxId: second.id });
    expect(
      await db().conversation.count({ where: { workspaceId: teammates.workspaceId, mailboxId: null } }),
    ).toBe(2_500);
    expect(await mailboxesOf(teammates)).toHaveLength(1);
  });

  test('frees its address', async () => {
    const { workspaces, second } = await makeTwo();
    await workspaces.removeMailbox({ mailboxId: second.id });
    await workspaces.addMailbox({ address: second.address, name: 'Billing again' });
  });

  test('is refused for the default mailbox while there are others, and possible for the last one', async () => {
    const { teammates, workspaces, first, second } = await makeTwo();
    await fill(teammates, first.id, 3);
    await expect(workspaces.removeMailbox({ mailboxId: first.id })).rejects.toMatchObject({
      cause: { message: 'The default mailbox can’t be removed. Make another mailbox the default first.' },
    });
    expect(await db().conversation.count({ where: { mailboxId: first.id } })).toBe(3);
    await workspaces.removeMailbox({ mailboxId: second.id });
    await workspaces.removeMailbox({ mailboxId: first.id });
    expect(await mailboxesOf(teammates)).toEqual([]);
    expect(await db().conversation.count({ where: { mailboxId: first.id } })).toBe(0);
    await workspaces.addMailbox({ address: first.address, name: 'Support again' });
    expect(await mailboxesOf(teammates)).toMatchObject([{ isDefault: true }]);
  });

  test('leaves a default mailbox, unless all were removed, when another becomes the default at the same time', async () => {
    const { teammates, workspaces, first, second } = await makeTwo();
    await Promise.allSettled([
      workspaces.removeMailbox({ mailboxId: second.id }),
      workspaces.chooseDefaultMailbox({ mailboxId: second.id }),
      workspaces.removeMailbox({ mailboxId: first.id }),
    ]);
    const left = await mailboxesOf(teammates);
    expect(left.filter(({ isDefault }) => isDefault)).toHaveLength(left.length === 0 ? 0 : 1);
  });
});

test('the attacker cannot rename or remove a mailbox, neither as an agent nor from another workspace', async () => {
  const [{ teammates, second }, other] = [await makeTwo(), await makeTeammates()];
  for (const role of ['agent', 'viewer'] as const) {
    const workspaces = await workspacesOf(teammates, role);
    await expect(workspaces.renameMailbox({ mailboxId: second.id, name: 'X' })).rejects.toMatchObject(
      FORBIDDEN,
    );
    await expect(workspaces.removeMailbox({ mailboxId: second.id })).rejects.toMatchObject(FORBIDDEN);
  }
  const strangers = await workspacesOf(other, 'owner');
  for (const mailboxId of [second.id, 'x', '\0']) {
    await expect(strangers.renameMailbox({ mailboxId, name: 'X' })).rejects.toMatchObject(NOT_FOUND);
    await expect(strangers.removeMailbox({ mailboxId })).rejects.toMatchObject(NOT_FOUND);
  }
  expect(await mailboxesOf(teammates)).toHaveLength(2);
});

const FORBIDDEN = { cause: { refusal: 'forbidden' } };
const NOT_FOUND = { cause: { refusal: 'not_found' } };

const workspacesOf = async (teammates: Teammates, role: Role) =>
  (await (await signInTeammate(teammates[role]))()).workspaces;

const mailboxesOf = ({ workspaceId }: Teammates) =>
  db().mailbox.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });

/** Creates a workspace with its default mailbox and a second one. */
async function makeTwo() {
  const teammates = await makeTeammates();
  const workspaces = await workspacesOf(teammates, 'admin');
  const [first] = await mailboxesOf(teammates);
  if (!first) throw new Error('There is no mailbox.');
  const address = first.address.replace('support@', 'billing@');
  const { id } = await workspaces.addMailbox({ address, name: 'Billing' });
  return { teammates, workspaces, first, second: { id, address } };
}

/** Creates email conversations in a mailbox. */
async function fill({ workspaceId }: Teammates, mailboxId: string, count: number): Promise<void> {
  await pool().query(
    `insert into conversations (id, workspace_id, channel, mailbox_id, updated_at)
     select gen_random_uuid(), $1, 'email', $2, '2026-01-01' from generate_series(1, $3)`,
    [workspaceId, mailboxId, count],
  );
}
