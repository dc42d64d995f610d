import { describe, expect } from 'vitest';
import {
  addDomain,
  DOMAINS_MAX,
  removeDomain,
  verifyDomain,
} from '#server/administration/workspaces/email-domains.ts';
import { changePlan } from '#server/administration/workspaces/update-settings.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { TextResolver } from '#server/core/mail/dns-text-records.ts';
import { getEmailSettings } from '#server/screens/settings/email-settings.ts';
import { test } from '#test/fixtures/dns-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

describe('adding a domain', () => {
  test('shows the DNS record that verifies it', async () => {
    const { teammates, id, record } = await makeDomain(' Example.COM ');
    expect(await shown(teammates, id)).toEqual({
      id,
      domain: DOMAIN,
      verifiedAt: null,
      record: { type: 'TXT', name: NAME, value: expect.stringMatching(/^inbox-verification=\w{43}$/) },
      mayRemove: true,
      signing: { record: null, checkedAt: null },
    });
    const other = await makeDomain();
    expect(other.record.value).not.toBe(record.value);
  });

  test('is refused the second time', async () => {
    const { teammates } = await makeDomain();
    await expect(
      addDomain({ workspaceId: teammates.workspaceId, domain: 'EXAMPLE.com', by: teammates.owner }),
    ).rejects.toMatchObject({
      errors: { domain: ['The domain example.com is already in this workspace.'] },
    });
  });

  test('is possible up to twenty, also by simultaneous requests, and again after one is removed', async () => {
    const { workspaceId, admin: by } = await makeTeammates();
    await db().emailDomain.deleteMany({ where: { workspaceId, mailboxes: { none: {} } } });
    const had = await db().emailDomain.count({ where: { workspaceId } });
    const add = (i: number) => addDomain({ workspaceId, domain: `number-${i}.example`, by });
    for (let i = had; i < DOMAINS_MAX - 1; i += 1) await add(i);
    const both = await Promise.allSettled([add(100), add(101)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const sentence = 'A workspace can have up to 20 email domains. Remove one first.';
    await expect(add(102)).rejects.toMatchObject({ errors: { domain: [sentence] } });
    const { id: domainId } = await db().emailDomain.findFirstOrThrow({
      where: { workspaceId, mailboxes: { none: {} } },
    });
    await removeDomain({ workspaceId, domainId, by });
    await add(102);
  });

  test('needs a plan that sends email, and so does verifying it', async ({ dns }) => {
    const { teammates, id, record } = await makeDomain();
    const { workspaceId, owner } = teammates;
    await changePlan({ workspaceId, plan: 'starter', by: owner });
    const refusal = { refusal: 'plan', message: 'Sending email needs the Growth plan or higher.' };
    await expect(addDomain({ workspaceId, domain: 'other.com', by: owner })).rejects.toMatchObject(refusal);
    dns.answers.set(NAME, [[record.value]]);
    await expect(verify(dns.resolver, teammates, id)).rejects.toMatchObject(refusal);
  });
});

describe('verifying a domain', () => {
  test('succeeds when the record exists, among other records and in several strings', async ({ dns }) => {
    const { teammates, id, record } = await makeDomain();
    const { value } = record;
    dns.answers.set(NAME, [['v=something else'], [value.slice(0, 20), value.slice(20)]]);
    expect(await verify(dns.resolver, teammates, id)).toEqual({ kind: 'verified' });
    expect(dns.queried).toEqual([NAME]);
    expect((await shown(teammates, id)).verifiedAt).toBeInstanceOf(Date);
    expect(
      await db().auditEntry.findMany({
        where: { workspaceId: teammates.workspaceId, kind: 'domain_verified' },
      }),
    ).toMatchObject([{ userId: teammates.admin.id, data: { domain: DOMAIN } }]);
  });

  test('is permanent and does not query DNS again', async ({ dns }) => {
    const { teammates, id, record } = await makeDomain();
    dns.answers.set(NAME, [[record.value]]);
    await verify(dns.resolver, teammates, id);
    dns.answers.clear();
    expect(await verify(dns.resolver, teammates, id)).toEqual({ kind: 'verified' });
    expect(dns.queried).toHaveLength(1);
  });

  test.for([
    ['no such name', 'There is no TXT record at _inbox-verification.example.com yet.'],
    ['no such record', 'There is no TXT record at _inbox-verification.example.com yet.'],
    [
      [['inbox-verification=another']],
      '_inbox-verification.example.com has a TXT record, but not with this value.',
    ],
    [[['']], 'has a TXT record, but not with this value.'],
    ['broken', 'The name servers of example.com did not answer.'],
    ['silent', 'The name servers of example.com did not answer.'],
  ] as const)('explains the problem when the DNS answer is %j', async ([response, message], { dns }) => {
    const { teammates, id } = await makeDomain();
    dns.answers.set(NAME, typeof response === 'string' ? response : response.map((parts) => [...parts]));
    expect(await verify(dns.resolver, teammates, id)).toEqual(notVerified(message));
    expect((await shown(teammates, id)).verifiedAt).toBeNull();
  });

  test('the attacker cannot verify a domain with the record of another workspace', async ({ dns }) => {
    const [victim, attacker] = [await makeDomain(), await makeDomain()];
    dns.answers.set(NAME, [[victim.record.value]]);
    expect(await verify(dns.resolver, attacker.teammates, attacker.id)).toEqual(
      notVerified('not with this value'),
    );
    await expect(verify(dns.resolver, attacker.teammates, victim.id)).rejects.toMatchObject({
      refusal: 'not_found',
    });
    expect(await verify(dns.resolver, victim.teammates, victim.id)).toEqual({ kind: 'verified' });
  });

  test('queries DNS at most thirty times a minute', async ({ dns }) => {
    const { teammates, id } = await makeDomain();
    for (let i = 0; i < 30; i += 1)
      expect((await verify(dns.resolver, teammates, id)).kind).toBe('not_verified');
    await expect(verify(dns.resolver, teammates, id)).rejects.toMatchObject({
      refusal: 'forbidden',
      message: 'The domain was checked too often. Wait a minute and try again.',
    });
    expect(dns.queried).toHaveLength(30);
  });

  test('holds no lock during the DNS query', async () => {
    const { teammates, id, record } = await makeDomain();
    const gate = Promise.withResolvers<string[][]>();
    const verifying = verify({ resolveTxt: () => gate.promise }, teammates, id);
    await inTransaction(
      (tx) =>
        tx.$executeRaw`select from workspaces where id = ${teammates.workspaceId}::uuid for update nowait`,
    );
    gate.resolve([[record.value]]);
    expect(await verifying).toEqual({ kind: 'verified' });
  });

  test('changes nothing when the domain was removed in the meantime', async () => {
    const { teammates, id, record } = await makeDomain();
    const { workspaceId, admin: by } = teammates;
    const verifying = verify(
      {
        resolveTxt: async () => {
          await removeDomain({ workspaceId, domainId: id, by });
          return [[record.value]];
        },
      },
      teammates,
      id,
    );
    await expect(verifying).rejects.toMatchObject({ refusal: 'not_found' });
    expect(await db().auditEntry.count({ where: { workspaceId, kind: 'domain_verified' } })).toBe(0);
  });
});

describe('removing a domain', () => {
  test('is possible while it has no mailbox', async () => {
    const { teammates, id } = await makeDomain();
    const { workspaceId, admin: by } = teammates;
    await removeDomain({ workspaceId, domainId: id, by });
    const [verified] = (await getEmailSettings(db(), workspaceId)).domains;
    await expect(removeDomain({ workspaceId, domainId: verified?.id ?? '', by })).rejects.toMatchObject({
      errors: { domain: [`The domain ${verified?.domain} has mailboxes. Remove them first.`] },
    });
    expect((await getEmailSettings(db(), workspaceId)).domains).toHaveLength(1);
  });

  test('is impossible for a domain of another workspace', async () => {
    const { id } = await makeDomain();
    const { workspaceId, teammate: by } = await makeConnection();
    for (const domainId of [id, 'no-uuid']) {
      await expect(removeDomain({ workspaceId, domainId, by })).rejects.toMatchObject({
        refusal: 'not_found',
      });
    }
    expect(await db().emailDomain.count({ where: { id } })).toBe(1);
  });
});

const verify = (resolver: TextResolver, { workspaceId, admin }: Teammates, domainId: string) =>
  verifyDomain(resolver, { workspaceId, domainId, by: admin });

const DOMAIN = 'example.com';
const NAME = `_inbox-verification.${DOMAIN}`;

/** Creates a workspace with an unverified domain, and returns the DNS record that verifies it. */
async function makeDomain(domain = DOMAIN) {
  const teammates = await makeTeammates();
  const { id } = await addDomain({ workspaceId: teammates.workspaceId, domain, by: teammates.admin });
  return { teammates, id, record: (await shown(teammates, id)).record };
}

async function shown({ workspaceId }: Teammates, id: string) {
  const found = (await getEmailSettings(db(), workspaceId)).domains.find((domain) => domain.id === id);
  if (!found) throw new Error('The domain is not shown.');
  return found;
}

const notVerified = (message: string) => ({
  kind: 'not_verified',
  message: expect.stringContaining(message),
});
