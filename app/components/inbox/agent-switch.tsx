'use client';

import { useId, useOptimistic } from 'react';
import { setSilenced } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type AgentSwitchProps = { conversationId: string; silenced: boolean; mayChange: boolean };

/** Resolves once the conversation is refetched, so that the switch shows the optimistic value until then. */
async function change(id: string, silenced: boolean) {
  const outcome = await setSilenced(id, silenced);
  if (outcome.done) await refetchTopic('conversations');
  return outcome;
}

/** Turns the AI agent off or on for a conversation. */
export function AgentSwitch({ conversationId, silenced, mayChange }: AgentSwitchProps) {
  const labelId = useId();
  const [isSilenced, show] = useOptimistic(silenced);
  const { pending, start } = useAction(change, {
    failed: 'Could not change the AI agent',
    show: (_id, to) => show(to),
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
          data-shortcut="agent"
          checked={!isSilenced}
          aria-busy={pending}
          onCheckedChange={(answers) => start(conversationId, !answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
