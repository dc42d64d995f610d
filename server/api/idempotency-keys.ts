import { randomUUID } from 'node:crypto';
import { pool } from '#server/core/database/pools.ts';
import { WITHOUT_FLUSH } from '#server/core/database/sql.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Lifetime of a key, in hours (docs/rulings.md 2.10). */
const KEY_HOURS = 24;

/**
 * Lease of a running request, in seconds. After a crash the key is free again when the lease expires. A request that
 * outlives its lease cannot commit once a later request has claimed the key: see `responsePart`.
 */
const LEASE_SECONDS = 60;

/** A request with an `Idempotency-Key`. */
export type KeyedRequest = {
  /** The connection or API token that sent it. */
  ownerId: string;
  key: string;
  /** SHA-256 of method, path and body. */
  requestHash: Buffer;
};

/** Proof that a request holds its key. `attemptId` is a fencing token: a later claim replaces it. */
export type KeyClaim = { ownerId: string; key: string; attemptId: string };

export type StoredResponse = { status: number; json: string };

type ClaimResult =
  | { kind: 'claimed'; claim: KeyClaim }
  /** The key belongs to a request with another path or body. */
  | { kind: 'mismatch' }
  | { kind: 'in_progress' }
  | { kind: 'stored'; response: StoredResponse }
  /** The change was committed, but its process stopped before it stored the final response. */
  | { kind: 'unfinished'; response: StoredResponse };

/**
 * Claims a key, or reads the response of its first request, in one statement. A row counts as absent after 24 hours, and
 * even when its lease has expired without a response: then nothing was committed. The commit skips the flush, because a
 * claim that is lost in a crash of the database has committed nothing either.
 */
const CLAIM = {
  name: 'claim-idempotency-key',
  text: `
    with claimed as (
      insert into idempotency_keys as k (owner_id, key, request_hash, attempt_id, leased_until)
      values ($1::uuid, $2, $3, $4::uuid, now() + make_interval(secs => ${LEASE_SECONDS}))
      on conflict (owner_id, key) do update
      set request_hash = excluded.request_hash, attempt_id = excluded.attempt_id,
        leased_until = excluded.leased_until, created_at = excluded.created_at, status = null, response = null
      where k.created_at <= now() - make_interval(hours => ${KEY_HOURS})
        or (k.status is null and k.leased_until <= now() and k.request_hash = excluded.request_hash)
      returning attempt_id
    )
    select ${WITHOUT_FLUSH}, exists (select from claimed) as claimed, k.request_hash, k.status, k.response,
      k.leased_until is not null as is_unfinished, k.leased_until > now() as is_leased
    from (select) as one
    left join idempotency_keys k on k.owner_id = $1::uuid and k.key = $2`,
};

type ClaimRow = {
  claimed: boolean;
  /** Null when another request inserted the row after this statement had taken its snapshot. */
  request_hash: Buffer | null;
  status: number | null;
  response: string | null;
  is_unfinished: boolean;
  is_leased: boolean | null;
};

/** Claims the key of a request, unless an earlier request has used it. */
export async function claimKey({ ownerId, key, requestHash }: KeyedRequest): Promise<ClaimResult> {
  const attemptId = randomUUID();
  const values = [ownerId, key, requestHash, attemptId];
  const { rows } = await pool().query<ClaimRow>({ ...CLAIM, values });
  const [row] = rows;
  if (row?.claimed) return { kind: 'claimed', claim: { ownerId, key, attemptId } };
  if (!row?.request_hash) return { kind: 'in_progress' };
  if (!row.request_hash.equals(requestHash)) return { kind: 'mismatch' };
  const { status, response: json } = row;
  if (row.is_leased || status === null || json === null) return { kind: 'in_progress' };
  return { kind: row.is_unfinished ? 'unfinished' : 'stored', response: { status, json } };
}

/**
 * Returns the statement that stores the response of a request, as a part of the statement that writes its change. It returns no
 * row if the lease has expired and a later request has claimed the key.
 * @param isFinal false when more follows after the commit, for example the sending of a reply
 */
export function responsePart(
  { ownerId, key, attemptId }: KeyClaim,
  { status, json }: StoredResponse,
  isFinal: boolean,
): Prisma.Sql {
  return Prisma.sql`
    update idempotency_keys
    set status = ${status}::int, response = ${json}::text,
      leased_until = case when ${isFinal}::boolean then null else leased_until end
    where owner_id = ${ownerId}::uuid and key = ${key}::text and attempt_id = ${attemptId}::uuid
    returning key`;
}

/** Stores the final response of a request whose change did not store it, for example a refusal. */
export async function finishKey(claim: KeyClaim, { status, json }: StoredResponse): Promise<void> {
  const { ownerId, key, attemptId } = claim;
  await pool().query(
    `update idempotency_keys set status = $4, response = $5, leased_until = null
     where owner_id = $1 and key = $2 and attempt_id = $3`,
    [ownerId, key, attemptId, status, json],
  );
}

/**
 * Ends the lease of a request that failed, so that it can be sent again immediately. A committed change keeps its key: if
 * the outcome of the commit is still unknown, this statement waits for the row.
 */
export async function releaseKey({ ownerId, key, attemptId }: KeyClaim): Promise<void> {
  await pool().query(
    `update idempotency_keys set leased_until = now()
     where owner_id = $1 and key = $2 and attempt_id = $3 and status is null`,
    [ownerId, key, attemptId],
  );
}

/** Removes keys that are older than 24 hours. Returns how many. */
export function removeOldIdempotencyKeys(): Promise<number> {
  return removeInBatches(`
    delete from idempotency_keys where (owner_id, key) in (
      select owner_id, key from idempotency_keys
      where created_at <= now() - make_interval(hours => ${KEY_HOURS})
      limit ${BATCH_ROWS} for update skip locked
    )`);
}
