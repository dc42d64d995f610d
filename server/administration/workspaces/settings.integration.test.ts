import { describe, expect } from 'vitest';
import { addMailbox, MAILBOXES_MAX } from '#server/administration/workspaces/mailboxes.ts';
import { updateSettings } from '#server/administration/workspaces/update-settings.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { addTeammate, makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('the settings of a workspace', () => {
  test('are shown to owners and admins; other roles get the reason', async ({ teammates }) => {
    for (const role of ['owner', 'admin'] as const) {
      expect(await (await screensOf(teammates, role)).workspaces.settings()).toMatchObject({
        kind: 'shown',
        name: 'Acme',
        assignOnReply: true,
        askForRating: true,
        closeSolvedAfterDays: null,
        closeAfterDaysMax: 365,
        mayDelete: role === 'owner',
      });
    }
    for (const role of ['agent', 'viewer'] as const) {
      expect(await (await screensOf(teammates, role)).workspaces.settings()).toEqual({
        kind: 'not_allowed',
        role,
      });
    }
  });

  test('are changed separately or together, and only the given ones', async ({ teammates }) => {
    const { workspaces } = await screensOf(teammates, 'admin');
    await workspaces.update({ assignOnReply: false });
    await workspaces.update({ askForRating: false });
    expect(await rowOf(teammates)).toMatchObject({ name: 'Acme', assignOnReply: false, askForRating: false });
    await workspaces.update({ name: ' Acme Ltd ', closeSolvedAfterDays: 365 });
    expect(await rowOf(teammates)).toMatchObject({
      name: 'Acme Ltd',
      assignOnReply: false,
      closeSolvedAfterDays: 365,
    });
    await workspaces.update({ closeSolvedAfterDays: null });
    await workspaces.update({});
    expect(await rowOf(teammates)).toMatchObject({ name: 'Acme Ltd', closeSolvedAfterDays: null });
    const entries = await db().auditEntry.findMany({
      where: { workspaceId: teammates.workspaceId },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ kind, userId, data }) => ({ kind, userId, data }))).toEqual(
      [
        { assignOnReply: 'false' },
        { askForRating: 'false' },
        { name: 'Acme Ltd', closeSolvedAfterDays: '365' },
        { closeSolvedAfterDays: 'never' },
      ].map((data) => ({ kind: 'settings_changed', userId: teammates.admin.id, data })),
    );
  });

  test('suggest the country of the time zone to owners and admins until one is chosen', async ({
    teammates,
  }) => {
    const germany = { code: 'DE', name: 'Germany' };
    const ask = async (role: Role, timeZone = 'Europe/Berlin') =>
      (await screensOf(teammates, role)).workspaces.suggestedCountry({ timeZone });
    expect(await ask('agent')).toBeNull();
    expect(await ask('owner')).toEqual(germany);
    expect(await ask('owner', 'UTC')).toBeNull();
    const { workspaces } = await screensOf(teammates, 'admin');
    expect(await workspaces.settings()).toMatchObject({
      country: null,
      countries: expect.arrayContaining([germany]),
    });
    for (const country of ['de', 'XX', 'Germany', '']) {
      await expect(workspaces.update({ country })).rejects.toMatchObject({
        cause: { errors: { country: ['Choose a country from the list.'] } },
      });
    }
    await workspaces.update({ country: 'DE' });
    expect(await rowOf(teammates)).toMatchObject({ country: 'DE', name: 'Acme' });
    expect(await ask('owner')).toBeNull();
  });

  test('the platform gets the new name on the next call', async ({ api, connection }) => {
    const { workspaceId, teammate: by } = connection;
    await updateSettings({ workspaceId, changes: { name: 'Renamed' }, by });
    expect(await api('GET', '/me')).toMatchObject({
      body: { workspace_name: 'Renamed' },
    });
  });

  test.for([0, -1, 1.5, 366, Number.NaN, 1e9])(
    'refuse to close conversations after %s days',
    async (days, { teammates }) => {
      const { workspaceId, owner: by } = teammates;
      const changes = { name: 'Changed', closeSolvedAfterDays: days };
      await expect(updateSettings({ workspaceId, changes, by })).rejects.toMatchObject({
        errors: { closeSolvedAfterDays: ['Give a whole number of days from 1 to 365, or turn this off.'] },
      });
      expect((await rowOf(teammates)).name).toBe('Acme');
    },
  );

  test.for(['', '  ', 'x'.repeat(81), 'a\nb'])('refuse the name %j', async (name, { teammates }) => {
    const { workspaces } = await screensOf(teammates, 'owner');
    await expect(workspaces.update({ name })).rejects.toMatchObject({
      cause: { errors: { name: [expect.stringMatching(/^The workspace name .*\.$/)] } },
    });
  });
});

describe('mailboxes', () => {
  test('belong to a verified domain, and one of them is the default', async ({ teammates }) => {
    const { workspaces, channels } = await screensOf(teammates, 'admin');
    const domain = (await channels.email()).domains[0]?.domain ?? '';
    const { id } = await workspaces.addMailbox({ address: ` Sales@${domain.toUpperCase()} `, name: 'Sales' });
    await workspaces.chooseDefaultMailbox({ mailboxId: id });
    await workspaces.chooseDefaultMailbox({ mailboxId: id });
    expect(await channels.email()).toMatchObject({
      domains: [{ domain, mayRemove: false }],
      mailboxes: [
        { id, address: `sales@${domain}`, name: 'Sales', isDefault: true, problem: null },
        { address: `support@${domain}`, isDefault: false, problem: null },
      ],
    });
  });

  test('are limited to a hundred', async ({ teammates }) => {
    const { workspaceId } = teammates;
    const { id: emailDomainId, domain } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId } });
    const had = await db().mailbox.count({ where: { workspaceId } });
    await db().mailbox.createMany({
      data: Array.from({ length: MAILBOXES_MAX - 1 - had }, (_, i) => ({
        workspaceId,
        emailDomainId,
        address: `${i}@${domain}`,
        name: `${i}`,
      })),
    });
    const add = (name: string) =>
      addMailbox({ workspaceId, address: `${name}@${domain}`, name, by: teammates.admin });
    const both = await Promise.allSettled([add('one'), add('two')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const sentence = 'A workspace can have up to 100 mailboxes. Remove one first.';
    await expect(add('three')).rejects.toMatchObject({ errors: { address: [sentence] } });
  });

  test('make the first one the default', async ({ teammates }) => {
    const { workspaceId } = teammates;
    await db().mailbox.deleteMany({ where: { workspaceId } });
    const { domain } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId } });
    const { workspaces, channels } = await screensOf(teammates, 'owner');
    await workspaces.addMailbox({ address: `one@${domain}`, name: 'One' });
    await workspaces.addMailbox({ address: `two@${domain}`, name: 'Two' });
    expect(await channels.email()).toMatchObject({
      mailboxes: [
        { name: 'One', isDefault: true },
        { name: 'Two', isDefault: false },
      ],
    });
  });

  test('say why email cannot be sent from them', async () => {
    const [starter, unverified] = [
      await makeTeammates({ plan: 'starter', verified: true }),
      await makeTeammates({ verified: false }),
    ];
    expect(await (await screensOf(starter, 'owner')).channels.email()).toMatchObject({
      planProblem: 'Sending email needs the Growth plan or higher.',
      mailboxes: [{ problem: 'Sending email needs the Growth plan or higher.' }],
    });
    expect(await (await screensOf(unverified, 'owner')).channels.email()).toMatchObject({
      planProblem: null,
      mailboxes: [{ problem: 'Its domain is not verified yet.' }],
    });
  });

  test('refuse an address that is invalid, on another or unverified domain, or in use', async () => {
    const [teammates, unverified] = [await makeTeammates(), await makeTeammates({ verified: false })];
    const { domain } = await db().emailDomain.findFirstOrThrow({
      where: { workspaceId: teammates.workspaceId },
    });
    const other = await db().emailDomain.findFirstOrThrow({
      where: { workspaceId: unverified.workspaceId },
    });
    const { workspaces } = await screensOf(teammates, 'owner');
    const add = (address: string) => workspaces.addMailbox({ address, name: 'X' });
    const refusal = (message: string) => ({
      cause: { errors: { address: [expect.stringContaining(message)] } },
    });
    for (const address of ['', 'x', `x@${domain}, y@${domain}`, `x y@${domain}`]) {
      await expect(add(address)).rejects.toMatchObject(refusal('Enter a complete email address'));
    }
    await expect(add(`x@${other.domain}`)).rejects.toMatchObject(refusal('is not in this workspace.'));
    await expect(add(`x@mail.${domain}`)).rejects.toMatchObject(refusal('is not in this workspace.'));
    await expect(add(`support@${domain}`)).rejects.toMatchObject(refusal('is already in use.'));
    await expect(
      (await screensOf(unverified, 'owner')).workspaces.addMailbox({
        address: `x@${other.domain}`,
        name: 'X',
      }),
    ).rejects.toMatchObject(refusal('is not verified yet.'));
  });

  test('keep one default after ten simultaneous choices', async ({ teammates }) => {
    const { workspaceId } = teammates;
    const { domain } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId } });
    const { workspaces } = await screensOf(teammates, 'owner');
    const made = [];
    for (let i = 0; i < 5; i += 1)
      made.push(await workspaces.addMailbox({ address: `m${i}@${domain}`, name: 'M' }));
    await Promise.all([...made, ...made].map(({ id }) => workspaces.chooseDefaultMailbox({ mailboxId: id })));
    expect(await db().mailbox.count({ where: { workspaceId, isDefault: true } })).toBe(1);
  });

  test('of another workspace cannot become the default', async () => {
    const [teammates, strangers] = [await makeTeammates(), await makeTeammates()];
    const foreign = await db().mailbox.findFirstOrThrow({ where: { workspaceId: strangers.workspaceId } });
    const { workspaces } = await screensOf(teammates, 'owner');
    for (const mailboxId of [foreign.id, 'no-uuid']) {
      await expect(workspaces.chooseDefaultMailbox({ mailboxId })).rejects.toMatchObject({
        cause: { refusal: 'not_found' },
      });
    }
    expect(await db().mailbox.count({ where: { isDefault: true, workspaceId: teammates.workspaceId } })).toBe(
      1,
    );
  });
});

describe('plans', () => {
  test('are shown to everyone, smallest first; only an owner can change the plan', async () => {
    const teammates = await makeTeammates({ plan: 'business' });
    const view = await (await screensOf(teammates, 'owner')).workspaces.plans();
    expect(view).toMatchObject({ mayChange: true, slotsUsed: 0 });
    expect(view.plans).toMatchObject([
      { planName: 'Starter', slots: 1, internalNotes: false, emailSending: false, isCurrent: false },
      { planName: 'Growth', slots: 5, internalNotes: true, emailSending: true, losses: [] },
      { planName: 'Business', slots: 15, isCurrent: true, losses: [] },
      { planName: 'Scale', slots: null, losses: [] },
    ]);
    expect((await (await screensOf(teammates, 'viewer')).workspaces.plans()).mayChange).toBe(false);
  });

  test('rulings 4.2: keep existing integrations after a downgrade, with an audit entry', async ({
    service,
  }) => {
    const connection = await makeConnection({ plan: 'growth' });
    const { workspaceId, teammate } = connection;
    for (const kind of ['shop', 'billing']) {
      await db().integration.create({ data: { workspaceId, kind, name: kind } });
    }
    const { workspaces } = await (await signInTeammate(teammate))();
    expect((await workspaces.plans()).plans[0]?.losses[0]).toContain('3 integrations are in use');
    await workspaces.changePlan({ plan: 'starter' });
    await workspaces.changePlan({ plan: 'starter' });
    expect((await apiClient(service.url, connection.accessToken)('GET', '/me')).status).toBe(200);
    expect(await db().integration.count({ where: { workspaceId } })).toBe(3);
    expect(await db().auditEntry.findMany({ where: { workspaceId, kind: 'plan_changed' } })).toMatchObject([
      { userId: teammate.id, data: { from: 'growth', to: 'starter' } },
    ]);
  });

  test.for(['admin', 'agent', 'viewer'] as const)(
    'cannot be changed by an %s',
    async (role, { teammates }) => {
      const { workspaces } = await screensOf(teammates, role);
      await expect(workspaces.changePlan({ plan: 'scale' })).rejects.toMatchObject(FORBIDDEN);
      expect((await rowOf(teammates)).plan).toBe('growth');
    },
  );
});

describe('workspace permissions', () => {
  test('an attacker who is an agent or viewer can change nothing in the workspace', async ({ teammates }) => {
    const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId: teammates.workspaceId } });
    const domain = await db().emailDomain.findFirstOrThrow({ where: { workspaceId: teammates.workspaceId } });
    for (const role of ['agent', 'viewer'] as const) {
      const { workspaces } = await screensOf(teammates, role);
      for (const call of [
        workspaces.update({ name: 'Mine' }),
        workspaces.addDomain({ domain: 'example.com' }),
        workspaces.verifyDomain({ domainId: domain.id }),
        workspaces.removeDomain({ domainId: domain.id }),
        workspaces.addMailbox({ address: `x@${domain.domain}`, name: 'X' }),
        workspaces.chooseDefaultMailbox({ mailboxId: mailbox.id }),
        workspaces.deletion(),
        workspaces.delete({ name: 'Acme' }),
      ]) {
        await expect(call).rejects.toMatchObject(FORBIDDEN);
      }
    }
    expect((await rowOf(teammates)).name).toBe('Acme');
  });

  test('an admin who was demoted after loading the page can change nothing', async ({ teammates }) => {
    const { workspaceId } = teammates;
    const by = await addTeammate(workspaceId, 'viewer');
    for (const changes of [{ name: 'Mine' }, { assignOnReply: false }]) {
      const change = updateSettings({ workspaceId, changes, by });
      await expect(change).rejects.toMatchObject({ refusal: 'forbidden' });
    }
  });
});

const FORBIDDEN = { cause: { refusal: 'forbidden' } };
const screensOf = async (teammates: Teammates, role: Role) => (await signInTeammate(teammates[role]))();

const rowOf = ({ workspaceId }: Teammates) =>
  db().workspace.findUniqueOrThrow({ where: { id: workspaceId } });
