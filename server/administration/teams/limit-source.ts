import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** A mailbox, an account of a channel other than email, or with neither the web chat. */
type Source = { mailboxId: string | null; channelAccountId: string | null };

/**
 * Limits the conversations of a source to the members of some teams, besides owners, admins and those to whom a conversation is
 * assigned. Null: everyone sees them again.
 * @throws Refusal when `by` is neither owner nor admin, or the source or a team does not exist, or the source is an account of email
 */
export async function limitSource(limit: {
  workspaceId: string;
  source: Source;
  teamIds: string[] | null;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, source, by } = limit;
  await asManager(limit, async (tx) => {
    const name = await nameOfSource(tx, { workspaceId, source });
    const teams = limit.teamIds && (await findTeams(tx, { workspaceId, ids: [...new Set(limit.teamIds)] }));
    await tx.limitedSource.deleteMany({ where: { workspaceId, ...source } });
    if (teams) {
      const rows = teams.map(({ id: teamId }) => ({ teamId }));
      await tx.limitedSource.create({ data: { workspaceId, ...source, teams: { create: rows } } });
    }
    const data = { source: name, ...(teams ? { teams: teams.map((team) => team.name).join(', ') } : {}) };
    await addAuditEntry(tx, { workspaceId, kind: teams ? 'source_limited' : 'source_opened', by, data });
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/** @throws Refusal when the workspace has no such source */
async function nameOfSource(
  tx: Tx,
  { workspaceId, source: { mailboxId, channelAccountId } }: { workspaceId: string; source: Source },
): Promise<string> {
  if (mailboxId !== null) {
    const mailbox = await tx.mailbox.findFirst({
      where: { workspaceId, id: mailboxId },
      select: { address: true },
    });
    if (!mailbox) throw notFound('The mailbox');
    return mailbox.address;
  }
  if (channelAccountId === null) return 'the web chat';
  const account = await tx.channelAccount.findFirst({
    where: { workspaceId, id: channelAccountId },
    select: { name: true, channel: true },
  });
  if (!account) throw notFound('The channel');
  if (account.channel === 'email')
    throw invalid({ channelAccountId: ['Email has the source of its mailbox. Limit the mailbox instead.'] });
  return account.name;
}

/** Returns the teams by name, and locks them, so that none is deleted before the limit is stored. */
async function findTeams(
  tx: Tx,
  { workspaceId, ids }: { workspaceId: string; ids: string[] },
): Promise<{ id: string; name: string }[]> {
  const teams = await tx.$queryRaw<{ id: string; name: string }[]>`
    select id, name from teams
    where workspace_id = ${workspaceId}::uuid and id = any (${ids}::uuid[]) and deleted_at is null
    order by id for key share`;
  if (teams.length < ids.length)
    throw invalid({ teamIds: ['A chosen team no longer exists. Load the page again.'] });
  return teams.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
