'use client';

import { UserRoundPlus } from 'lucide-react';
import { changeConversation } from '#app/components/inbox/change-conversation.ts';
import { IconButton } from '#app/components/ui/icon-button.tsx';
import { useOwnTransition } from '#app/components/ui/use-own-transition.ts';

type Props = { id: string; me: string; assignee: { id: string; name: string } | null };

/** Takes the conversation; absent for its assignee. */
export function AssignToMe({ id, me, assignee }: Props) {
  const [pending, start] = useOwnTransition();
  if (assignee?.id === me) return null;
  const assign = () =>
    start(async () => {
      const back = { assigneeId: assignee?.id ?? null };
      await changeConversation(id, { to: { assigneeId: me }, done: 'Assigned to you', back });
    });
  return (
    <IconButton
      icon={UserRoundPlus}
      label="Assign to me"
      data-shortcut="assign"
      aria-busy={pending}
      onClick={assign}
    />
  );
}
