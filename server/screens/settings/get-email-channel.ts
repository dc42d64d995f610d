import type { Db } from '#server/core/database/db.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import { signingRecord } from '#server/inbox/channels/email/signing-record.ts';
import type { EmailChannelView, SigningView } from '#server/screens/settings/channel-views.ts';

/** How mail of a workspace is signed, domain by domain, and where a provider may post what arrives for it. */
export async function getEmailChannel(db: Db, workspaceId: string): Promise<EmailChannelView> {
  const [domains, posted] = await Promise.all([
    db.emailDomain.findMany({
      where: { workspaceId },
      select: {
        id: true,
        domain: true,
        verifiedAt: true,
        dkimSelector: true,
        dkimPublicKey: true,
        dkimCheckedAt: true,
      },
      orderBy: { domain: 'asc' },
    }),
    db.channelAccount.findFirst({
      where: { workspaceId, channel: 'email', deletedAt: null },
      select: { id: true, createdAt: true, lastReceivedAt: true },
    }),
  ]);
  return {
    domains: domains.map(
      ({
        id,
        domain,
        verifiedAt,
        dkimSelector: selector,
        dkimPublicKey: publicKey,
        dkimCheckedAt,
      }): SigningView => ({
        id,
        domain,
        isVerified: verifiedAt !== null,
        record: selector && publicKey ? signingRecord({ domain, selector, publicKey }) : null,
        checkedAt: dkimCheckedAt,
      }),
    ),
    postedMail: posted && {
      address: webhookAddress({ channel: 'email', id: posted.id }),
      madeAt: posted.createdAt,
      lastReceivedAt: posted.lastReceivedAt,
    },
  };
}
