'use client';

import { ArrowLeft, Check, ChevronDown, RotateCcw, UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { ConversationStatusDot } from '#app/components/conversations/conversation-status-dot.tsx';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { useOpenedChange, withValues } from '#app/components/inbox/use-opened-change.ts';
import { Button, buttonClass, IconButton } from '#app/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#app/components/ui/dropdown-menu.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { InboxLink, useInboxView } from '#app/components/view/inbox-view.tsx';
import { leaveSolved } from '#app/components/view/open-neighbour.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { AfterSolving, ConversationStatus } from '#server/screens/inbox/views.ts';

const conversationParts = lazyParts(() => import('#app/components/inbox/conversation-parts.ts'));
const CloseDialog = conversationParts('CloseDialog');

type Props = {
  id: string;
  status: ConversationStatus;
  nextStatuses: ConversationStatus[];
  afterSolving: AfterSolving;
};

const done = { open: 'Reopened', pending: 'Waiting for the contact', solved: 'Solved' };

const DEFAULT_ORDER = ['open', 'pending', 'solved', 'closed'] as const satisfies ConversationStatus[];

/**
 * Status menu. Changes apply immediately and can be undone from the toast. Solving opens the preferred next
 * conversation. Closing asks first because it is final.
 */
export function StatusControl({ id, status, nextStatuses, afterSolving }: Props) {
  const opened = useOpenedChange(id);
  /** Null until the dialog is opened for the first time. */
  const [closing, setClosing] = useState<boolean | null>(null);
  const change = (to: keyof typeof done) => {
    const goBack = to === 'solved' ? leaveSolved(id, afterSolving) : null;
    const save = () =>
      changeConversation(id, { to: { kind: 'status', status: to }, done: done[to], show: goBack });
    // The next conversation is shown already.
    if (goBack) void save();
    else opened.change({ show: withValues({ status: to }), save });
  };
  const choose = (value: string) => {
    const to = nextStatuses.find((next) => next === value);
    if (to === 'closed') setClosing(true);
    else if (to) change(to);
  };
  const isDone = status === 'solved';
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          data-shortcut="status"
          className={buttonClass('secondary', 'gap-1.5 px-2 md:h-8 md:px-2.5 md:text-list')}
        >
          <span className="sr-only">Status: </span>
          <ConversationStatusDot status={status} />
          <ChevronDown aria-hidden size={14} className="text-ink-soft" />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="min-w-40">
          <DropdownMenuRadioGroup value={status} onValueChange={choose}>
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
        className="gap-1.5 px-2 md:h-8 md:px-2.5 md:text-list"
        onClick={() => change(isDone ? 'open' : 'solved')}
      >
        {isDone ? <RotateCcw aria-hidden size={15} /> : <Check aria-hidden size={15} />}
        <span className="max-[23.75rem]:sr-only">{isDone ? 'Reopen' : 'Solve'}</span>
      </Button>
      {closing === null ? null : (
        <CloseDialog id={id} control={{ open: closing, onOpenChange: setClosing }} />
      )}
    </>
  );
}

type Named = { id: string; name: string };

type AssignToMeProps = { id: string; me: Named; assignee: Named | null };

/** Assigns the conversation to the signed-in teammate, and shows that immediately. Hidden for the assignee. */
export function AssignToMe({ id, me, assignee }: AssignToMeProps) {
  const { change, isPending } = useOpenedChange(id);
  if (assignee?.id === me.id) return null;
  const assign = () => {
    if (isPending) return;
    change({
      show: withValues({ assignee: me }),
      save: () =>
        changeConversation(id, { to: { kind: 'assignee', assigneeId: me.id }, done: 'Assigned to you' }),
    });
  };
  return (
    <IconButton
      icon={UserRoundPlus}
      label="Assign to me"
      word="Assign to me"
      data-shortcut="assign"
      aria-busy={isPending}
      onClick={assign}
    />
  );
}

/** Link from the conversation to the list, on screens with a single pane. */
export function BackToList() {
  const view = useInboxView();
  return (
    <InboxLink
      href={inboxPath({ ...view, selected: undefined })}
      aria-label="Back to list"
      data-shortcut="back"
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-hover lg:hidden"
    >
      <ArrowLeft aria-hidden size={20} strokeWidth={1.75} />
    </InboxLink>
  );
}
