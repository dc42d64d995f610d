import { Resolver } from 'node:dns/promises';
import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/records/record-schemas.ts';
import { db, inTransaction } from '#server/ground/db.ts';
import { notFound, Refusal } from '#server/ground/errors.ts';
import { takeFrom } from '#server/ground/limits/limits.ts';
import { log } from '#server/ground/log.ts';
import { refuseWithoutEmail } from '#server/members/workspaces/add-domain.ts';
import { domainRecord } from '#server/members/workspaces/domain-record.ts';
import { addAuditEntry } from '#server/people/audit/add-audit-entry.ts';
import { lockWorkspace } from '#server/people/teammates/lock-workspace.ts';
import { requireManager } from '#server/people/teammates/require-role.ts';

/** How long a name server may take for an answer, in milliseconds, and how often one is asked. */
const LOOK_UP_MS = 2_000;
const TRIES = 2;
const TOO_MANY = 'The domain was checked too often. Wait a minute and try again.';

/** What looks records up: Node's own resolver, or what stands in for it. */
export type TextResolver = { resolveTxt: (name: string) => Promise<string[][]> };

/** What the look-up found. Not verified is no refusal: it may only be too early. */
export type Verification = { kind: 'verified' } | { kind: 'not_verified'; message: string };

/** The resolver of the machine, which answers within seconds or not at all. */
export function systemResolver(): TextResolver {
  return new Resolver({ timeout: LOOK_UP_MS, tries: TRIES });
}

/**
 * Looks up whether the record of a workspace's e-mail domain is there, and if so, marks the domain as verified: from now
 * on e-mail leaves from its mailboxes. A domain that is verified stays so. No transaction is open while it is looked up.
 * @throws Refusal when `by` is neither owner nor admin, there is no such domain, the plan sends no e-mail, or past 30
 *   look-ups a minute
 */
export async function verifyDomain(
  resolver: TextResolver,
  given: { workspaceId: string; domainId: string; by: Teammate },
): Promise<Verification> {
  const { workspaceId, domainId: id, by } = given;
  const found = isUuid(id)
    ? await db().emailDomain.findFirst({
        where: { id, workspaceId },
        select: {
          domain: true,
          verificationToken: true,
          verifiedAt: true,
          workspace: { select: { plan: true } },
        },
      })
    : null;
  if (!found) throw notFound('The domain');
  if (found.verifiedAt) return { kind: 'verified' };
  refuseWithoutEmail(found.workspace.plan);
  if (!(await takeFrom('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const problem = await problemOf(resolver, found);
  if (problem) return { kind: 'not_verified', message: problem };

  const { domain, verificationToken } = found;
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    const { count } = await tx.emailDomain.updateMany({
      where: { id, workspaceId, verificationToken, verifiedAt: null },
      data: { verifiedAt: new Date() },
    });
    if (count === 1) {
      await addAuditEntry(tx, { workspaceId, kind: 'domain_verified', by, data: { domain } });
    } else if ((await tx.emailDomain.count({ where: { id, workspaceId } })) === 0) {
      throw notFound('The domain');
    }
  });
  return { kind: 'verified' };
}

/** Why the record does not verify the domain, as a sentence, or undefined when it does. */
async function problemOf(
  resolver: TextResolver,
  domain: { domain: string; verificationToken: string },
): Promise<string | undefined> {
  const { name, value } = domainRecord(domain);
  try {
    // A text longer than 255 bytes comes in parts (RFC 1035 §3.3.14).
    const texts = (await resolver.resolveTxt(name)).map((parts) => parts.join('').trim());
    if (texts.includes(value)) return undefined;
    return `${name} has a TXT record, but not with this value. Copy the value again; changes may take a few hours to appear.`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (ABSENT.has(code)) {
      return `There is no TXT record at ${name} yet. A new record may take a few hours to appear.`;
    }
    log().info({ err: error }, 'domain.not_looked_up');
    return `The name servers of ${domain.domain} did not answer. Try again in a few minutes.`;
  }
}

/** The name server says that there is no such name, or no such record at it. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
