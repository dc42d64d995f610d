'use client';

import { useId } from 'react';
import { setEnabled } from '#app/components/settings/ai-agent/actions.ts';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { Switch } from '#app/components/ui/switch.tsx';
import { useAction } from '#app/components/ui/use-action.ts';

type Props = { enabled: boolean; mayManage: boolean; hasAnswers: boolean };

export function AgentToggle({ enabled, mayManage, hasAnswers }: Props) {
  const labelId = useId();
  const { pending, start, chosen } = useAction(setEnabled, {
    failed: 'Could not change the AI agent',
    done: (_value, to) => (to ? 'The AI agent is on' : 'The AI agent is off'),
  });
  const [shown] = chosen ?? [enabled];
  return (
    <div className="flex items-start gap-4 px-5 py-4 max-md:px-4">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium">
          Answer contacts
        </p>
        <p className="text-ink-soft text-list">
          {shown && !hasAnswers ? (
            <StatusDot tone="waiting" wrap>
              <span>No saved answers yet. Add one below.</span>
            </StatusDot>
          ) : shown ? (
            'On: contacts get a matching saved answer within seconds.'
          ) : (
            'Off: every message waits for a teammate.'
          )}
        </p>
      </div>
      {mayManage ? (
        <Switch
          aria-labelledby={labelId}
          checked={shown}
          aria-busy={pending}
          onCheckedChange={start}
          className="mt-0.5"
        />
      ) : (
        <span className="text-ink-soft text-list">{enabled ? 'On' : 'Off'}</span>
      )}
    </div>
  );
}
