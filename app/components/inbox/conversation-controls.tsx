'use client';

import { Check, ChevronDown, RotateCcw } from 'lucide-react';
import { useOptimistic, useState, useTransition } from 'react';
import {
  ConversationStatusDot,
  statusNames,
} from '#app/components/conversations/conversation-status-dot.tsx';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { Button } from '#app/components/ui/button.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import type { ConversationStatus } from '#server/screens/inbox/views.ts';

type Props = { id: string; status: ConversationStatus; nextStatuses: ConversationStatus[] };

const done: Record<ConversationStatus, string> = {
  open: 'Reopened',
  pending: 'Waiting for the contact',
  solved: 'Solved',
  closed: 'Closed',
};

const DEFAULT_ORDER = ['open', 'pending', 'solved', 'closed'] as const satisfies ConversationStatus[];

/** The status, to be changed at once and taken back from the message about it; closing asks before, as it stays. */
export function StatusControl({ id, status, nextStatuses }: Props) {
  const [shown, show] = useOptimistic(status);
  const [, start] = useTransition();
  const [closing, setClosing] = useState(false);
  const change = async (to: ConversationStatus) => {
    show(to);
    const back = to === 'closed' ? null : { status };
    await changeConversation(id, { to: { status: to }, done: done[to], back });
  };
  const choose = (value: string) => {
    const to = nextStatuses.find((next) => next === value);
    if (to === 'closed') setClosing(true);
    else if (to) start(() => change(to));
  };
  const isDone = shown === 'solved';
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          className={buttonClass('secondary', 'gap-1.5 px-3 md:h-8 md:px-2.5 md:text-list')}
        >
          <span className="sr-only">Status: </span>
          <ConversationStatusDot status={shown} />
          <ChevronDown aria-hidden size={14} className="text-ink-soft" />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="min-w-40">
          <DropdownMenuRadioGroup value={shown} onValueChange={choose}>
            {DEFAULT_ORDER.map((each) => (
              <DropdownMenuRadioItem key={each} value={each}>
                <ConversationStatusDot status={each} />
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
        </DropdownMenuContent>
      </DropdownMenu>
      <Button
        data-shortcut="solve"
        className="gap-1.5 px-3 md:h-8 md:px-2.5 md:text-list"
        onClick={() => start(() => change(isDone ? 'open' : 'solved'))}
      >
        {isDone ? <RotateCcw aria-hidden size={15} /> : <Check aria-hidden size={15} />}
        {isDone ? 'Reopen' : 'Solve'}
      </Button>
      <ConfirmDialog
        control={{ open: closing, onOpenChange: setClosing }}
        title="Close this conversation?"
        confirm="Close conversation"
        onConfirm={() =>
          changeConversation(id, { to: { status: 'closed' }, done: `${statusNames.closed}`, back: null })
        }
      >
        <p>
          A closed conversation cannot be reopened. When the contact writes again, a new conversation starts.
        </p>
      </ConfirmDialog>
    </>
  );
}
