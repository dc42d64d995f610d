import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from '#bench/lab/clock.ts';
import type { ChangeOrder } from '#bench/lab/load.ts';
import { db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';

// Load of the delivery benchmarks, started by bench/lab/engine.ts. Changes the status of conversations,
// which records one event each, and reports the commit times.
await db().$queryRaw`select 1`;
process.on('message', (order: ChangeOrder) => void make(order));
process.send?.('ready');

async function make({ workspaceId, teammate, conversations, changes, everyMs }: ChangeOrder): Promise<void> {
  const commits: number[] = [];
  let left = changes;

  async function write(id: string): Promise<void> {
    const now = await db().conversation.findUniqueOrThrow({ where: { id }, select: { status: true } });
    let isOpen = now.status === 'open';
    while (left > 0) {
      left -= 1;
      isOpen = !isOpen;
      const changes = { status: isOpen ? ('open' as const) : ('pending' as const) };
      await updateConversation({ workspaceId, id, actor: { kind: 'teammate', teammate }, changes });
      commits.push(machineMs());
      if (everyMs !== null) await sleep(everyMs);
    }
  }

  const beganAt = machineMs();
  await Promise.all(conversations.map(write));
  process.send?.({ beganAt, commits });
}
