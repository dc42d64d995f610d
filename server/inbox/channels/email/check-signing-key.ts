import { validate as isUuid } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/db.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { type TextResolver, textRecordProblem } from '#server/core/mail/dns-text-records.ts';
import { holdsKey, signingRecord } from '#server/inbox/channels/email/signing-record.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { requireManager } from '#server/teammates/require-role.ts';

const TOO_MANY = 'The domain was checked too often. Wait a minute and try again.';

/**
 * Looks up whether the record of a domain's signing key is in the DNS. While it is, mail from there is signed; once it is
 * no longer found, mail leaves unsigned. No transaction is open meanwhile.
 * @returns null when it was found, else why not, as a sentence
 * @throws Refusal unless owner or admin, when there is no such domain or no key, or past 30 look-ups a minute
 */
export async function checkSigningKey(
  resolver: TextResolver,
  given: { workspaceId: string; domainId: string; by: Teammate },
): Promise<string | null> {
  const { workspaceId, domainId: id, by } = given;
  await inTransaction((tx) => requireManager(tx, { workspaceId, userId: by.id }));
  const found = isUuid(id)
    ? await db().emailDomain.findFirst({
        where: { id, workspaceId },
        select: { domain: true, dkimSelector: true, dkimPublicKey: true },
      })
    : null;
  if (!found) throw notFound('The domain');
  const { domain, dkimSelector: selector, dkimPublicKey: publicKey } = found;
  if (selector === null || publicKey === null) throw invalid({ domain: [`${domain} has no key yet.`] });
  if (!(await takeFrom('domain_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const problem = await textRecordProblem(resolver, {
    name: signingRecord({ domain, selector, publicKey }).name,
    domain,
    isRight: (text) => holdsKey(text, publicKey),
  });
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireManager(tx, { workspaceId, userId: by.id });
    // Of this key: another one may have been made meanwhile.
    await tx.emailDomain.updateMany({
      where: { id, workspaceId, dkimPublicKey: publicKey },
      data: { dkimCheckedAt: problem === undefined ? new Date() : null },
    });
  });
  return problem ?? null;
}
