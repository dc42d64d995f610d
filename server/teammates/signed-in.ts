import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies } from 'better-auth/cookies';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/pools.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import type { SearchLanguage } from '#server/core/search-languages.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { AfterSolving, Plan, Role } from '#server/generated/prisma/enums.ts';
import { auth, FRESH_SECONDS } from '#server/teammates/auth.ts';
import {
  CLOSED_BY,
  type ClosedBy,
  IS_PENDING,
  JOIN_OF_SECOND_FACTOR,
  JOINS_OF_CLOSED_BY,
} from '#server/teammates/closed-workspaces.ts';
import { SESSION_COOKIE_SECONDS } from '#server/teammates/own-cookie.ts';
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
  /** From then on, teammates without a second factor cannot open the workspace (ISO 8601). Null: never. */
  secondFactorFrom: string | null;
};

/** The signed-in teammate, the workspace open in this session, and all their workspaces by name. */
export type SignedIn = {
  sessionId: string;
  user: Teammate;
  /** Page that opens after the teammate solves a conversation. */
  afterSolving: AfterSolving;
  workspace: MemberWorkspace | null;
  workspaces: MemberWorkspace[];
  hasSecondFactor: boolean;
  /** Names of workspaces that are closed to this teammate until they have a second factor. They are not in `workspaces`. */
  closedWorkspaces: string[];
  /**
   * Workspaces that are closed to this session until the teammate signs in to them. They are not in `workspaces`. A test workspace is not
   * listed: it opens with its own workspace.
   */
  lockedWorkspaces: LockedWorkspace[];
  /** A provider opened the session. It speaks for its own workspace only (`refuseBeyondSession`). */
  isSingleSignOn: boolean;
};

/** `way`: through the provider of the workspace, or in any other way. */
export type LockedWorkspace = { id: string; name: string; way: 'single_sign_on' | 'sign_in' };

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
      f.has as "hasSecondFactor",
      ${IS_PENDING} as "isPending", s.is_single_sign_on as "isSingleSignOn",
      coalesce(s.last_used_at, s.updated_at) < now() - make_interval(secs => ${USE_SECONDS}) as "wasIdle",
      coalesce((
        select json_agg(json_build_object('id', w.id, 'name', w.name, 'plan', w.plan, 'role', m.role,
          'inSetup', w.setup_ended_at is null, 'isTest', w.test_of_id is not null,
          'searchLanguage', w.search_language, 'visibility', ${VISIBILITY_OF_MEMBER},
          'secondFactorFrom', coalesce(w.second_factor_from, p.second_factor_from),
          'closedBy', ${CLOSED_BY})
          order by w.name, w.id)
        from members m join workspaces w on w.id = m.workspace_id ${JOINS_OF_CLOSED_BY}
        where m.user_id = u.id and w.deleted_at is null
      ), '[]') as workspaces
    from sessions s join users u on u.id = s.user_id
    ${JOIN_OF_SECOND_FACTOR}
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
  hasSecondFactor: boolean;
  isPending: boolean;
  isSingleSignOn: boolean;
  workspaces: (MemberWorkspace & { closedBy: ClosedBy | null })[];
};

/**
 * Returns the session of a request's cookies, or null when no one is signed in. A sign-in that waits for its second factor is not
 * signed in, and a workspace that requires one, or single sign-on, is not among those of a session without it: no page, procedure,
 * stream or download needs to check any of them. Better Auth handles a session that has expired or is to be extended.
 */
export async function findSignedIn(headers: Headers): Promise<SignedIn | null> {
  const found = await findValid(headers);
  if (!found || found.isPending) return null;
  if (found.wasIdle) await recordUse(found.sessionId);
  const { sessionId, openId, id, name, email, afterSolving, hasSecondFactor, isSingleSignOn } = found;
  const workspaces = found.workspaces.flatMap(({ closedBy, ...workspace }) => (closedBy ? [] : [workspace]));
  return {
    sessionId,
    user: { id, name, email },
    afterSolving,
    // A teammate who has left the open workspace gets another one.
    workspace: workspaces.find((workspace) => workspace.id === openId) ?? workspaces[0] ?? null,
    workspaces,
    hasSecondFactor,
    isSingleSignOn,
    closedWorkspaces: found.workspaces.flatMap(({ name, closedBy }) =>
      closedBy === 'second_factor' ? [name] : [],
    ),
    lockedWorkspaces: found.workspaces.flatMap(({ id, name, isTest, closedBy: way }) =>
      !isTest && (way === 'single_sign_on' || way === 'sign_in') ? [{ id, name, way }] : [],
    ),
  };
}

/** A sign-in that waits for its second factor. */
export type PendingSignIn = { sessionId: string; token: string; userId: string; email: string };

/** Returns the sign-in of a request's cookies that waits for its second factor, or null. */
export async function findPendingSignIn(headers: Headers): Promise<PendingSignIn | null> {
  const found = await findValid(headers);
  if (!found?.isPending) return null;
  return { sessionId: found.sessionId, token: found.token, userId: found.id, email: found.email };
}

async function findValid(headers: Headers): Promise<(Row & { token: string }) | null> {
  const token = await readSessionToken(headers);
  if (token === null) return null;
  const found = await findSession(token);
  if (!found) return null;
  if (!found.isFresh && !(await auth().api.getSession({ headers }))) return null;
  return { ...found, token };
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

/** Returns the `Set-Cookie` header of a session token, as a sign-in with a password sets it. */
export async function sessionCookieHeader(token: string): Promise<string> {
  const { authCookies, secret } = await auth().$context;
  const { name, attributes } = authCookies.sessionToken;
  const value = `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;
  const flags = `Max-Age=${SESSION_COOKIE_SECONDS}; Path=${attributes.path}; HttpOnly; SameSite=Lax`;
  return `${name}=${encodeURIComponent(value)}; ${flags}${attributes.secure ? '; Secure' : ''}`;
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

/** Selects the workspace that was opened last in a session, unless it is closed there: another one is open instead then. */
const OPENED_LAST = `
  select from members m join workspaces w on w.id = m.workspace_id and w.deleted_at is null ${JOINS_OF_CLOSED_BY}
  where m.user_id = s.user_id and m.workspace_id = s.workspace_id and (${CLOSED_BY}) is null`;

/** Opens a workspace of a teammate in their session, unless it is closed there. Returns why it is closed, or null. */
export async function openUnlessClosed(
  tx: Tx,
  { sessionId, workspaceId }: { sessionId: string; workspaceId: string },
): Promise<ClosedBy | null> {
  const [found] = await tx.$queryRaw<{ closedBy: ClosedBy | null }[]>`
    select ${Prisma.raw(CLOSED_BY)} as "closedBy"
    from sessions s join users u on u.id = s.user_id ${Prisma.raw(JOIN_OF_SECOND_FACTOR)}
    join members m on m.user_id = u.id and m.workspace_id = ${workspaceId}::uuid
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null ${Prisma.raw(JOINS_OF_CLOSED_BY)}
    where s.id = ${sessionId}::uuid`;
  if (found?.closedBy === null)
    await tx.session.updateMany({ where: { id: sessionId }, data: { workspaceId } });
  return found?.closedBy ?? null;
}

const CHECK_SESSIONS = {
  name: 'check-live-sessions',
  text: `
    select given.session_id || ' ' || given.workspace_id as id
    from unnest($1::uuid[], $2::uuid[]) as given (session_id, workspace_id)
    join sessions s on s.id = given.session_id and s.expires_at > now()
    join users u on u.id = s.user_id ${JOIN_OF_SECOND_FACTOR}
    join members m on m.user_id = s.user_id and m.workspace_id = given.workspace_id
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null ${JOINS_OF_CLOSED_BY}
    where (${CLOSED_BY}) is null
      and (s.workspace_id is not distinct from given.workspace_id or not exists (${OPENED_LAST}))`,
};

/**
 * Returns the given sessions that have ended in their workspace: the session has expired or waits for its second factor, or its
 * teammate has left the workspace, opened another one, or lacks the second factor or single sign-on that it requires. One statement. Does not extend the sessions.
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
