import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pool } from '#server/db.ts';
import { sendJson } from '#server/http/send-json.ts';

const migrations = new URL('../../prisma/migrations/', import.meta.url);

/** GET /healthz: the process is up and answers. */
export function liveness(res: ServerResponse): void {
  sendJson(res, 200, { status: 'ok' });
}

/** GET /readyz: the database answers and has every migration of this version, so calls can be sent here. */
export async function readiness(res: ServerResponse): Promise<void> {
  const { ok, ...details } = await checkReadiness();
  sendJson(res, ok ? 200 : 503, { status: ok ? 'ready' : 'not ready', ...details });
}

/** Whether the database answers and has every migration of this version, and if not why. Never throws. */
export async function checkReadiness(): Promise<{ ok: true } | { ok: false; reason: string }> {
  try {
    const { rows } = await pool().query<{ migration_name: string }>(
      'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    const applied = new Set(rows.map((row) => row.migration_name));
    const missing = knownMigrations().filter((name) => !applied.has(name));
    if (missing.length === 0) return { ok: true };
    return { ok: false, reason: `${missing.length} migrations are not applied.` };
  } catch {
    return { ok: false, reason: 'The database does not answer.' };
  }
}

function knownMigrations(): string[] {
  return readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
