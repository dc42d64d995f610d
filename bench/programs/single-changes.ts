import type { SingleChange, SingleChanges } from '#bench/drills/offered-load.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';

// Load of the drill `recovery`, started by bench/drills/recovery-queues.ts. Makes one change of a conversation's status per order, which
// records one event. A change whose outcome is unknown is made again by the next order: it then changes nothing if it was committed.
const { workspaceId, teammate, conversations } = JSON.parse(process.argv[2] ?? '') as SingleChanges;
const free = [...conversations];
const isPending = new Map<string, boolean>();

async function change({ number }: SingleChange): Promise<void> {
  const id = free.shift();
  if (id === undefined) throw new Error('There are more changes in flight than conversations.');
  const toPending = !isPending.get(id);
  const changes = { status: toPending ? ('pending' as const) : ('open' as const) };
  const isCommitted = await updateConversation({
    workspaceId,
    id,
    actor: { kind: 'teammate', teammate },
    changes,
  }).then(
    () => true,
    () => false,
  );
  if (isCommitted) isPending.set(id, toPending);
  free.push(id);
  process.send?.({ number, isCommitted });
}

await db().$queryRaw`select 1`;
process.on('message', (order: SingleChange) => void change(order));
process.on('SIGTERM', () => process.exit(0));
process.send?.('ready');
