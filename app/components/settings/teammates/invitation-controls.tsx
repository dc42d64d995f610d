'use client';

import { useActionState, useEffect } from 'react';
import { invite } from '#app/components/settings/teammates/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { INITIAL } from '#app/lib/form-state.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammatesView } from '#server/screens/settings/views.ts';

type Props = { roles: TeammatesView['invitableRoles']; workspaceName: string };

/** Invites somebody by email, in a role. */
export function InviteForm({ roles, workspaceName }: Props) {
  const [state, submit, pending] = useActionState(invite, INITIAL);
  const form = useFormFocus(state);
  useEffect(() => {
    if (state.done) toast.success('The invitation is on its way');
  }, [state]);
  return (
    <form ref={form} action={submit} aria-label="Invite a teammate" className="grid gap-4 p-5 max-md:p-4">
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_9rem_auto]">
        <TextField
          state={state}
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          placeholder="ada@example.com"
          required
        />
        <Field label="Role">
          {({ id }) => (
            <Select
              key={state.attempt}
              id={id}
              name="role"
              defaultValue={state.values.role ?? roles.find((role) => role === 'agent') ?? roles[0]}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {roleName(role)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={pending} aria-busy={pending} className="sm:mt-6">
          {pending ? 'Inviting' : 'Invite'}
        </Button>
      </div>
      <p className="text-ink-soft text-list">
        They receive a link to join {workspaceName}. It can be used once, within seven days.
      </p>
    </form>
  );
}
