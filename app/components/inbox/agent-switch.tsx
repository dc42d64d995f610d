'use client';

import { useId, useOptimistic } from 'react';
import { showAgain } from '#app/components/live/show-again.ts';
import { setSilenced } from '#app/components/settings/ai-agent/actions.ts';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { conversationId: string; silenced: boolean; mayChange: boolean };

/** The switch shows it until the conversation does. */
async function change(id: string, silenced: boolean) {
  const outcome = await setSilenced(id, silenced);
  if (outcome.done) await showAgain('conversations');
  return outcome;
}

/** Silences the AI agent in a conversation, or lets it answer again. */
export function AgentSwitch({ conversationId, silenced, mayChange }: Props) {
  const labelId = useId();
  const [staysOut, show] = useOptimistic(silenced);
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
          {staysOut ? 'It stays out of this conversation.' : 'Until a teammate replies.'}
        </p>
      </div>
      {mayChange ? (
        <Switch
          aria-labelledby={labelId}
          checked={!staysOut}
          aria-busy={pending}
          onCheckedChange={(answers) => start(conversationId, !answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
