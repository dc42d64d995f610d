import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { approve } from '#server/automation/oauth/approve.ts';
import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { exchangeCode } from '#server/automation/oauth/exchange-code.ts';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import { db, inTransaction } from '#server/ground/db.ts';
import { flushPublished } from '#server/ground/publish/publish.ts';
import { PLATFORM } from '#test/settings.ts';

export const PASSWORD = 'a password for tests';

/** A workspace with a default mailbox on a domain that is verified unless said otherwise. */
export async function makeWorkspace({
  plan = 'growth',
  name = 'Acme',
  verified = plan !== 'starter',
}: {
  plan?: Plan;
  name?: string;
  verified?: boolean;
} = {}) {
  const tag = randomUUID().slice(0, 8);
  const workspace = await db().workspace.create({
    data: {
      name,
      plan,
      emailDomains: {
        create: {
          domain: `${tag}.test`,
          verificationToken: tag,
          verifiedAt: verified ? new Date() : null,
        },
      },
    },
    include: { emailDomains: true },
  });
  await db().mailbox.create({
    data: {
      workspaceId: workspace.id,
      address: `support@${tag}.test`,
      name: 'Acme Support',
      isDefault: true,
      emailDomainId: workspace.emailDomains[0]?.id ?? null,
    },
  });
  return { id: workspace.id, name, mailbox: `support@${tag}.test` };
}

/** Hashing is slow on purpose, so one hash does for all. */
let passwordHash: Promise<string> | undefined;

/** A user who can sign in with `PASSWORD`. */
export async function makeUser(name = 'Olivia Owen'): Promise<Teammate> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${randomUUID().slice(0, 8)}@acme.test`;
  const user = await db().user.create({ data: { name, email, emailVerified: true } });
  passwordHash ??= hashPassword(PASSWORD);
  await db().account.create({
    data: {
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: await passwordHash,
    },
  });
  return { id: user.id, name, email };
}

/** Makes a user a member of a workspace. */
export async function addMember(workspaceId: string, userId: string, role: Role): Promise<void> {
  await db().member.create({ data: { workspaceId, userId, role } });
}

const REQUEST: AuthorizeRequest = { state: undefined, challenge: undefined };

/** Approves for a teammate, as the consent page does. Returns the authorization code. */
export async function makeCode(
  workspaceId: string,
  teammate: Teammate,
  request: AuthorizeRequest = REQUEST,
): Promise<string> {
  const approval = await approve({ workspaceId, teammate, request });
  if (approval.kind !== 'approved') throw new Error(`Not approved: ${approval.kind}.`);
  return approval.code;
}

/** An approval that waits for the platform: by the owner of a new workspace, with the code to exchange. */
export async function makeWaitingConnection(given: { request?: AuthorizeRequest; plan?: Plan } = {}) {
  const workspaceId = (await makeWorkspace(given.plan ? { plan: given.plan } : {})).id;
  const teammate = await makeUser();
  await addMember(workspaceId, teammate.id, 'owner');
  const code = await makeCode(workspaceId, teammate, given.request);
  const { id } = await db().connection.findFirstOrThrow({ where: { workspaceId } });
  return { id, workspaceId, teammate, code };
}

/** A connected teammate: an owner of a new workspace unless one is given, with working tokens. */
export async function makeConnection(given: { workspaceId?: string; teammate?: Teammate; plan?: Plan } = {}) {
  const workspaceId = given.workspaceId ?? (await makeWorkspace(given.plan ? { plan: given.plan } : {})).id;
  const teammate = given.teammate ?? (await makeUser());
  const member = { workspaceId, userId: teammate.id };
  await inTransaction((tx) =>
    tx.member.upsert({
      where: { workspaceId_userId: member },
      create: { ...member, role: 'owner' },
      update: {},
    }),
  );
  const code = await makeCode(workspaceId, teammate);
  const issued = await exchangeCode(
    new Map([
      ['code', code],
      ['redirect_uri', PLATFORM.returnUrl],
    ]),
  );
  if (!issued.ok) throw new Error(issued.error.description);
  const connection = await db().connection.findFirstOrThrow({
    where: { workspaceId, userId: teammate.id },
    orderBy: { createdAt: 'desc' },
  });
  // What is told of it is told now, not half a second later among the statements of a test.
  await flushPublished();
  return {
    id: connection.id,
    workspaceId,
    teammate,
    accessToken: issued.value.access_token,
    refreshToken: issued.value.refresh_token,
  };
}
