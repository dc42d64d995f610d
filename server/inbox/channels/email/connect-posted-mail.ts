import { v7 as uuidv7 } from 'uuid';
import { db } from '#server/ground/db.ts';
import { newSecret } from '#server/ground/secrets.ts';
import { sealCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';

/**
 * Makes the address to which a provider of mail posts what arrives for a workspace, and the secret it signs with, which
 * is shown this once. Made again, the one before works no longer.
 * @throws Refusal when the operator has set no SECRETS_KEY
 */
export async function connectPostedMail(
  workspaceId: string,
): Promise<{ address: string; signingSecret: string }> {
  const id = uuidv7();
  const signingSecret = newSecret();
  const credentials = sealCredentials(id, { signing_secret: signingSecret });
  await db().$transaction([
    db().channelAccount.updateMany({
      where: { workspaceId, channel: 'email', deletedAt: null },
      data: { deletedAt: new Date(), credentials: null },
    }),
    db().channelAccount.create({
      data: { id, workspaceId, channel: 'email', externalId: id, name: 'Posted e-mail', credentials },
    }),
  ]);
  return { address: webhookAddress({ channel: 'email', id }), signingSecret };
}
