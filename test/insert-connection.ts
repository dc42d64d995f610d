import { v7 as uuidv7 } from 'uuid';
import { PLATFORM_INTEGRATION } from '#server/automation/connections/slots.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CODE_SECONDS,
  newAccessToken,
  newCode,
  newRefreshToken,
} from '#server/automation/oauth/tokens.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { digest } from '#server/core/secrets.ts';

/**
 * Leaves in one statement what `approve` and `exchangeCode` leave of the first connection of a workspace in which its
 * owner is alone: with the locks and round trips of both it took five times as long, and most tests begin with one.
 * `insert-connection.integration.test.ts` compares them row by row.
 */
export async function insertConnection(workspaceId: string, owner: Teammate) {
  const id = uuidv7();
  const accessToken = newAccessToken();
  const refreshToken = newRefreshToken();
  const { PLATFORM_NAME, PLATFORM_RETURN_URL } = settings();
  await pool().query(
    `with slot as (
       insert into integrations (id, workspace_id, kind, name) values ($1, $2, $3, $4)
     ), connection as (
       insert into connections
         (id, workspace_id, user_id, integration_id, teammate_name, teammate_email, exchanged_at,
          access_token_hash)
       values ($5, $2, $6, $1, $7, $8, date_trunc('milliseconds', clock_timestamp()) + interval '1 ms', $13)
     ), noted as (
       insert into audit_entries (id, workspace_id, kind, user_id, user_name, connection_id)
       values ($9, $2, 'connection_made', $6, $7, $5)
     ), code as (
       insert into authorization_codes (code_hash, connection_id, redirect_uri, expires_at, used_at)
       values ($10, $5, $11, now() + make_interval(secs => $12), clock_timestamp())
     ), access as (
       insert into access_tokens (token_hash, connection_id, expires_at)
       values ($13, $5, now() + make_interval(secs => $14))
     )
     insert into refresh_tokens (token_hash, connection_id) values ($15, $5)`,
    [
      uuidv7(),
      workspaceId,
      PLATFORM_INTEGRATION,
      PLATFORM_NAME,
      id,
      owner.id,
      owner.name,
      owner.email,
      uuidv7(),
      Buffer.from(digest(newCode())),
      PLATFORM_RETURN_URL,
      CODE_SECONDS,
      Buffer.from(digest(accessToken)),
      ACCESS_TOKEN_SECONDS,
      Buffer.from(digest(refreshToken)),
    ],
  );
  return { id, accessToken, refreshToken };
}
