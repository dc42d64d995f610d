import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/db.ts';
import type { Plan, Role } from '#server/generated/prisma/enums.ts';
import { auth, FRESH_SECONDS } from '#server/teammates/auth.ts';
import { readSessionToken } from '#server/teammates/read-session-token.ts';

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
