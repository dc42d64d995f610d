import {
  ACCESS_TOKEN_SECONDS,
  newAccessToken,
  newRefreshToken,
  type TokenResponse,
  tokenResponse,
} from '#server/automation/oauth/tokens.ts';
import { statementOf } from '#server/core/database/parts.ts';
import { sql } from '#server/core/database/sql.ts';
import { startMovingJobs } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { managerNotificationParts, NOTIFIED } from '#server/teammates/add-notifications.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

export type SpentCode = {
  code: string;
  connectionId: string;
  workspaceId: string | null;
  userId: string | null;
  teammateName: string;
};

/**
 * Spends a code, issues the tokens and notifies the workspace's owners in one statement: of parallel
 * statements for one code, only one changes its row. Separate statements in a transaction would reduce the
 * exchanges per second by a third to a half.
 * @returns undefined when the code was already spent, its connection has ended or its teammate may no longer
 *     connect
 */
export async function spendCode(spent: SpentCode): Promise<TokenResponse | undefined> {
  const { code, connectionId: id, workspaceId, userId, teammateName } = spent;
  if (!workspaceId || !userId) return undefined;
  const now = new Date();
  const [accessToken, refreshToken] = [newAccessToken(), newRefreshToken()];
  const accessHash = digest(accessToken);
  const whenExchanged = Prisma.sql`exists (select from exchanged)`;
  const parts = {
    spent: Prisma.sql`
      update authorization_codes a set used_at = now() from connections c
      where a.code_hash = ${digest(code)} and a.used_at is null and c.id = a.connection_id and c.ended_at is null and exists (
        select from members m
        where m.workspace_id = c.workspace_id and m.user_id = c.user_id and m.role = any (${[...ADMIN_ROLES]}::role[])
      )
      returning a.connection_id`,
    exchanged: Prisma.sql`
      update connections set exchanged_at = ${now}::timestamptz, live_token_times = array[now()]
      where id = (select connection_id from spent) and ended_at is null returning id`,
    access: Prisma.sql`
      insert into access_tokens (token_hash, connection_id, expires_at)
      select ${accessHash}, id, now() + make_interval(secs => ${ACCESS_TOKEN_SECONDS}) from exchanged`,
    refresh: Prisma.sql`
      insert into refresh_tokens (token_hash, connection_id) select ${digest(refreshToken)}, id from exchanged`,
    // Only the first tokens notify: an approval without a code exchange notifies nobody.
    ...managerNotificationParts(
      {
        workspaceId,
        content: { kind: 'connection_started', data: { connectionId: id, teammateName } },
        except: [userId],
        now,
      },
      whenExchanged,
    ),
  };
  const [row] = await sql().$queryRaw<{ exchanged: boolean; notified: number }[]>(
    statementOf(parts, Prisma.sql`select ${whenExchanged} as exchanged, ${NOTIFIED} as notified`),
  );
  if (!row?.exchanged) return undefined;
  log().info({ connectionId: id, workspaceId, userId }, 'connection.started');
  publish(workspaceId, 'deliveries');
  if (row.notified > 0) {
    startMovingJobs();
    publish(workspaceId, 'notifications');
  }
  return tokenResponse(accessToken, refreshToken);
}
