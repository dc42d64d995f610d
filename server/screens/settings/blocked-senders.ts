import { z } from 'zod';
import { addressInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { asciiEmail, shownEmail } from '#server/core/email-domain.ts';
import { BLOCKED_SENDERS_MAX, blockTyped, unblock } from '#server/inbox/blocked-senders/block-sender.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { BlockedSendersView, BlockedSenderView } from '#server/screens/settings/views.ts';

/** The workspace's block list, for owners and admins. */
export const blockedSendersScreens = screenRouter({
  get: adminProcedure
    .input(z.object({ search: addressInput.optional() }))
    .query(({ ctx: { workspace }, input: { search = '' } }) =>
      getBlockedSenders(db(), { workspaceId: workspace.id, search: search.trim().toLowerCase() }),
    ),
  add: adminProcedure
    .input(z.object({ sender: addressInput }))
    .mutation(async ({ ctx: { workspace, user }, input: { sender } }) => {
      const { value } = await blockTyped({ workspaceId: workspace.id, typed: sender, by: user });
      return { value: shownEmail(value) };
    }),
  remove: adminProcedure
    .input(z.object({ id: z.guid() }))
    .mutation(({ ctx: { workspace, user }, input: { id } }) =>
      unblock({ workspaceId: workspace.id, id, by: user }),
    ),
});

/** Maximum number of entries per page. Others are found by searching. */
const SHOWN_MAX = 100;

/** Returns the newest entries that contain the search text. A workspace has at most `BLOCKED_SENDERS_MAX` entries. */
async function getBlockedSenders(
  db: Db,
  { workspaceId, search }: { workspaceId: string; search: string },
): Promise<BlockedSendersView> {
  const [total, found] = await Promise.all([
    db.blockedSender.count({ where: { workspaceId } }),
    db.$queryRaw<BlockedSenderView[]>`
      select id, kind::text as kind, case when kind = 'chat' then coalesce(label, value) else value end as name,
        created_by_name as "createdByName", created_at as "createdAt", last_refused_at as "lastRefusedAt"
      from blocked_senders
      where workspace_id = ${workspaceId}::uuid
        and (${search} = '' or strpos(value, ${asciiEmail(search)}) > 0 or strpos(lower(coalesce(label, '')), ${search}) > 0)
      order by created_at desc, id desc limit ${SHOWN_MAX + 1}::int`,
  ]);
  return {
    total,
    max: BLOCKED_SENDERS_MAX,
    senders: found.slice(0, SHOWN_MAX).map((sender) => ({ ...sender, name: shownEmail(sender.name) })),
    hasMore: found.length > SHOWN_MAX,
  };
}
