import type { Teammate } from '#server/contract/records/record-schemas.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { screensFor } from '#server/router.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';
import { signInAs } from '#test/sign-in.ts';

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
  const teammate = await makeUser(name);
  await addMember(workspaceId, teammate.id, role);
  return teammate;
}

/**
 * Signs a teammate in and returns what asks for the screens' procedures in that session, which is read again each time.
 */
export async function signInTeammate(url: string, teammate: { email: string }) {
  const cookie = await signInAs(url, teammate);
  return () => screensFor(new Headers({ cookie }));
}
