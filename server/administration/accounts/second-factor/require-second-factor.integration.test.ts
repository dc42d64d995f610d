import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { screensFor } from '#server/screens/router.ts';
import { findEndedSessions, findSignedIn } from '#server/teammates/signed-in.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { addMember, makeWorkspace } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { enterCode, turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, sessionCookie, signInTeammate } from '#test/fixtures/teammates.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const screensOf = (cookie: string) => screensFor(new Headers({ cookie }));

const test = serviceTest
  .extend('team', () => makeTeammates())
  .extend('owner', async ({ team }) => screensOf((await turnOnSecondFactor(team.owner)).cookie));

describe('a workspace that requires a second factor', () => {
  test('reminds teammates without one before the date, and is closed to them from the date', async ({
    team,
    owner,
  }) => {
    const cookie = await sessionCookie(team.agent.id);
    await owner.workspaces.requireSecondFactor({ from: dayIn(3) });
    const before = await (await screensOf(cookie)).session.current();
    expect(before).toMatchObject({ workspace: { id: team.workspaceId }, closedWorkspaces: [] });
    expect(before?.secondFactorDue?.from.toISOString()).toBe(`${dayIn(3)}T00:00:00.000Z`);
    expect((await owner.session.current())?.secondFactorDue).toBeNull();

    await owner.workspaces.requireSecondFactor({ from: dayIn(0) });
    const { name } = await db().workspace.findUniqueOrThrow({ where: { id: team.workspaceId } });
    const signedIn = await findSignedIn(new Headers({ cookie }));
    expect(signedIn).toMatchObject({ workspace: null, workspaces: [], closedWorkspaces: [name] });
    const stream = { sessionId: signedIn?.sessionId ?? '', workspaceId: team.workspaceId };
    expect(await findEndedSessions([stream])).toEqual([stream]);
    await expect((await screensOf(cookie)).audit.list({})).rejects.toThrow('open a workspace');

    await turnOnSecondFactor(team.agent);
    const { cookie: own } = await turnOnSecondFactor(team.viewer);
    expect((await findSignedIn(new Headers({ cookie: own })))?.workspace?.id).toBe(team.workspaceId);
    await owner.workspaces.requireSecondFactor({ from: null });
    const admin = await sessionCookie(team.admin.id);
    expect((await findSignedIn(new Headers({ cookie: admin })))?.workspace?.id).toBe(team.workspaceId);
  });

  test('is not closed to members of other workspaces there', async ({ team, owner }) => {
    const other = await makeWorkspace({ name: 'Other' });
    await addMember(other.id, team.agent.id, 'agent');
    await owner.workspaces.requireSecondFactor({ from: dayIn(0) });
    const signedIn = await findSignedIn(new Headers({ cookie: await sessionCookie(team.agent.id) }));
    expect(signedIn?.workspaces.map(({ id }) => id)).toEqual([other.id]);
  });

  test('cannot be made by an owner without a second factor, an admin, or for a day in the past', async ({
    team,
  }) => {
    const { workspaces } = await (await signInTeammate(team.owner))();
    await expect(workspaces.requireSecondFactor({ from: dayIn(3) })).rejects.toThrow(
      'your own account first',
    );
    const { cookie } = await turnOnSecondFactor(team.owner);
    const owner = await screensOf(cookie);
    for (const from of [dayIn(-1), dayIn(400), 'soon', '2026-02-31x']) {
      await expect(owner.workspaces.requireSecondFactor({ from })).rejects.toMatchObject({
        cause: { errors: { from: [expect.any(String)] } },
      });
    }
    const admin = await (await signInTeammate(team.admin))();
    await expect(admin.workspaces.requireSecondFactor({ from: null })).rejects.toThrow('Only an owner');
    // A downgraded owner, whose page is still open.
    await db().member.updateMany({ where: { userId: team.owner.id }, data: { role: 'agent' } });
    await expect(owner.workspaces.requireSecondFactor({ from: null })).rejects.toThrow('Only an owner');
  });

  test('is named as closed for that reason to someone who accepts an invitation to it', async ({
    team,
    owner,
  }) => {
    await owner.workspaces.requireSecondFactor({ from: dayIn(0) });
    const { agent, workspaceId } = await makeTeammates({ name: 'Own' });
    const { id } = await owner.invitations.invite({ email: agent.email, role: 'agent' });
    const token = newSecret();
    await db().invitation.update({ where: { id }, data: { tokenHash: digest(token) } });
    const screens = await signInTeammate(agent);
    expect(await (await screens()).invitations.accept({ token })).toEqual({
      workspaceId: team.workspaceId,
      closedBy: 'second_factor',
    });
    expect(await (await screens()).session.current()).toMatchObject({
      workspace: { id: workspaceId },
      closedWorkspaces: ['Acme'],
    });
  });

  test('keeps its teammates from turning it off', async ({ team, owner }) => {
    await owner.workspaces.requireSecondFactor({ from: dayIn(0) });
    await expect(owner.account.disableSecondFactor({ password: 'a password for tests' })).rejects.toThrow(
      'requires two-factor',
    );
    expect(await db().secondFactor.count({ where: { userId: team.owner.id } })).toBe(1);
  });
});

describe('resetting the second factor of a teammate', () => {
  test('lets them in with the password, ends their sessions, and tells them and the audit log', async ({
    team,
    owner,
  }) => {
    const { cookie } = await turnOnSecondFactor(team.agent);
    expect((await owner.teammates.list()).teammates).toMatchObject([
      { name: 'Olivia Owen', hasSecondFactor: true, mayResetSecondFactor: false },
      { name: 'Adam Admin', hasSecondFactor: false, mayResetSecondFactor: false },
      { name: 'Aggie Agent', hasSecondFactor: true, mayResetSecondFactor: true },
      { name: 'Vic Viewer', hasSecondFactor: false },
    ]);
    await owner.teammates.resetSecondFactor({ userId: team.agent.id });
    expect(await findSignedIn(new Headers({ cookie }))).toBeNull();
    expect(await findSignedIn(new Headers({ cookie: await sessionCookie(team.agent.id) }))).not.toBeNull();
    const mails = (await queuedJobs()).flatMap((job) =>
      job.task === 'mail-second-factor' ? [job.payload] : [],
    );
    expect(mails.filter(({ userId }) => userId === team.agent.id)).toMatchObject([
      { change: 'on' },
      { change: 'reset', byName: 'Olivia Owen' },
    ]);
    const [entry] = (await owner.audit.list({ about: 'sign_in' })).items;
    expect(entry?.sentence).toBe('Olivia Owen reset the second factor of Aggie Agent.');
    await expect(owner.teammates.resetSecondFactor({ userId: team.agent.id })).rejects.toThrow(
      'no second factor',
    );
  });

  test('lets them set up a new one immediately, however many wrong codes they entered before', async ({
    service,
    team,
    owner,
  }) => {
    await turnOnSecondFactor(team.agent);
    const waiting = await signInAs(service.url, team.agent);
    for (let i = 0; i < 6; i += 1) await enterCode(waiting, 'aaaa-aaaa-aaaa-aaaa').catch(() => undefined);
    await expect(enterCode(waiting, '000000')).rejects.toThrow('Too many incorrect codes');
    await owner.teammates.resetSecondFactor({ userId: team.agent.id });
    expect((await turnOnSecondFactor(team.agent)).recoveryCodes).toHaveLength(10);
  });

  test('is refused to an admin, for oneself, for strangers, and to an owner of only one of their workspaces', async ({
    team,
    owner,
  }) => {
    await turnOnSecondFactor(team.agent);
    const admin = await (await signInTeammate(team.admin))();
    const userId = team.agent.id;
    await expect(admin.teammates.resetSecondFactor({ userId })).rejects.toThrow('Only an owner');
    await expect(owner.teammates.resetSecondFactor({ userId: team.owner.id })).rejects.toThrow('your own');
    const strangers = await makeTeammates();
    await turnOnSecondFactor(strangers.agent);
    await expect(owner.teammates.resetSecondFactor({ userId: strangers.agent.id })).rejects.toThrow(
      'not found',
    );
    await addMember(strangers.workspaceId, userId, 'viewer');
    await expect(owner.teammates.resetSecondFactor({ userId })).rejects.toThrow('you don’t own');
    expect(await db().secondFactor.count({ where: { userId } })).toBe(1);
  });
});
