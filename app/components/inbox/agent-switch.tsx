'use client';

import { useId } from 'react';
import { changeSilenced } from '#app/components/inbox/field-changes.ts';
import { useOpenedChange } from '#app/components/inbox/use-opened-change.ts';
import { Switch } from '#app/components/ui/switch.tsx';

type AgentSwitchProps = { conversationId: string; silenced: boolean; mayChange: boolean };

/** Turns the AI agent off or on for a conversation. */
export function AgentSwitch({ conversationId, silenced, mayChange }: AgentSwitchProps) {
  const labelId = useId();
  const { change, isPending } = useOpenedChange(conversationId);
  const silence = (to: boolean) => {
    if (isPending) return;
    change({
      show: (opened) => ({ ...opened, agent: opened.agent && { ...opened.agent, silenced: to } }),
      save: () => changeSilenced(conversationId, to),
    });
  };
  return (
    <div className="flex items-start gap-3">
      <div className="grid grow gap-0.5">
        <p id={labelId} className="font-medium text-list">
          AI agent answers
        </p>
        <p className="text-ink-soft text-list">
          {silenced ? 'Off in this conversation' : 'Until a teammate replies'}
        </p>
      </div>
      {mayChange ? (
        <Switch
          aria-labelledby={labelId}
          checked={!silenced}
          aria-busy={isPending}
          onCheckedChange={(answers) => silence(!answers)}
          className="mt-0.5"
        />
      ) : null}
    </div>
  );
}
