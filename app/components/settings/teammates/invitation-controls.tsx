'use client';

import { useEffect } from 'react';
import { invite, resendInvitation, withdrawInvitation } from '#app/components/settings/teammates/actions.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { useFormFocus } from '#app/components/ui/form-focus.ts';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { TeammatesView } from '#server/screens/settings/people-views.ts';

type Props = { roles: TeammatesView['invitableRoles'] };

const LIMITED_AGAIN =
  'They will see only assigned conversations, as before. Settings, Visibility changes this after they join.';

/** Invites a person by email, with a role. */
export function InviteForm({ roles }: Props) {
  const [state, submit, pending] = useServerForm(invite);
  const form = useFormFocus(state, true);
  useEffect(() => {
    if (!state.value) return;
    const { email, isLimitedAgain } = state.value;
    const description = isLimitedAgain ? LIMITED_AGAIN : 'The list shows when the email was sent.';
    toast.success(`${email} is invited`, { description });
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
      <Checkbox
        key={state.attempt}
        name="onlyAssigned"
        label="Only assigned conversations"
        hint="As an agent or viewer they see only what is assigned to them or their teams. Owners and admins see everything."
        defaultChecked={Boolean(state.values.onlyAssigned)}
      />
      <p className="text-ink-soft text-list">We’ll email them a link. It works once and expires in 7 days.</p>
    </form>
  );
}

type InvitationButtonsProps = { id: string; email: string; describedBy: string };

/** Resends or withdraws an invitation. */
export function InvitationButtons({ id, email, describedBy }: InvitationButtonsProps) {
  const resend = useAction(resendInvitation, {
    failed: 'Could not send the invitation again',
    done: () => ({
      title: `${email} gets a new link`,
      description: 'The earlier link no longer works.',
    }),
  });
  const withdraw = useAction(withdrawInvitation, {
    failed: 'Could not withdraw the invitation',
    done: () => ({
      title: `Invitation for ${email} withdrawn`,
      description: 'Its link no longer works.',
    }),
  });
  const pending = resend.pending || withdraw.pending;
  const common = { disabled: pending, 'aria-busy': pending, 'aria-describedby': describedBy };
  return (
    <div className="flex gap-2">
      <Button onClick={() => resend.start(id)} {...common}>
        Send again
      </Button>
      <Button onClick={() => withdraw.start(id)} {...common}>
        Withdraw
      </Button>
    </div>
  );
}
