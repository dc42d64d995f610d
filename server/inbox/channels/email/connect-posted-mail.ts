import { v7 as uuidv7 } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { newSecret } from '#server/core/secrets.ts';
import { sealCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace, requireManager } from '#server/teammates/require-role.ts';
import { NO_CHANNELS_IN_TEST, refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

/**
 * Creates the address to which an email provider posts a workspace's mail, and its signing secret, which is shown only
 * once. A new address replaces the previous one.
 * @param by the acting teammate; undefined for the operator
 * @throws Refusal unless `by` is owner or admin, in a test workspace, or when SECRETS_KEY is not set
 */
export async function connectPostedMail(
  workspaceId: string,
  by?: Teammate,
): Promise<{ address: string; signingSecret: string }> {
  const id = uuidv7();
  const signingSecret = newSecret();
  const credentials = sealCredentials(id, { signing_secret: signingSecret });
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (by) await requireManager(tx, { workspaceId, userId: by.id });
    await refuseInTestWorkspace(tx, workspaceId, NO_CHANNELS_IN_TEST);
    await tx.channelAccount.updateMany({
      where: { workspaceId, channel: 'email', deletedAt: null },
      data: { deletedAt: new Date(), credentials: null },
    });
    await tx.channelAccount.create({
      data: { id, workspaceId, channel: 'email', externalId: id, name: 'Posted email', credentials },
    });
    await addAuditEntry(tx, { workspaceId, kind: 'posted_mail_address_made', by });
  });
  return { address: webhookAddress({ channel: 'email', id }), signingSecret };
}
