'use client';

import { useState } from 'react';
import { setAway } from '#app/components/settings/teammates/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { FormFooter } from '#app/components/ui/form-footer.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { awayWords } from '#app/lib/away-words.ts';
import { browserTimeZone } from '#app/lib/browser-time-zone.ts';
import { textOf } from '#app/lib/form-state.ts';
import type { TeammateRow } from '#server/screens/settings/people-views.ts';

type Props = { teammate: Pick<TeammateRow, 'id' | 'name' | 'isYou' | 'away'> };

export function AwayBadge({ away }: { away: TeammateRow['away'] }) {
  const { timeZone } = useNow();
  return away ? <Badge tone="note">{awayWords(away, timeZone)}</Badge> : null;
}

/** Sets a teammate away, or back. */
export function AwayButton({ teammate }: Props) {
  const { id, name, isYou, away } = teammate;
  const who = isYou ? 'yourself' : name;
  const { pending, start } = useAction(setAway, {
    failed: 'Could not change the absence',
    done: isYou ? 'Welcome back' : `${name} is back`,
  });
  if (away) {
    return (
      <Button
        variant="quiet"
        aria-label={isYou ? undefined : `${name} is back`}
        aria-busy={pending}
        onClick={() => start(id, null)}
      >
        {isYou ? 'I’m back' : 'Is back'}
      </Button>
    );
  }
  return (
    <Dialog
      trigger={
        <Button variant="quiet" aria-label={`Set away ${who}`}>
          Set away
        </Button>
      }
      title={`Set ${who} away`}
      description={
        isYou
          ? 'Teammates see it when they assign conversations or mention you. Your conversations stay assigned to you. When a contact writes in one, someone else is notified or takes over.'
          : 'Teammates see it when they assign conversations or mention them. Their conversations stay assigned to them. When a contact writes in one, someone else is notified or takes over.'
      }
    >
      {(close) => <AwayForm teammate={teammate} close={close} />}
    </Dialog>
  );
}

function AwayForm({ teammate: { id, name, isYou }, close }: Props & { close: () => void }) {
  const [timeZone] = useState(browserTimeZone);
  const save = (form: FormData) => setAway(id, { backOn: textOf(form, 'backOn') || null, timeZone });
  const [state, submit, pending] = useFormAction(save, () => {
    close();
    toast.success(isYou ? 'You are away' : `${name} is away`);
  });
  return (
    <ActionForm state={state} submit={submit} className="grid gap-4">
      <TextField
        state={state}
        name="backOn"
        label="Back on"
        type="date"
        hint="The absence ends by itself on this day. Leave it empty if you don’t know yet."
      />
      <FormFooter onCancel={close} submit="Set away" busy="Saving" pending={pending} />
    </ActionForm>
  );
}
