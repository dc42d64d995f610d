import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { inviteTeammate } from '#server/administration/invitations/invite-teammate.ts';
import {
  resendInvitation,
  withdrawInvitation,
} from '#server/administration/invitations/pending-invitations.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { listInvitations } from '#server/screens/settings/invitations.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('inviting', () => {
  test('lists the invitation for seven days and writes an audit entry', async ({ teammates }) => {
    const { workspaceId, admin } = teammates;
    const { id } = await invite(teammates, admin, ' Ada@Example.Test ', 'viewer');
    const list = await listInvitations(db(), { workspaceId, role: 'admin' });
    expect(list).toEqual([
      {
        id,
        email: 'ada@example.test',
        role: 'viewer',
        onlyAssigned: false,
        invitedBy: admin.name,
        expiresAt: expect.any(Date),
        isOver: false,
        mailedAt: null,
        isDelayed: false,
        mayChange: true,
      },
    ]);
    const days = ((list[0]?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7.01);
    expect(await db().auditEntry.findMany({ where: { workspaceId } })).toMatchObject([
      { kind: 'teammate_invited', userId: admin.id, data: { email: 'ada@example.test', role: 'viewer' } },
    ]);
  });

  test('an invitation whose email no mail server accepts for ten minutes is listed as delayed, until it is sent again', async ({
    teammates,
  }) => {
    const { workspaceId, owner } = teammates;
    const { id } = await invite(teammates, owner, newEmail());
    const isDelayed = async () =>
      (await listInvitations(db(), { workspaceId, role: 'owner' })).map((row) => row.isDelayed);
    await pool().query(
      "update invitations set expires_at = expires_at - interval '11 minutes' where id = $1",
      [id],
    );
    expect(await isDelayed()).toEqual([true]);
    await resendInvitation({ workspaceId, invitationId: id, by: owner });
    expect(await isDelayed()).toEqual([false]);
  });

  test('a member of the workspace is refused', async ({ teammates }) => {
    const { email } = teammates.viewer;
    await expect(invite(teammates, teammates.owner, email.toUpperCase())).rejects.toMatchObject(
      refusedWith(`${email} is already in this workspace.`),
    );
  });

  test('a second invitation for an address is refused until the first expires; other workspaces may invite it', async () => {
    const [teammates, others] = [await makeTeammates(), await makeTeammates()];
    const email = newEmail();
    const { id } = await invite(teammates, teammates.owner, email);
    await expect(invite(teammates, teammates.admin, email)).rejects.toMatchObject(
      refusedWith(`${email} is already invited.`),
    );
    await invite(others, others.owner, email);
    await pool().query("update invitations set expires_at = now() - interval '1 second' where id = $1", [id]);
    const [over] = await listInvitations(db(), { workspaceId: teammates.workspaceId, role: 'owner' });
    expect(over).toMatchObject({ id, isOver: true });
    const again = await invite(teammates, teammates.admin, email);
    const open = await listInvitations(db(), { workspaceId: teammates.workspaceId, role: 'owner' });
    expect(open.map((row) => row.id)).toEqual([again.id]);
  });

  test('simultaneous requests for one address create one invitation', async ({ teammates }) => {
    const email = newEmail();
    const outcomes = await Promise.allSettled(
      [teammates.owner, teammates.admin, teammates.owner, teammates.admin].map((by) =>
        invite(teammates, by, email),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject(refusedWith('is already invited'));
    }
  });

  test.for(['', 'ada', 'ada@', 'a b@c.test', `${'a'.repeat(250)}@b.test`, 'a@b.test\nbcc: x@y.test'])(
    'refuses %j as an invalid address',
    async (email, { teammates }) => {
      await expect(invite(teammates, teammates.owner, email)).rejects.toMatchObject({
        errors: { email: ['Enter a complete email address, for example ada@example.com.'] },
      });
    },
  );

  test('stops after fifty emails an hour, so that no workspace can be used to send spam', async ({
    teammates,
  }) => {
    const { workspaceId, owner } = teammates;
    const { id: invitationId } = await invite(teammates, owner, newEmail());
    for (let i = 1; i < 50; i += 1) await resendInvitation({ workspaceId, invitationId, by: owner });
    const tooMany = { refusal: 'forbidden', message: expect.stringContaining('Too many invitations') };
    await expect(invite(teammates, owner, newEmail())).rejects.toMatchObject(tooMany);
    await expect(resendInvitation({ workspaceId, invitationId, by: owner })).rejects.toMatchObject(tooMany);
  });
});

describe('permissions to invite', () => {
  test('owners invite to every role, admins to every role except owner', async ({ teammates }) => {
    await invite(teammates, teammates.owner, newEmail(), 'owner');
    for (const role of ['admin', 'agent', 'viewer'] as const)
      await invite(teammates, teammates.admin, newEmail(), role);
    await expect(invite(teammates, teammates.admin, newEmail(), 'owner')).rejects.toMatchObject({
      ...FORBIDDEN,
      message: 'Only owners can invite someone as an owner.',
    });
  });

  test('an admin can neither resend nor withdraw the invitation of an owner', async ({ teammates }) => {
    const { workspaceId, owner, admin } = teammates;
    const { id: invitationId } = await invite(teammates, owner, newEmail(), 'owner');
    const [row] = await listInvitations(db(), { workspaceId, role: 'admin' });
    expect(row?.mayChange).toBe(false);
    const input = { workspaceId, invitationId, by: admin };
    await expect(resendInvitation(input)).rejects.toMatchObject(FORBIDDEN);
    await expect(withdrawInvitation(input)).rejects.toMatchObject(FORBIDDEN);
  });

  test('agents, viewers and non-members cannot invite through any procedure', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    const { id: invitationId } = await invite(teammates, teammates.owner, newEmail());
    await expect(invite(teammates, strangers.owner, newEmail())).rejects.toMatchObject(FORBIDDEN);
    for (const whose of [teammates.agent, teammates.viewer]) {
      await expect(invite(teammates, whose, newEmail())).rejects.toMatchObject(FORBIDDEN);
      const { invitations } = await (await signInTeammate(whose))();
      for (const call of [
        invitations.list(),
        invitations.invite({ email: newEmail(), role: 'agent' }),
        invitations.resend({ invitationId }),
        invitations.withdraw({ invitationId }),
      ]) {
        await expect(call).rejects.toMatchObject({ cause: FORBIDDEN });
      }
    }
  });

  test('the attacker reaches no invitation of another workspace', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    const { id } = await invite(strangers, strangers.owner, newEmail());
    const { invitations } = await (await signInTeammate(teammates.owner))();
    for (const invitationId of [id, 'no-uuid', '01890000-0000-7000-8000-000000000000']) {
      await expect(invitations.resend({ invitationId })).rejects.toMatchObject({ cause: NOT_FOUND });
      await expect(invitations.withdraw({ invitationId })).rejects.toMatchObject({ cause: NOT_FOUND });
    }
    expect(await invitations.list()).toEqual([]);
    expect(await db().invitation.findUniqueOrThrow({ where: { id } })).toMatchObject({ withdrawnAt: null });
  });
});

describe('withdrawing', () => {
  test('works once, and allows another invitation', async ({ teammates }) => {
    const { workspaceId, owner } = teammates;
    const email = newEmail();
    const { id: invitationId } = await invite(teammates, owner, email);
    const input = { workspaceId, invitationId, by: owner };
    await withdrawInvitation(input);
    const gone = refusedWith(`The invitation for ${email} was already withdrawn.`);
    await expect(withdrawInvitation(input)).rejects.toMatchObject(gone);
    await expect(resendInvitation(input)).rejects.toMatchObject(gone);
    expect(await listInvitations(db(), { workspaceId, role: 'owner' })).toEqual([]);
    await invite(teammates, owner, email);
  });
});

const newEmail = () => `new.${randomUUID()}@example.test`;

const invite = ({ workspaceId }: Teammates, by: Teammate, email: string, role: Role = 'agent') =>
  inviteTeammate({ workspaceId, email, role, by });

const refusedWith = (message: string) => ({ refusal: 'invalid', message: expect.stringContaining(message) });
const FORBIDDEN = { refusal: 'forbidden' };
const NOT_FOUND = { refusal: 'not_found' };
