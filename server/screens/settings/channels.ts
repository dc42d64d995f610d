import { z } from 'zod';
import { sendTestMail } from '#server/administration/workspaces/send-test-mail.ts';
import { addressInput, textsInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { systemResolver } from '#server/core/mail/dns-text-records.ts';
import { Channel } from '#server/generated/prisma/enums.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { disconnectAccount } from '#server/inbox/channels/accounts/disconnect-account.ts';
import { openAccount, sealedAccountSelect } from '#server/inbox/channels/accounts/open-account.ts';
import { testAccount } from '#server/inbox/channels/accounts/test-account.ts';
import { webhookAddress } from '#server/inbox/channels/accounts/webhook-address.ts';
import { CHANNEL_LIST, CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';
import { checkSigningKey, makeSigningKey } from '#server/inbox/channels/email/signing-keys.ts';
import { addForm, declineForm, removeForm } from '#server/inbox/incoming-mail/listed-forms.ts';
import { replayUpdates } from '#server/inbox/provider-updates/store-update.ts';
import { adminProcedure, agentProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { AccountView, ChannelView } from '#server/screens/settings/channel-views.ts';
import { getEmailSettings, getMailRoutes } from '#server/screens/settings/email-settings.ts';

const domain = z.object({ domainId: z.uuid() });
const account = z.object({ accountId: z.uuid() });

/** Accounts of channels, for owners and admins only. */
export const channelsScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace } }) => getChannels(db(), workspace.id)),
  connect: adminProcedure
    .input(z.object({ channel: z.enum(Channel), fields: textsInput({ max: 1_000, namesMax: 20 }) }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      connectAccount({ workspaceId: workspace.id, by: user, ...input }),
    ),
  test: adminProcedure
    .input(account)
    .mutation(({ ctx: { workspace, user }, input }) =>
      testAccount({ workspaceId: workspace.id, by: user, ...input }),
    ),
  disconnect: adminProcedure
    .input(account)
    .mutation(({ ctx: { workspace, user }, input }) =>
      disconnectAccount({ workspaceId: workspace.id, by: user, ...input }),
    ),
  replay: adminProcedure
    .input(account)
    .mutation(({ ctx: { workspace }, input }) => replayUpdates({ workspaceId: workspace.id, ...input })),
  email: adminProcedure.query(({ ctx: { workspace } }) => getEmailSettings(db(), workspace.id)),
  /** MX records, looked up now. */
  mailRoutes: adminProcedure.query(({ ctx: { workspace } }) =>
    getMailRoutes(db(), systemResolver(), workspace.id),
  ),
  sendTestMail: adminProcedure
    .input(z.object({ mailboxId: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      sendTestMail({ workspaceId: workspace.id, by: user, ...input }),
    ),
  makeSigningKey: adminProcedure
    .input(domain)
    .mutation(({ ctx: { workspace, user }, input }) =>
      makeSigningKey({ workspaceId: workspace.id, by: user, ...input }),
    ),
  checkSigningKey: adminProcedure
    .input(domain)
    .mutation(({ ctx: { workspace, user }, input }) =>
      checkSigningKey(systemResolver(), { workspaceId: workspace.id, by: user, ...input }),
    ),
  addForm: adminProcedure
    .input(z.object({ address: addressInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addForm({ workspaceId: workspace.id, typed: input.address, by: user }),
    ),
  /** Any teammate who can reply sees the offer, and can decline it. */
  declineForm: agentProcedure
    .input(z.object({ address: addressInput }))
    .mutation(({ ctx: { workspace }, input }) => declineForm({ workspaceId: workspace.id, ...input })),
  removeForm: adminProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeForm({ workspaceId: workspace.id, id: input.id, by: user }),
    ),
  connectPostedMail: adminProcedure.mutation(({ ctx: { workspace, user } }) =>
    connectPostedMail(workspace.id, user),
  ),
});

/** Returns the connectable channels with the connected accounts and their state. */
async function getChannels(db: Db, workspaceId: string): Promise<ChannelView[]> {
  const [accounts, failed] = await Promise.all([
    db.channelAccount.findMany({
      where: { workspaceId, deletedAt: null },
      select: { ...sealedAccountSelect, status: true, lastError: true, lastReceivedAt: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    db.inboundUpdate.groupBy({
      by: ['accountId'],
      where: { workspaceId, processedAt: { not: null }, error: { not: null } },
      _count: true,
    }),
  ]);
  return CHANNEL_LIST.flatMap((channel) => {
    const adapter = CHANNELS[channel].accounts;
    if (!adapter) return [];
    const { fields, steps, webhookStep, showsVerifyToken } = adapter;
    const own = accounts.filter((account) => account.channel === channel);
    return {
      channel,
      name: CHANNEL_NAMES[channel].name,
      fields,
      steps: webhookStep === null ? steps : [...steps, webhookStep],
      accounts: own.map(({ status, lastError, lastReceivedAt, ...sealed }): AccountView => {
        const opened = tryToOpen(sealed);
        return {
          id: sealed.id,
          name: sealed.name,
          state: status === 'reconnect_needed' ? status : lastError || !opened ? 'faulty' : 'connected',
          problem: opened ? lastError : UNREADABLE,
          lastReceivedAt,
          openStep: sealed.webhookCalledAt === null ? webhookStep : null,
          address: webhookAddress(sealed),
          verifyToken: (showsVerifyToken ? opened?.credentials.verifyToken : undefined) ?? null,
          failedUpdates: failed.find(({ accountId }) => accountId === sealed.id)?._count ?? 0,
        };
      }),
    };
  });
}

const UNREADABLE =
  'Its token cannot be read with the current SECRETS_KEY of this service. Connect it again, or ask the operator.';

/** A missing key must not prevent the screen from loading, so that the account can be connected again. */
function tryToOpen(sealed: Parameters<typeof openAccount>[0]) {
  try {
    return openAccount(sealed);
  } catch {
    return undefined;
  }
}
