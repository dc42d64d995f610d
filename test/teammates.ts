import type { Teammate } from '#server/contract/record-schemas.ts';
import { pool } from '#server/core/database/db.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { screensFor } from '#server/screens/router.ts';
import { makeUser, makeWorkspace } from '#test/factories.ts';
import { sessionCookie } from '#test/session-cookie.ts';

/** A workspace with one teammate of each role. */
export type Teammates = { workspaceId: string } & Record<Role, Teammate>;

export async function makeTeammates(given: Parameters<typeof makeWorkspace>[0] = {}): Promise<Teammates> {
  const { id: workspaceId } = await makeWorkspace(given);
  return {
    workspaceId,
    owner: await addTeammate(workspaceId, 'owner', 'Olivia Owen'),
    admin: await addTeammate(workspaceId, 'admin', 'Adam Admin'),
    agent: await addTeammate(workspaceId, 'agent', 'Aggie Agent'),
    viewer: await addTeammate(workspaceId, 'viewer', 'Vic Viewer'),
  };
}

/** Someone new in a workspace. */
export async function addTeammate(workspaceId: string, role: Role, name?: string): Promise<Teammate> {
  return makeUser(name, { workspaceId, role });
}

/**
 * Opens a session of a teammate and returns what asks for the screens' procedures in it, which is read again each time.
 * The sign-in door of the service is not knocked at (`signInAs`): most tests need the session alone.
 */
export async function signInTeammate({ email }: { email: string }) {
  const { rows } = await pool().query<{ id: string }>('select id from users where email = $1', [email]);
  const [user] = rows;
  if (!user) throw new Error(`Nobody has the address ${email}.`);
  const cookie = await sessionCookie(user.id);
  return () => screensFor(new Headers({ cookie }));
}
