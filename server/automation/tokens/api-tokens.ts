import { validate as isUuid } from 'uuid';
import { type Ability, knownAbilities } from '#server/automation/tokens/abilities.ts';
import { newToken } from '#server/automation/tokens/token-text.ts';
import { textProblem } from '#server/contract/fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, notFound } from '#server/core/errors.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { cleanName } from '#server/core/text.ts';
import { notifyManagers } from '#server/teammates/add-notifications.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';
import { isTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** Maximum number of tokens of a workspace that work. */
export const TOKENS_MAX = 50;
/** Maximum length of a label, in code points. */
export const LABEL_MAX_LENGTH = 100;
/** Number of characters of a token that lists show. */
const SHOWN_CHARACTERS = 4;

type By = { workspaceId: string; by: Teammate };

type NewToken = {
  label: string;
  abilities: string[];
  /** The last day, in UTC, on which the token works, such as `2027-01-31`. Null: it does not expire. */
  lastDay: string | null;
};

/**
 * Creates an API token. Owners are notified, except the one who creates it.
 * @returns the token, which is stored nowhere and shown once
 * @throws Refusal when a field is invalid, the workspace has too many tokens, or `by` is neither owner nor admin
 */
export async function createToken({
  workspaceId,
  by,
  ...wanted
}: By & NewToken): Promise<{ id: string; token: string }> {
  const { label, abilities, expiresAt } = parseNewToken(wanted);
  return asManager({ workspaceId, by }, async (tx) => {
    const now = new Date();
    const token = newToken({ isTest: await isTestWorkspace(tx, workspaceId) });
    if ((await countLive(tx, { workspaceId, now })) >= TOKENS_MAX) {
      throw invalid({ label: [`A workspace can have up to ${TOKENS_MAX} API tokens. Revoke one first.`] });
    }
    const { id } = await tx.apiToken.create({
      data: {
        workspaceId,
        label,
        abilities,
        tokenHash: digest(token),
        lastFour: token.slice(-SHOWN_CHARACTERS),
        expiresAt,
        createdById: by.id,
        createdByName: by.name,
      },
      select: { id: true },
    });
    const data = { label, abilities: abilities.join(',') };
    await addAuditEntry(tx, { workspaceId, kind: 'api_token_created', by, data });
    await notifyManagers(tx, {
      workspaceId,
      content: { kind: 'api_token_created', data: { tokenId: id, label, abilities, byName: by.name } },
      except: [by.id],
      now,
    });
    afterCommit(tx, () => log().info({ workspaceId, tokenId: id, userId: by.id }, 'api_token.created'));
    return { id, token };
  });
}

/**
 * Revokes an API token. Its requests are refused from the commit on, also those under way that have not written yet. Does
 * nothing if it is revoked already.
 * @throws Refusal when the workspace has no such token, or `by` is neither owner nor admin
 */
export async function revokeToken({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const found = isUuid(id)
      ? await tx.apiToken.findFirst({ where: { workspaceId, id }, select: { label: true } })
      : null;
    if (!found) throw notFound('The API token');
    const { count } = await tx.apiToken.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date(), revokedById: by.id },
    });
    if (count === 0) return;
    await addAuditEntry(tx, { workspaceId, kind: 'api_token_revoked', by, data: { label: found.label } });
    afterCommit(tx, () => log().info({ workspaceId, tokenId: id, userId: by.id }, 'api_token.revoked'));
  });
}

/** Revokes every API token of a workspace that is deleted, in that transaction. */
export async function revokeTokensOfWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await tx.apiToken.updateMany({ where: { workspaceId, revokedAt: null }, data: { revokedAt: new Date() } });
}

export type ApiTokenRow = {
  id: string;
  label: string;
  abilities: Ability[];
  lastFour: string;
  expiresAt: Date | null;
  createdByName: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** Returns the tokens of a workspace that are not revoked, newest first. Expired ones are listed for 90 days. */
export async function listTokens(tx: Tx, workspaceId: string): Promise<ApiTokenRow[]> {
  const rows = await tx.apiToken.findMany({
    where: { workspaceId, revokedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LISTED_MAX,
    select: {
      id: true,
      label: true,
      abilities: true,
      lastFour: true,
      expiresAt: true,
      createdByName: true,
      createdAt: true,
      lastUsedAt: true,
      lastUsedAddress: true,
      createdBy: { select: { name: true, deletedAt: true } },
    },
  });
  return rows.map(({ createdBy, createdByName, abilities, ...row }) => ({
    ...row,
    abilities: knownAbilities(abilities),
    createdByName: createdBy?.deletedAt === null ? createdBy.name : createdByName,
  }));
}

/** Live tokens, and as many that have expired. */
const LISTED_MAX = 2 * TOKENS_MAX;

/** Days for which a revoked or expired token is stored. */
const ENDED_DAYS = 90;

/** Removes tokens 90 days after they were revoked or expired. Returns how many. */
export function removeEndedTokens(): Promise<number> {
  return removeInBatches(`
    delete from api_tokens where id in (
      select id from api_tokens
      where coalesce(revoked_at, expires_at) < now() - make_interval(days => ${ENDED_DAYS})
      limit ${BATCH_ROWS} for update skip locked
    )`);
}

/** The caller has locked the workspace, so that the count cannot grow. */
function countLive(tx: Tx, { workspaceId, now }: { workspaceId: string; now: Date }): Promise<number> {
  return tx.apiToken.count({
    where: { workspaceId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
}

/** @throws Refusal that names every invalid field */
function parseNewToken({ label: typed, abilities: chosen, lastDay }: NewToken) {
  const label = cleanName(typed);
  const abilities = knownAbilities(chosen);
  const expiresAt = lastDay === null ? null : endOfDay(lastDay);
  const labelProblem =
    label === ''
      ? 'The label must not be empty.'
      : textProblem(label, { label: 'label', max: LABEL_MAX_LENGTH });
  const errors: FieldErrors = {
    ...(labelProblem ? { label: [labelProblem] } : {}),
    ...(abilities.length === 0 ? { abilities: ['Choose at least one ability.'] } : {}),
    ...(expiresAt === undefined || (expiresAt && expiresAt.getTime() <= Date.now())
      ? { lastDay: ['Choose today or a later date.'] }
      : {}),
  };
  if (Object.keys(errors).length > 0 || expiresAt === undefined) throw invalid(errors);
  // The others would add nothing to full access.
  return {
    label,
    abilities: abilities.includes('full_access') ? ['full_access' as const] : abilities,
    expiresAt,
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** Returns the end of a day in UTC, or undefined for a text that names no day. */
function endOfDay(day: string): Date | undefined {
  const start = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? undefined : new Date(start + DAY_MS);
}
