'use client';

import { removeProvider, saveProvider } from '#app/components/settings/single-sign-on/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';

type Props = { provider: { issuer: string; clientId: string } | null };

/** Issuer and client of the identity provider. The secret is never shown again. */
export function ProviderForm({ provider }: Props) {
  const [state, submit, pending] = useFormAction(saveProvider, () => {
    toast.success('Provider saved', { description: 'Now test the sign-in.' });
  });
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <ActionForm state={state} submit={submit} className="grid max-w-lg gap-4">
      <TextField
        state={state}
        name="issuer"
        label="Issuer URL"
        hint="Some providers call it the discovery, metadata or organization URL."
        placeholder="https://login.example.com"
        type="url"
        defaultValue={provider?.issuer}
        required
        {...plain}
      />
      <TextField
        state={state}
        name="clientId"
        label="Client ID"
        defaultValue={provider?.clientId}
        required
        {...plain}
      />
      <TextField
        state={state}
        name="clientSecret"
        label="Client secret"
        type="password"
        hint={
          provider
            ? 'Leave it empty to keep the stored secret.'
            : 'It is stored encrypted and is not shown again.'
        }
        {...plain}
        autoComplete="new-password"
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={provider ? 'secondary' : 'primary'}
          disabled={pending}
          aria-busy={pending}
          className="max-md:w-full"
        >
          {pending ? 'Checking' : 'Save provider'}
        </Button>
        {provider ? (
          <DeleteButton
            verb="Remove"
            name="provider"
            label="the provider"
            title="Remove single sign-on?"
            done="Single sign-on removed"
            act={removeProvider}
            className="max-md:w-full"
          >
            <p>
              Everyone signs in with their email and password again. People who never had a password can set
              one with “Forgot your password?”. Nobody is signed out.
            </p>
          </DeleteButton>
        ) : null}
      </div>
    </ActionForm>
  );
}
