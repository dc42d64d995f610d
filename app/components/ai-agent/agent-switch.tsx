'use client';

import { useId, useOptimistic, useTransition } from 'react';
import { toast } from 'sonner';
import { setSilenced } from '#app/components/ai-agent/set-silenced.ts';
import { Switch } from '#app/components/ui/switch.tsx';

type Props = { conversationId: string; silenced: boolean; mayChange: boolean };

/** Tells the AI agent to stay out of a conversation, or to answer in it again. */
export function AgentSwitch({ conversationId, silenced, mayChange }: Props) {
  const labelId = useId();
  const [pending, start] = useTransition();
  const [staysOut, show] = useOptimistic(silenced);
  const change = (to: boolean) =>
    start(async () => {
      show(to);
      const problem = await setSilenced(conversationId, to);
      if (problem) toast.error('Not changed', { description: problem });
    });
  return (
    <div className="flex items-start gap-3">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium text-list">
          AI agent answers
        </p>
        <p className="text-ink-soft text-list">
          {staysOut ? 'It stays out of this conversation.' : 'Until a teammate replies.'}
        </p>
      </div>
      {mayChange ? (
        <Switch
          aria-labelledby={labelId}
          checked={!staysOut}
          aria-busy={pending}
          onCheckedChange={(answers) => pending || change(!answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
