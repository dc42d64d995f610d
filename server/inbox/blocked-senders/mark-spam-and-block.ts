import { inTransaction } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import type { BlockedKind, Channel } from '#server/generated/prisma/enums.ts';
import { type BlockedSender, block, findBlockProblem } from '#server/inbox/blocked-senders/block-sender.ts';
import { type ChatIdentity, chatKey, VISITOR_KEY } from '#server/inbox/blocked-senders/find-blocking.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { removeIn } from '#server/inbox/conversations/removal.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';

/** A sender of a conversation who can be blocked. Domains of public mail providers are left out. */
type BlockChoice = BlockedSender & { label: string | null };

/**
 * Returns the senders of a conversation that can be blocked: by email, the contact's address and its domain; on a chat
 * channel, the contact's ids there. Leaves out what `findBlockProblem` refuses. A deleted conversation has none.
 */
export async function listBlockChoices(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<BlockChoice[]> {
  const [found] = await tx.$queryRaw<Sender[]>`
    select c.channel::text as channel, coalesce(k.email, k.claimed_email) as email,
      coalesce(nullif(trim(concat_ws(' ', k.first_name, k.last_name)), ''), k.email, 'Visitor ' || right(k.id::text, 4)) as name,
      ${VISITOR_KEY} as visitor,
      (select coalesce(json_agg(i), '[]') from (
        select i.channel, i.scope, i.external_id as "externalId" from contact_identities i
        where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel = c.channel limit 20) i) as identities
    from conversations c left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${id}::uuid and ${IS_NOT_DELETED}`;
  if (!found) return [];
  const choices: BlockChoice[] = [];
  for (const sender of sendersOf(found)) {
    if ((await findBlockProblem(tx, { workspaceId, sender })) === undefined) choices.push(sender);
  }
  return choices;
}

type Sender = {
  channel: Channel;
  email: string | null;
  name: string;
  visitor: string | null;
  identities: ChatIdentity[];
};

function sendersOf({ channel, email, name, visitor, identities }: Sender): BlockChoice[] {
  if (channel === 'email') {
    if (email === null) return [];
    const domain = email.slice(email.lastIndexOf('@') + 1);
    return [
      { kind: 'address', value: email, label: null },
      { kind: 'domain', value: domain, label: null },
    ];
  }
  const label = `${name} (${CHANNEL_NAMES[channel].name})`;
  if (channel === 'webchat') return visitor ? [{ kind: 'chat', value: visitor, label }] : [];
  return identities.map((identity) => ({ kind: 'chat', value: chatKey(identity), label }));
}

/**
 * Marks a conversation as spam and blocks its address, its domain, or the person on its chat channel, in one transaction.
 * The conversation comes first: when it cannot be marked, no one is blocked.
 * @returns the ids of the new entries
 * @throws Refusal as `removeConversation` does, or when there is no such sender or they cannot be blocked
 */
export function markSpamAndBlock(input: {
  workspaceId: string;
  id: string;
  kind: BlockedKind;
  actor: PersonalActor;
}): Promise<string[]> {
  const { workspaceId, id, kind, actor } = input;
  return inTransaction(async (tx) => {
    await removeIn(tx, { workspaceId, id, actor, to: 'spam' });
    const senders = (await listBlockChoices(tx, { workspaceId, id })).filter((each) => each.kind === kind);
    if (senders.length === 0) throw invalid({ sender: ['This sender cannot be blocked.'] });
    return block(tx, { workspaceId, senders, by: actor.teammate });
  });
}
