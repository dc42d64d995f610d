'use client';

import { accept, join } from '#app/components/account/actions.ts';
import { SignOutButton } from '#app/components/shell/sign-out-button.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { TextField } from '#app/components/ui/text-field.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';

type Props = { token: string; email: string; name: string | null; workspaceName: string };

/** Creates an account from an invitation and signs the new user in. */
export function JoinForm({ token, email, name, workspaceName }: Props) {
  const [state, submit, pending] = useServerForm(join);
  const form = useFormFocus(state);
  return (
    <form ref={form} action={submit} className="grid gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="token" value={token} />
      {/* Password managers store a password under this address. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        state={state}
        name="name"
        label="Your name"
        autoComplete="name"
        hint="Visible to teammates and contacts."
        defaultValue={name ?? ''}
        autoFocus={!name}
        required
      />
      <TextField
        state={state}
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters."
        autoFocus={Boolean(name)}
        required
      />
      <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="mt-1 w-full">
        {pending ? 'Joining' : <span className="truncate">Join {workspaceName}</span>}
      </Button>
    </form>
  );
}

/** Accepts an invitation as the signed-in teammate. */
export function AcceptForm({ token, workspaceName }: { token: string; workspaceName: string }) {
  const [state, submit, pending] = useServerForm(accept);
  if (state.done) {
    return (
      <div className="grid gap-3">
        <p role="status" className="text-balance text-center text-ink-soft [overflow-wrap:anywhere]">
          You joined {workspaceName}. Sign in to open it.
        </p>
        <SignOutButton label="Sign out and sign in" />
        <a href="/inbox" className={buttonClass('quiet')}>
          Go to the inbox
        </a>
      </div>
    );
  }
  return (
    <form action={submit} className="grid gap-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="w-full">
        {pending ? 'Joining' : <span className="truncate">Join {workspaceName}</span>}
      </Button>
    </form>
  );
}
