'use client';

import { useId, useOptimistic } from 'react';
import { changeSilenced } from '#app/components/inbox/field-changes.ts';
import { Switch } from '#app/components/ui/switch.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';

type AgentSwitchProps = { conversationId: string; silenced: boolean; mayChange: boolean };

/** Turns the AI agent off or on for a conversation. */
export function AgentSwitch({ conversationId, silenced, mayChange }: AgentSwitchProps) {
  const labelId = useId();
  const [isSilenced, show] = useOptimistic(silenced);
  const [pending, start] = usePendingTransition();
  const change = (to: boolean) =>
    start(() => {
      show(to);
      return changeSilenced(conversationId, to);
    });
  return (
    <div className="flex items-start gap-3">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium text-list">
          AI agent answers
        </p>
        <p className="text-ink-soft text-list">
          {isSilenced ? 'Off in this conversation' : 'Until a teammate replies'}
        </p>
      </div>
      {mayChange ? (
        <Switch
          aria-labelledby={labelId}
          checked={!isSilenced}
          aria-busy={pending}
          onCheckedChange={(answers) => change(!answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
