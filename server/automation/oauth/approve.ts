import { takeSlot } from '#server/automation/connections/slots.ts';
import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { CODE_SECONDS, newCode } from '#server/automation/oauth/tokens.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, inTransaction, type Tx } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';
import { isAdmin } from '#server/teammates/roles.ts';

export type Approval = { kind: 'approved'; code: string } | { kind: 'not_allowed' } | { kind: 'no_slot' };

/**
 * Approves the platform's request for a workspace: creates the connection and its authorization code in one
 * transaction that locks the workspace's row, so that role and slots are judged as they are when it commits
 * (spec.md §3; decisions: OAuth, 1).
 */
export async function approve(given: {
  workspaceId: string;
  teammate: Teammate;
  request: AuthorizeRequest;
}): Promise<Approval> {
  const { workspaceId, teammate } = given;
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const member = await tx.member.findUnique({
      where: { workspaceId_userId: { workspaceId, userId: teammate.id }, workspace: { deletedAt: null } },
      select: { role: true },
    });
    if (!member || !isAdmin(member.role)) {
      if (member) await refuse(tx, given, 'role');
      return { kind: 'not_allowed' };
    }
    const integrationId = await takeSlot(tx, workspaceId);
    if (!integrationId) {
      await refuse(tx, given, 'slots');
      return { kind: 'no_slot' };
    }
    const connection = await tx.connection.create({
      data: {
        workspaceId,
        userId: teammate.id,
        integrationId,
        teammateName: teammate.name,
        teammateEmail: teammate.email,
      },
      select: { id: true },
    });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'connection_made',
      connectionId: connection.id,
      by: teammate,
    });
    const ids = { connectionId: connection.id, workspaceId, userId: teammate.id };
    afterCommit(tx, () => {
      log().info(ids, 'oauth.approved');
      publish(workspaceId, 'deliveries');
    });
    return { kind: 'approved', code: await issueCode(tx, connection.id, given.request) };
  });
}

async function issueCode(tx: Tx, connectionId: string, { challenge }: AuthorizeRequest): Promise<string> {
  const code = newCode();
  await tx.$executeRaw`
    insert into authorization_codes
      (code_hash, connection_id, redirect_uri, code_challenge, challenge_method, expires_at)
    values (${digest(code)}, ${connectionId}::uuid, ${settings().PLATFORM_RETURN_URL},
      ${challenge?.value ?? null}, ${challenge?.method ?? null}::challenge_method,
      now() + make_interval(secs => ${CODE_SECONDS}))`;
  return code;
}

function refuse(
  tx: Tx,
  { workspaceId, teammate }: { workspaceId: string; teammate: Teammate },
  reason: 'role' | 'slots',
) {
  afterCommit(tx, () => {
    log().info({ workspaceId, userId: teammate.id, reason }, 'oauth.approval_refused');
    publish(workspaceId, 'deliveries');
  });
  return addAuditEntry(tx, { workspaceId, kind: 'connection_refused', by: teammate, data: { reason } });
}
