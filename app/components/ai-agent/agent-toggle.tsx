'use client';

import { useId, useOptimistic, useTransition } from 'react';
import { toast } from 'sonner';
import { setEnabled } from '#app/components/ai-agent/set-enabled.ts';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { Switch } from '#app/components/ui/switch.tsx';

type Props = { enabled: boolean; mayManage: boolean; hasAnswers: boolean };

/** Switches the agent on and off for contacts. */
export function AgentToggle({ enabled, mayManage, hasAnswers }: Props) {
  const labelId = useId();
  const [pending, start] = useTransition();
  const [shown, show] = useOptimistic(enabled);
  const change = (to: boolean) =>
    start(async () => {
      show(to);
      const problem = await setEnabled(to);
      if (problem) toast.error('Not changed', { description: problem });
      else toast.success(to ? 'The AI agent is on' : 'The AI agent is off');
    });
  return (
    <div className="flex items-start gap-4 px-5 py-4 max-md:px-4">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium">
          Answer contacts
        </p>
        <p className="text-ink-soft text-list">
          {shown && !hasAnswers ? (
            <StatusDot tone="waiting" wrap>
              <span>It has no answers yet. Add a saved answer below.</span>
            </StatusDot>
          ) : shown ? (
            'On: contacts get an answer within seconds when a saved answer fits.'
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
          onCheckedChange={(to) => pending || change(to)}
          className="mt-0.5"
        />
      ) : (
        <span className="text-ink-soft text-list">{enabled ? 'On' : 'Off'}</span>
      )}
    </div>
  );
}
