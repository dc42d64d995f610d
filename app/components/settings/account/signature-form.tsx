'use client';

import { changeSignature } from '#app/components/settings/account/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { TextAreaField } from '#app/components/ui/text-area-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import type { AccountView } from '#server/screens/settings/views.ts';

type Props = { workspace: AccountView['workspaces'][number] };

/** Changes the signature below the emails that the teammate writes in a workspace. */
export function SignatureForm({ workspace: { id, name, signature } }: Props) {
  const [state, submit, pending] = useFormAction(changeSignature.bind(null, id), () => {
    toast.success('Signature saved');
  });
  return (
    <ActionForm state={state} submit={submit} className="grid max-w-md gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <TextAreaField
        state={state}
        name="signature"
        label={`Signature in ${name}`}
        hint="Added below the emails you write in this workspace. Leave it empty for none."
        rows={4}
        defaultValue={signature ?? ''}
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Save signature'}
      </Button>
    </ActionForm>
  );
}
