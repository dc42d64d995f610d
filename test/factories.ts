import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { approve } from '#server/automation/oauth/decide-consent.ts';
import { exchangeCode } from '#server/automation/oauth/exchange-code.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, pool } from '#server/core/database/db.ts';
import { flushPublished } from '#server/core/live/publish.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import { insertConnection } from '#test/insert-connection.ts';
import { PLATFORM } from '#test/settings.ts';

export const PASSWORD = 'a password for tests';

/**
 * A workspace with a default mailbox on a domain that is verified unless said otherwise. It is one statement, as most
 * tests begin with it: Prisma's nested writes took ten times the processor time.
 */
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
  const id = uuidv7();
  const mailbox = `support@${tag}.test`;
  await pool().query(
    `with workspace as (
       insert into workspaces (id, plan, name) values ($1, $2, $3)
     ), domain as (
       insert into email_domains (id, workspace_id, domain, verification_token, verified_at)
       values ($4, $1, $5 || '.test', $5, case when $6 then now() end)
     )
     insert into mailboxes (id, workspace_id, address, name, is_default, email_domain_id)
     values ($7, $1, $8, 'Acme Support', true, $4)`,
    [id, plan, name, uuidv7(), tag, verified, uuidv7(), mailbox],
  );
  return { id, name, mailbox };
}

/** Hashing is slow on purpose, so one hash does for all. */
let passwordHash: Promise<string> | undefined;

/** A user who can sign in with `PASSWORD`; with a role, also a member of a workspace. */
export async function makeUser(
  name = 'Olivia Owen',
  membership?: { workspaceId: string; role: Role },
): Promise<Teammate> {
  const id = uuidv7();
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${randomUUID().slice(0, 8)}@acme.test`;
  passwordHash ??= hashPassword(PASSWORD);
  await pool().query(
    `with made as (
       insert into users (id, name, email, email_verified) values ($1, $2, $3, true)
     ), joined as (
       insert into members (workspace_id, user_id, role)
       select $6::uuid, $1, $7::role where $6 is not null
     )
     insert into accounts (id, user_id, account_id, provider_id, password)
     values ($4, $1, $1::text, 'credential', $5)`,
    [id, name, email, uuidv7(), await passwordHash, membership?.workspaceId, membership?.role],
  );
  return { id, name, email };
}

/** Makes a user a member of a workspace. */
export async function addMember(workspaceId: string, userId: string, role: Role): Promise<void> {
  await pool().query('insert into members (workspace_id, user_id, role) values ($1, $2, $3)', [
    workspaceId,
    userId,
    role,
  ]);
}

async function addMemberUnlessThere(workspaceId: string, userId: string): Promise<void> {
  await pool().query(
    "insert into members (workspace_id, user_id, role) values ($1, $2, 'owner') on conflict do nothing",
    [workspaceId, userId],
  );
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
  const teammate = await makeUser(undefined, { workspaceId, role: 'owner' });
  const code = await makeCode(workspaceId, teammate, given.request);
  const { id } = await db().connection.findFirstOrThrow({ where: { workspaceId } });
  return { id, workspaceId, teammate, code };
}

/** A connected teammate: an owner of a new workspace unless one is given, with working tokens. */
export async function makeConnection(given: { workspaceId?: string; teammate?: Teammate; plan?: Plan } = {}) {
  const workspaceId = given.workspaceId ?? (await makeWorkspace(given.plan ? { plan: given.plan } : {})).id;
  const teammate = given.teammate ?? (await makeUser(undefined, { workspaceId, role: 'owner' }));
  const isAlone = !given.workspaceId && !given.teammate;
  if (given.teammate) await addMemberUnlessThere(workspaceId, teammate.id);
  const made = isAlone ? await insertConnection(workspaceId, teammate) : await connect(workspaceId, teammate);
  return { ...made, workspaceId, teammate };
}

/** Connects a teammate as the consent page and the platform do. */
export async function connect(workspaceId: string, teammate: Teammate) {
  const code = await makeCode(workspaceId, teammate);
  const issued = await exchangeCode(
    new Map([
      ['code', code],
      ['redirect_uri', PLATFORM.returnUrl],
    ]),
  );
  if (!issued.ok) throw new Error(issued.error.description);
  const { rows } = await pool().query<{ id: string }>(
    'select id from connections where workspace_id = $1 and user_id = $2 order by created_at desc limit 1',
    [workspaceId, teammate.id],
  );
  const [connection] = rows;
  if (!connection) throw new Error('There is no connection.');
  // It is published now, not half a second later among the statements of a test.
  await flushPublished();
  const { access_token: accessToken, refresh_token: refreshToken } = issued.value;
  return { id: connection.id, accessToken, refreshToken };
}
