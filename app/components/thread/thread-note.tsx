import { Lock, SquareTerminal } from 'lucide-react';
import { ViaPlatform } from '#app/components/thread/via-platform.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import type { ThreadItem } from '#server/screens/inbox/views.ts';

type Props = { item: Extract<ThreadItem, { kind: 'note' }>; platformName: string };

/** An internal note, set apart from messages; a note of a workflow command says so. */
export function ThreadNote({ item, platformName }: Props) {
  const Icon = item.isCommand ? SquareTerminal : Lock;
  return (
    <div className="grid gap-1 rounded-lg border border-note-line bg-note px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-list text-note-ink">
        <Icon aria-hidden size={13} className="self-center" />
        <span className="font-semibold">{titleOf(item)}</span>
        {item.viaPlatform ? <ViaPlatform platformName={platformName} /> : null}
        <RelativeTime at={item.createdAt} className="text-xs" />
      </p>
      <div dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {item.content}
      </div>
    </div>
  );
}

function titleOf({ isCommand, authorName }: Props['item']): string {
  if (isCommand) return 'Workflow command';
  return authorName ? `Internal note by ${authorName}` : 'Internal note';
}
