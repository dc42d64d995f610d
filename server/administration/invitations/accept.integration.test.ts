import { describe, expect } from 'vitest';
import { deleteAccount } from '#server/administration/accounts/delete-account.ts';
import {
  resendInvitation,
  withdrawInvitation,
} from '#server/administration/invitations/pending-invitations.ts';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { setOnlyAssigned } from '#server/administration/members/set-only-assigned.ts';
import { deleteWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { screensFor } from '#server/screens/router.ts';
import { listInvitations } from '#server/screens/settings/invitations.ts';
import { newAddress, PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/invitation-test.ts';
import { tokenIn } from '#test/fixtures/mail-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';

describe('accepting as a new user', () => {
  test('creates an account with name and password and the invited role, and signs in', async ({
    service,
    inviteByMail,
    teammates,
  }) => {
    const { email, token } = await inviteByMail(teammates, { role: 'viewer' });
    expect(await show(token)).toEqual({
      kind: 'open',
      workspaceName: 'Acme',
      role: 'viewer',
      asRole: 'a viewer',
      email,
      name: null,
      invitedBy: 'Olivia Owen',
      expiresAt: expect.any(Date),
      next: 'join',
      problem: null,
      signOnPath: null,
      takesPassword: true,
    });
    const result = await join(token, ' Ada Lovelace ');
    if (result.kind === 'refused') throw new Error(result.message);
    const cookie = result.setCookies.map((line) => line.split(';', 1)[0]).join('; ');
    expect(await (await screensFor(new Headers({ cookie }))).session.current()).toMatchObject({
      user: { name: 'Ada Lovelace', email },
      workspace: { id: teammates.workspaceId, role: 'viewer' },
    });
    expect((await trySignIn(service.url, { email, password: PASSWORD })).status).toBe(200);
    expect(
      await db().auditEntry.findFirst({
        where: { workspaceId: teammates.workspaceId, kind: 'teammate_joined' },
      }),
    ).toMatchObject({ userName: 'Ada Lovelace', data: { role: 'viewer' } });
  });

  test('does not use up the invitation when the name or password is invalid', async ({ inviteByMail }) => {
    const { email, token } = await inviteByMail(await makeTeammates());
    await expect(join(token, ' ')).rejects.toMatchObject(rejected('The name must not be empty.'));
    await expect(join(token, 'Ada', 'seven77')).rejects.toMatchObject(
      rejected('The password must have at least 8 characters.'),
    );
    expect(await db().user.count({ where: { email } })).toBe(0);
    expect((await join(token)).kind).toBe('signed_in');
  });

  test('works once', async ({ inviteByMail, teammates }) => {
    const { email, token } = await inviteByMail(teammates);
    await join(token);
    expect(await show(token)).toEqual(refused(ACCEPTED));
    await expect(join(token)).rejects.toMatchObject(rejected(ACCEPTED));
    expect(await db().user.count({ where: { email } })).toBe(1);
  });

  test('works for one of ten simultaneous requests', async ({ service, inviteByMail, teammates }) => {
    const { email, token } = await inviteByMail(teammates);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => joinInTurn(token, `Ada ${i}`, `${PASSWORD} ${i}`)),
    );
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.cause).toHaveProperty('refusal');
    }
    const password = `${PASSWORD} ${won}`;
    expect((await trySignIn(service.url, { email, password })).status).toBe(200);
    expect(await db().member.count({ where: { workspaceId: teammates.workspaceId } })).toBe(5);
  });
});

describe('accepting with an account', () => {
  test('joins with the invited role and opens the workspace', async ({ inviteByMail }) => {
    const [teammates, own] = [
      await makeTeammates({ name: 'Inviting' }),
      await makeTeammates({ name: 'Own' }),
    ];
    const { token } = await inviteByMail(teammates, { email: own.agent.email, role: 'admin' });
    const screens = await signInTeammate(own.agent);
    expect(await (await screens()).invitations.get({ token })).toMatchObject({ next: 'accept' });
    const { workspaceId } = await (await screens()).invitations.accept({ token });
    expect(workspaceId).toBe(teammates.workspaceId);
    expect(await (await screens()).session.current()).toMatchObject({
      workspace: { name: 'Inviting', role: 'admin' },
      workspaces: [{ name: 'Inviting' }, { name: 'Own', role: 'agent' }],
    });
    await expect((await screens()).invitations.accept({ token })).rejects.toMatchObject(rejected(ACCEPTED));
  });

  test('requires sign-in and creates no second account', async ({ inviteByMail }) => {
    const somebody = await makeUser();
    const teammates = await makeTeammates();
    const { token } = await inviteByMail(teammates, { email: somebody.email });
    expect(await show(token)).toMatchObject({ kind: 'open', next: 'sign_in' });
    await expect((await visitor()).accept({ token })).rejects.toMatchObject(rejected('Sign in to accept'));
    await expect(join(token)).rejects.toMatchObject(rejected('This address already has an account.'));
    expect(await roleIn(teammates, somebody.email)).toBeNull();
    expect(await show(token)).toMatchObject({ kind: 'open' });
  });

  test('an attacker with a forwarded link learns the invited address and cannot join', async ({
    inviteByMail,
  }) => {
    const [teammates, others] = [await makeTeammates(), await makeTeammates()];
    const { email, token } = await inviteByMail(teammates, { role: 'owner' });
    const screens = await signInTeammate(others.owner);
    const sentence = `This invitation is for ${email}, and you are signed in as ${others.owner.email}. Sign out to continue, or open the link in a private window.`;
    expect(await (await screens()).invitations.get({ token })).toMatchObject({
      next: 'sign_out',
      problem: sentence,
    });
    await expect((await screens()).invitations.accept({ token })).rejects.toMatchObject(rejected(sentence));
    expect(await roleIn(teammates, others.owner.email)).toBeNull();
    expect(await show(token)).toMatchObject({ kind: 'open' });
  });

  test('a teammate who joined in another way keeps their role', async ({ inviteByMail, teammates }) => {
    const somebody = await makeUser();
    const { token } = await inviteByMail(teammates, { email: somebody.email, role: 'owner' });
    await db().member.create({
      data: { workspaceId: teammates.workspaceId, userId: somebody.id, role: 'viewer' },
    });
    const screens = await signInTeammate(somebody);
    await expect((await screens()).invitations.accept({ token })).rejects.toMatchObject(
      rejected('You are already in Acme.'),
    );
    expect(await roleIn(teammates, somebody.email)).toBe('viewer');
  });

  test('leaves no membership when the account is deleted at the same time', async ({ inviteByMail }) => {
    for (let round = 0; round < 5; round += 1) {
      const teammates = await makeTeammates();
      const user = await makeUser();
      const { token } = await inviteByMail(teammates, { email: user.email });
      const screens = await (await signInTeammate(user))();
      await Promise.allSettled([
        screens.invitations.accept({ token }),
        deleteAccount({ user, sessionId: user.id, password: PASSWORD }),
      ]);
      expect(await db().user.count({ where: { id: user.id, deletedAt: null } })).toBe(0);
      expect(await db().member.count({ where: { userId: user.id } })).toBe(0);
    }
  });
});

describe('a link stops working', () => {
  test('when a newer email replaced it', async ({ mail, inviteByMail, teammates }) => {
    const { id, email, token } = await inviteByMail(teammates);
    await resendInvitation({ workspaceId: teammates.workspaceId, invitationId: id, by: teammates.admin });
    expect(await show(token)).toEqual(refused(REPLACED));
    await expect(join(token)).rejects.toMatchObject(rejected(REPLACED));
    const newer = await mail.waitFor(email, 2);
    expect(newer.email.text).toContain('Adam Admin');
    expect((await join(tokenIn(newer))).kind).toBe('signed_in');
  });

  test('when the invitation was withdrawn', async ({ inviteByMail, teammates }) => {
    const { id, token } = await inviteByMail(teammates);
    await withdrawInvitation({ workspaceId: teammates.workspaceId, invitationId: id, by: teammates.owner });
    expect(await show(token)).toEqual(refused('This invitation was withdrawn.'));
    await expect(join(token)).rejects.toMatchObject(rejected('This invitation was withdrawn.'));
  });

  test("after seven days by the database's clock", async ({ inviteByMail }) => {
    const { id, token } = await inviteByMail(await makeTeammates());
    await pool().query("update invitations set expires_at = now() + interval '1 hour' where id = $1", [id]);
    expect(await show(token)).toMatchObject({ kind: 'open' });
    await pool().query('update invitations set expires_at = now() where id = $1', [id]);
    expect(await show(token)).toEqual(refused('This invitation has expired: it was valid for seven days.'));
    await expect(join(token)).rejects.toMatchObject(rejected('This invitation has expired'));
  });

  test('when the workspace was deleted', async ({ inviteByMail, teammates }) => {
    const { token } = await inviteByMail(teammates);
    await deleteWorkspace({ workspaceId: teammates.workspaceId, name: 'Acme', by: teammates.owner });
    const over = expect.stringMatching(/^This (invitation was withdrawn|link is not valid)/);
    expect(await show(token)).toEqual({ kind: 'refused', message: over });
    await expect(join(token)).rejects.toMatchObject({ cause: { message: over } });
    const where = { id: teammates.workspaceId };
    await until('its rows are gone', async () => (await db().workspace.count({ where })) === 0);
    expect(await show(token)).toEqual(refused(REPLACED));
  });

  test.each(['', 'a guess', '\0', 'x'.repeat(10_000)])('when the token never existed: %j', async (token) => {
    expect(await show(token)).toEqual(refused(REPLACED));
    await expect(join(token)).rejects.toMatchObject(rejected(REPLACED));
  });
});

describe('a teammate who sees only assigned conversations', () => {
  const seesOnlyAssigned = async ({ workspaceId }: Teammates, email: string) =>
    (await db().member.findFirst({ where: { workspaceId, user: { email } } }))?.onlyAssigned;

  test('does so from the start when the invitation says so, unless they become an admin', async ({
    inviteByMail,
    teammates,
  }) => {
    const { email, token } = await inviteByMail(teammates, { onlyAssigned: true });
    await join(token);
    expect(await seesOnlyAssigned(teammates, email)).toBe(true);
    const admin = await inviteByMail(teammates, { onlyAssigned: true, role: 'admin' });
    await join(admin.token);
    expect(await seesOnlyAssigned(teammates, admin.email)).toBe(false);
  });

  test.for<[string, boolean]>([
    ['does so again when they were removed and are invited again', true],
    ['sees everything after somebody opened their view, also when they are invited again', false],
  ])('%s', async ([_title, stays], { inviteByMail }) => {
    const teammates = await makeTeammates();
    const { workspaceId, owner, agent } = teammates;
    await setOnlyAssigned({ workspaceId, userId: agent.id, onlyAssigned: true, by: owner });
    if (!stays) await setOnlyAssigned({ workspaceId, userId: agent.id, onlyAssigned: false, by: owner });
    await removeMember({ workspaceId, userId: agent.id, by: owner });
    const { id, token } = await inviteByMail(teammates, { email: agent.email });
    expect(await listInvitations(db(), { workspaceId, role: 'owner' })).toMatchObject([
      { id, onlyAssigned: stays },
    ]);
    await (await (await signInTeammate(agent))()).invitations.accept({ token });
    expect(await seesOnlyAssigned(teammates, agent.email)).toBe(stays);
    expect((await db().user.findUniqueOrThrow({ where: { id: agent.id } })).limitedIn).toEqual([]);
  });
});

test('one of a simultaneous acceptance and withdrawal succeeds', async ({ inviteByMail }) => {
  for (let round = 0; round < 5; round += 1) {
    const teammates = await makeTeammates();
    const { id, email, token } = await inviteByMail(teammates);
    const [joined, withdrawn] = await Promise.allSettled([
      join(token),
      withdrawInvitation({ workspaceId: teammates.workspaceId, invitationId: id, by: teammates.owner }),
    ]);
    expect([joined.status, withdrawn.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await roleIn(teammates, email)).toBe(joined.status === 'fulfilled' ? 'agent' : null);
  }
});

const refused = (message: string) => ({ kind: 'refused', message: expect.stringContaining(message) });
const rejected = (message: string) => ({ cause: { message: expect.stringContaining(message) } });
const REPLACED = 'This link no longer works. A newer invitation may have replaced it.';
const ACCEPTED = 'This invitation was already accepted.';

/** Returns the invitation procedures of an anonymous visitor. */
const visitor = async () =>
  (await screensFor(new Headers({ [CLIENT_ADDRESS_HEADER]: newAddress() }))).invitations;

const join = async (token: string, name = 'Ada Lovelace', password = PASSWORD) =>
  (await visitor()).join({ token, name, password });

/** Joins, and retries after a 503: passwords are hashed one at a time, and a wait over ten seconds is refused. */
const joinInTurn = async (token: string, name: string, password: string) => {
  for (;;) {
    const error = await join(token, name, password).then(
      () => undefined,
      (reason: { cause?: { statusCode?: number } }) => reason,
    );
    if (error === undefined) return;
    if (error.cause?.statusCode !== 503) throw error;
  }
};

const show = async (token: string) => (await visitor()).get({ token });

const roleIn = async ({ workspaceId }: Teammates, email: string) =>
  (await db().member.findFirst({ where: { workspaceId, user: { email } } }))?.role ?? null;
