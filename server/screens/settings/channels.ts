import { z } from 'zod';
import { db } from '#server/core/database/db.ts';
import { systemResolver } from '#server/core/mail/dns-text-records.ts';
import { Channel } from '#server/generated/prisma/enums.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { disconnectAccount } from '#server/inbox/channels/accounts/disconnect-account.ts';
import { testAccount } from '#server/inbox/channels/accounts/test-account.ts';
import { checkSigningKey } from '#server/inbox/channels/email/check-signing-key.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';
import { makeSigningKey } from '#server/inbox/channels/email/signing-keys.ts';
import { replayUpdates } from '#server/inbox/provider-updates/replay-updates.ts';
import { adminProcedure } from '#server/screens/admin-procedure.ts';
import { screenRouter } from '#server/screens/procedures.ts';
import { getChannels } from '#server/screens/settings/get-channels.ts';
import { getEmailChannel } from '#server/screens/settings/get-email-channel.ts';

const domain = z.object({ domainId: z.uuid() });
const account = z.object({ accountId: z.uuid() });

/** The accounts of channels: owners and admins connect, test and disconnect them; no one else sees them. */
export const channelsScreens = screenRouter({
  list: adminProcedure.query(({ ctx: { workspace } }) => getChannels(db(), workspace.id)),
  connect: adminProcedure
    .input(z.object({ channel: z.enum(Channel), fields: z.record(z.string(), z.string()) }))
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
  email: adminProcedure.query(({ ctx: { workspace } }) => getEmailChannel(db(), workspace.id)),
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
  connectPostedMail: adminProcedure.mutation(({ ctx: { workspace, user } }) =>
    connectPostedMail(workspace.id, user),
  ),
});
