import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/db.ts';
import { addMember, makeUser, makeWorkspace } from '#test/factories.ts';
import { signInAs } from '#test/sign-in.ts';

/** A workspace with two viewers and a team; `headers` are those of the first, who has it open. */
export type InboxReader = {
  workspaceId: string;
  reader: Teammate;
  other: Teammate;
  teamId: string;
  headers: Headers;
};

/** Makes a new workspace for someone who reads its inbox, and signs them in. */
export async function makeInboxReader(serviceUrl: string): Promise<InboxReader> {
  const [reader, other] = [await makeUser('Rita Reader'), await makeUser('Otto Other')];
  const workspaceId = (await makeWorkspace()).id;
  for (const { id } of [reader, other]) await addMember(workspaceId, id, 'viewer');
  const teamId = (await db().team.create({ data: { workspaceId, name: 'Billing' } })).id;
  const headers = new Headers({ cookie: await signInAs(serviceUrl, reader) });
  return { workspaceId, reader, other, teamId, headers };
}
