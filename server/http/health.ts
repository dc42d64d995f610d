import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pool } from '#server/core/database/pools.ts';
import { processState } from '#server/core/process-state.ts';
import { codeOf } from '#server/core/user-error.ts';
import { sendJson } from '#server/http/response/send-json.ts';

const migrations = new URL('../../prisma/migrations/', import.meta.url);

/** GET /healthz: the process is up and responds. */
export function liveness(res: ServerResponse): void {
  sendJson(res, 200, { status: 'ok' });
}

type Readiness = { ok: true } | { ok: false; reason: string };

/** Cache time in ms: load balancers poll often, and the endpoint is public. */
const READINESS_MS = 1_000;
type Check = { at: number; found: Promise<Readiness> | undefined };
const lastCheck = processState((): Check => ({ at: 0, found: undefined }));

/**
 * GET /readyz: the database responds and has every migration of this version. Checked at most once a second,
 * however many requests arrive.
 */
export async function readiness(res: ServerResponse): Promise<void> {
  const now = performance.now();
  const last = lastCheck();
  if (!last.found || now - last.at >= READINESS_MS) Object.assign(last, { at: now, found: checkReadiness() });
  const { ok, ...details } = await (last.found as Promise<Readiness>);
  sendJson(res, ok ? 200 : 503, { status: ok ? 'ready' : 'not ready', ...details });
}

/** Checks that the database responds and has every migration of this version. Never throws. */
export async function checkReadiness(): Promise<Readiness> {
  try {
    const missing = await countMissingMigrations();
    if (missing === 0) return { ok: true };
    return { ok: false, reason: `${missing} migrations are not applied.` };
  } catch {
    return { ok: false, reason: 'The database does not answer.' };
  }
}

/** Returns the number of migrations of this version that the database does not have. */
export async function countMissingMigrations(): Promise<number> {
  const applied = new Set(await findApplied());
  return knownMigrations().filter((name) => !applied.has(name)).length;
}

async function findApplied(): Promise<string[]> {
  try {
    const { rows } = await pool().query<{ migration_name: string }>(
      'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    return rows.map((row) => row.migration_name);
  } catch (error) {
    // An empty database, which nobody has migrated yet.
    if (codeOf(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';

function knownMigrations(): string[] {
  return readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
