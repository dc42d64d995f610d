import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import { auth, FRESH_SECONDS } from '#server/teammates/auth.ts';

/** A workspace as one of its members sees it. */
export type MemberWorkspace = { id: string; name: string; plan: Plan; role: Role };

/** Who is signed in, with the workspace open in this session and all they are a member of, by name. */
export type SignedIn = {
  sessionId: string;
  user: Teammate;
  workspace: MemberWorkspace | null;
  workspaces: MemberWorkspace[];
};

/** Session, teammate and workspaces in one round trip: the statement every page begins with, hence prepared. */
const STATEMENT = {
  name: 'find-signed-in',
  text: `
    select s.id as "sessionId", s.workspace_id as "openId", u.id, u.name, u.email,
      s.expires_at > now() + make_interval(secs => $2) as "isFresh",
      coalesce((
        select json_agg(json_build_object('id', w.id, 'name', w.name, 'plan', w.plan, 'role', m.role) order by w.name, w.id)
        from members m join workspaces w on w.id = m.workspace_id
        where m.user_id = u.id and w.deleted_at is null
      ), '[]') as workspaces
    from sessions s join users u on u.id = s.user_id
    where s.token = $1`,
};

type Row = {
  sessionId: string;
  openId: string | null;
  id: string;
  name: string;
  email: string;
  isFresh: boolean;
  workspaces: MemberWorkspace[];
};

/**
 * Reads the session behind a request's cookies; null when no one is signed in. One that is to be prolonged, or has expired, goes
 * through Better Auth, which does that.
 */
export async function findSignedIn(headers: Headers): Promise<SignedIn | null> {
  const token = await readSessionToken(headers);
  if (token === null) return null;
  const found = await findSession(token);
  if (!found) return null;
  if (!found.isFresh && !(await auth().api.getSession({ headers }))) return null;
  const { sessionId, openId, id, name, email, workspaces } = found;
  return {
    sessionId,
    user: { id, name, email },
    // A teammate who left the open workspace since has another opened.
    workspace: workspaces.find((workspace) => workspace.id === openId) ?? workspaces[0] ?? null,
    workspaces,
  };
}

async function findSession(token: string): Promise<Row | undefined> {
  const { rows } = await pool().query<Row>({ ...STATEMENT, values: [token, FRESH_SECONDS] });
  return rows[0];
}

/**
 * The token of the session behind a request's cookies, whose signature is ours; null when there is none. Better Auth signs it:
 * the token, a dot, and the HMAC-SHA-256 of the token under the secret of sessions in base64.
 */
async function readSessionToken(headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth().$context;
  const cookie = parseCookies(headers.get('cookie') ?? '').get(authCookies.sessionToken.name);
  if (cookie === undefined) return null;
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1), 'base64');
  const right = createHmac('sha256', secret).update(token).digest();
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}

/** Opens another workspace in this session, and at the next sign-in. Throws a Refusal unless a member of it. */
export async function switchWorkspace(
  { sessionId, user, workspaces }: SignedIn,
  workspaceId: string,
): Promise<void> {
  if (!workspaces.some(({ id }) => id === workspaceId)) throw notFound('The workspace');
  await inTransaction(async (tx) => {
    await tx.session.update({ where: { id: sessionId }, data: { workspaceId }, select: { id: true } });
    await tx.user.update({
      where: { id: user.id },
      data: { lastWorkspaceId: workspaceId },
      select: { id: true },
    });
  });
  publishSession(sessionId);
}

const CHECK_SESSIONS = {
  name: 'check-live-sessions',
  text: `
    select asked.session_id || ' ' || asked.workspace_id as id
    from unnest($1::uuid[], $2::uuid[]) as asked (session_id, workspace_id)
    join sessions s on s.id = asked.session_id and s.expires_at > now()
    join members m on m.user_id = s.user_id and m.workspace_id = asked.workspace_id
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where s.workspace_id is not distinct from asked.workspace_id or not exists (
      select from members other where other.user_id = s.user_id and other.workspace_id = s.workspace_id)`,
};

/**
 * Returns those of the given sessions that have ended in their workspace: the session has expired, its teammate is no longer a
 * member, or has opened another workspace of theirs. One statement. It does not extend the sessions.
 */
export async function findEndedSessions<Session extends { sessionId: string; workspaceId: string }>(
  sessions: Session[],
): Promise<Session[]> {
  if (sessions.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>({
    ...CHECK_SESSIONS,
    values: [sessions.map(({ sessionId }) => sessionId), sessions.map(({ workspaceId }) => workspaceId)],
  });
  const open = new Set(rows.map(({ id }) => id));
  return sessions.filter(({ sessionId, workspaceId }) => !open.has(`${sessionId} ${workspaceId}`));
}
