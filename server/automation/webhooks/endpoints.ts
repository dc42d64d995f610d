import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { removeHooks } from '#server/automation/hooks/remove-hooks.ts';
import {
  type EndpointEvents,
  parseEndpoint,
  type TypedEndpoint,
} from '#server/automation/webhooks/endpoint-input.ts';
import { newSecret, showSecret } from '#server/automation/webhooks/endpoint-secret.ts';
import type { Db, Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';
import { type AuditAuthor, addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/** Maximum number of webhook endpoints of a workspace. */
export const ENDPOINTS_MAX = 20;
/** Time for which the secret before a rotation also signs, in hours. */
const ROTATION_HOURS = 24;

/** A webhook endpoint. `failing`: paused after days of failures. `gone`: paused, because it responded with 410. */
export type Endpoint = {
  id: string;
  url: string;
  description: string;
  events: EndpointEvents;
  state: 'enabled' | 'disabled' | 'failing' | 'gone';
  skipsTokenId: string | null;
  /** First failed attempt since the last delivered event. */
  failingSince: Date | null;
  createdByName: string;
  createdAt: Date;
};

type By = { workspaceId: string; by: AuditAuthor };
type Which = By & { id: string };
type Wanted = TypedEndpoint & {
  enabled?: boolean | undefined;
  /** The token whose own changes the endpoint leaves out. Null: it gets all. */
  skipsTokenId?: string | null | undefined;
};

const endpointSelect = {
  id: true,
  description: true,
  failingSince: true,
  createdByName: true,
  createdAt: true,
  hook: { select: { targetUrl: true, events: true, removalReason: true, skipsTokenId: true } },
} satisfies Prisma.WebhookEndpointSelect;

/** Returns the endpoints of a workspace, the oldest first. */
export async function listEndpoints(db: Db, workspaceId: string): Promise<Endpoint[]> {
  const found = await db.webhookEndpoint.findMany({
    where: { workspaceId },
    select: endpointSelect,
    orderBy: { id: 'asc' },
    relationLoadStrategy: 'join',
  });
  return found.map(endpointOf);
}

/** Returns an endpoint, or null. */
export async function findEndpoint(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Endpoint | null> {
  if (!isUuid(id)) return null;
  const found = await db.webhookEndpoint.findFirst({ where: { workspaceId, id }, select: endpointSelect });
  return found && endpointOf(found);
}

/** Returns the secret that signs the events of an endpoint. @throws Refusal when the endpoint does not exist */
export async function readSecret(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<string> {
  const found = isUuid(id)
    ? await db.webhookEndpoint.findFirst({ where: { workspaceId, id }, select: { id: true, secret: true } })
    : null;
  if (!found) throw notFound('The webhook endpoint');
  return showSecret(found.secret, found.id);
}

/**
 * Creates an endpoint.
 * @throws Refusal when a field is invalid, the workspace has too many endpoints, or SECRETS_KEY is not set
 */
export async function createEndpoint(
  tx: Tx,
  { workspaceId, by, ...wanted }: By & Wanted,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const {
    url = '',
    events = [],
    description = '',
  } = parseEndpoint({ ...wanted, url: wanted.url ?? '', events: wanted.events ?? [] });
  await lockWorkspace(tx, workspaceId);
  if ((await tx.webhookEndpoint.count({ where: { workspaceId } })) >= ENDPOINTS_MAX) {
    throw invalid({
      url: [`A workspace can have up to ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`],
    });
  }
  const id = uuidv7();
  const { shown, sealed } = newSecret(id);
  const isDisabled = wanted.enabled === false;
  await tx.hook.create({
    data: {
      id,
      workspaceId,
      event: '*',
      targetUrl: url,
      events,
      skipsTokenId: await checkToken(tx, { workspaceId, id: wanted.skipsTokenId ?? null }),
      ...(isDisabled ? { removedAt: new Date(), removalReason: 'unsubscribed' } : {}),
    },
    select: { id: true },
  });
  const created = await tx.webhookEndpoint.create({
    data: { id, workspaceId, description, secret: sealed, createdByName: by.name },
    select: endpointSelect,
  });
  await addAuditEntry(tx, { workspaceId, kind: 'webhook_created', by, data: { url } });
  return { endpoint: endpointOf(created), secret: shown };
}

/**
 * Changes the given fields of an endpoint. A disabled or paused one that is enabled gets the events from now on.
 * @throws Refusal when a field is invalid, or the endpoint does not exist
 */
export async function updateEndpoint(
  tx: Tx,
  { workspaceId, id, by, ...wanted }: Which & Wanted,
): Promise<Endpoint> {
  const fields = parseEndpoint(wanted);
  await lockEndpoint(tx, { workspaceId, id });
  const { url, events, description } = fields;
  if (wanted.enabled === false) await removeHooks(tx, { workspaceId, id }, 'unsubscribed');
  if (wanted.enabled === true) await enable(tx, id);
  const skips =
    wanted.skipsTokenId === undefined
      ? {}
      : { skipsTokenId: await checkToken(tx, { workspaceId, id: wanted.skipsTokenId }) };
  const changed = {
    ...(url === undefined ? {} : { targetUrl: url }),
    ...(events ? { events } : {}),
    ...skips,
  };
  if (Object.keys(changed).length > 0) {
    await tx.hook.update({ where: { id }, data: changed, select: { id: true } });
  }
  const updated = await tx.webhookEndpoint.update({
    where: { id },
    data: description === undefined ? {} : { description },
    select: endpointSelect,
  });
  const endpoint = endpointOf(updated);
  await addAuditEntry(tx, { workspaceId, kind: 'webhook_changed', by, data: { url: endpoint.url } });
  return endpoint;
}

/** Deletes an endpoint. Its worker cancels what was not delivered. @throws Refusal when it does not exist */
export async function deleteEndpoint(tx: Tx, { workspaceId, id, by }: Which): Promise<void> {
  const { url } = await lockEndpoint(tx, { workspaceId, id });
  await removeHooks(tx, { workspaceId, id }, 'unsubscribed');
  await tx.webhookEndpoint.delete({ where: { id }, select: { id: true } });
  await addAuditEntry(tx, { workspaceId, kind: 'webhook_deleted', by, data: { url } });
}

/**
 * Gives an endpoint a new secret. The one before signs too for `ROTATION_HOURS`, so that the receiver can change it at any time.
 * @throws Refusal when the endpoint does not exist
 */
export async function rotateSecret(
  tx: Tx,
  { workspaceId, by, ...which }: Which,
): Promise<{ secret: string }> {
  const { id, url } = await lockEndpoint(tx, { workspaceId, ...which });
  const { shown, sealed } = newSecret(id);
  await tx.$executeRaw`
    update webhook_endpoints set earlier_secret = secret, secret = ${sealed},
      earlier_secret_until = clock_timestamp() + make_interval(hours => ${ROTATION_HOURS}::int)
    where id = ${id}::uuid`;
  await addAuditEntry(tx, { workspaceId, kind: 'webhook_secret_rotated', by, data: { url } });
  return { secret: shown };
}

/** Disables the endpoints of a workspace that is deleted, in that transaction. */
export async function disableEndpoints(tx: Tx, workspaceId: string): Promise<void> {
  const live = await tx.hook.findMany({
    where: { workspaceId, connectionId: null, removedAt: null },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const { id } of live) await removeHooks(tx, { workspaceId, id }, 'unsubscribed');
}

/**
 * Locks the workspace and the hook of an endpoint, and returns its URL and its id as it is stored, which encrypts its secret.
 * @throws Refusal when it does not exist
 */
async function lockEndpoint(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; url: string }> {
  await lockWorkspace(tx, workspaceId);
  const [hook] = isUuid(id)
    ? await tx.$queryRaw<{ id: string; url: string }[]>`
        select id, target_url as url from hooks h
        where id = ${id}::uuid and workspace_id = ${workspaceId}::uuid
          and exists (select from webhook_endpoints w where w.id = h.id)
        for no key update`
    : [];
  if (!hook) throw notFound('The webhook endpoint');
  return hook;
}

/** The endpoint gets events from now on: its hook is as new. */
async function enable(tx: Tx, id: string): Promise<void> {
  const enabled = await tx.$executeRaw`
    update hooks set removed_at = null, removal_reason = null, created_at = clock_timestamp(),
      throttled_at = null, timed_out_at = null
    where id = ${id}::uuid and removed_at is not null`;
  if (enabled === 0) return;
  await tx.webhookEndpoint.update({
    where: { id },
    data: { failingSince: null, lastFailedAt: null, warnedAt: null },
    select: { id: true },
  });
}

/** @throws Refusal when the workspace has no such token */
async function checkToken(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string | null },
): Promise<string | null> {
  if (id === null) return null;
  const found = isUuid(id) && (await tx.apiToken.count({ where: { id, workspaceId } })) > 0;
  if (!found) throw invalid({ skips_token_id: ['The workspace has no such API token.'] });
  return id;
}

type Found = Prisma.WebhookEndpointGetPayload<{ select: typeof endpointSelect }>;

function endpointOf({ hook, ...endpoint }: Found): Endpoint {
  return {
    ...endpoint,
    url: hook.targetUrl,
    events: hook.events as EndpointEvents,
    skipsTokenId: hook.skipsTokenId,
    state: stateOf(hook.removalReason),
  };
}

function stateOf(reason: HookRemoval | null): Endpoint['state'] {
  if (reason === null) return 'enabled';
  return reason === 'failing' || reason === 'gone' ? reason : 'disabled';
}
