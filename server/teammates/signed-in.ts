import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import type { AfterSolving, Plan, Role } from '#server/generated/prisma/enums.ts';
import { auth, FRESH_SECONDS } from '#server/teammates/auth.ts';
import { VISIBILITY_OF_MEMBER, type Visibility } from '#server/teammates/visibility.ts';

/** A workspace and the role of one member. `inSetup`: the checklist of its first steps is not finished. */
export type MemberWorkspace = {
  id: string;
  name: string;
  plan: Plan;
  role: Role;
  inSetup: boolean;
  /** A test workspace, which nothing leaves. */
  isTest: boolean;
  searchLanguage: SearchLanguage;
  /** Which conversations the member sees; null for all. */
  visibility: Visibility | null;
};

/** The signed-in teammate, the workspace open in this session, and all their workspaces by name. */
export type SignedIn = {
  sessionId: string;
  user: Teammate;
  /** Page that opens after the teammate solves a conversation. */
  afterSolving: AfterSolving;
  workspace: MemberWorkspace | null;
  workspaces: MemberWorkspace[];
};

/** Interval at which the last use of a session is recorded. */
const USE_SECONDS = 600;

/**
 * Reads session, teammate and workspaces in one round trip. Prepared, as every page runs this statement
 * first.
 */
const STATEMENT = {
  name: 'find-signed-in',
  text: `
    select s.id as "sessionId", s.workspace_id as "openId", u.id, u.name, u.email, u.after_solving as "afterSolving",
      s.expires_at > now() + make_interval(secs => $2) as "isFresh",
      coalesce(s.last_used_at, s.updated_at) < now() - make_interval(secs => ${USE_SECONDS}) as "wasIdle",
      coalesce((
        select json_agg(json_build_object('id', w.id, 'name', w.name, 'plan', w.plan, 'role', m.role,
          'inSetup', w.setup_ended_at is null, 'isTest', w.test_of_id is not null,
          'searchLanguage', w.search_language, 'visibility', ${VISIBILITY_OF_MEMBER}) order by w.name, w.id)
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
  afterSolving: AfterSolving;
  isFresh: boolean;
  wasIdle: boolean;
  workspaces: MemberWorkspace[];
};

/**
 * Returns the session of a request's cookies, or null when no one is signed in. Better Auth handles a session
 * that has expired or is to be extended.
 */
export async function findSignedIn(headers: Headers): Promise<SignedIn | null> {
  const token = await readSessionToken(headers);
  if (token === null) return null;
  const found = await findSession(token);
  if (!found) return null;
  if (!found.isFresh && !(await auth().api.getSession({ headers }))) return null;
  if (found.wasIdle) await recordUse(found.sessionId);
  const { sessionId, openId, id, name, email, afterSolving, workspaces } = found;
  return {
    sessionId,
    user: { id, name, email },
    afterSolving,
    // A teammate who has left the open workspace gets another one.
    workspace: workspaces.find((workspace) => workspace.id === openId) ?? workspaces[0] ?? null,
    workspaces,
  };
}

async function findSession(token: string): Promise<Row | undefined> {
  const { rows } = await pool().query<Row>({ ...STATEMENT, values: [token, FRESH_SECONDS] });
  return rows[0];
}

async function recordUse(sessionId: string): Promise<void> {
  await pool().query({
    name: 'record-session-use',
    text: `update sessions set last_used_at = now() where id = $1
      and coalesce(last_used_at, updated_at) < now() - make_interval(secs => ${USE_SECONDS})`,
    values: [sessionId],
  });
}

/**
 * Returns the session token of a request's cookies if its signature is valid, otherwise null. Better Auth's
 * format: the token, a dot, and the base64 HMAC-SHA-256 of the token under the session secret.
 */
export async function readSessionToken(headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth().$context;
  const cookie = parseCookies(headers.get('cookie') ?? '').get(authCookies.sessionToken.name);
  if (cookie === undefined) return null;
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const token = cookie.slice(0, dot);
  const signature = Buffer.from(cookie.slice(dot + 1), 'base64');
  const expected = createHmac('sha256', secret).update(token).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null;
}

/**
 * Opens another workspace in this session and at the next sign-in.
 * @throws Refusal unless the teammate is a member
 */
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
    select given.session_id || ' ' || given.workspace_id as id
    from unnest($1::uuid[], $2::uuid[]) as given (session_id, workspace_id)
    join sessions s on s.id = given.session_id and s.expires_at > now()
    join members m on m.user_id = s.user_id and m.workspace_id = given.workspace_id
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where s.workspace_id is not distinct from given.workspace_id or not exists (
      select from members other where other.user_id = s.user_id and other.workspace_id = s.workspace_id)`,
};

/**
 * Returns the given sessions that have ended in their workspace: the session has expired, or its teammate has
 * left the workspace or opened another one. One statement. Does not extend the sessions.
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
