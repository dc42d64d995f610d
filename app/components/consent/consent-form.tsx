import type { ReactNode } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { ConsentWorkspace, ConsentForm as Form, PostedForm } from '#server/screens/consent/views.ts';

type Props = {
  form: Form;
  /** The preselected workspace. Null when there is none to connect, which leaves only `Cancel`. */
  chosen: ConsentWorkspace | null;
  hint?: string;
  children?: ReactNode;
};

/** The consent decision as a plain form, which works without scripts. */
export function ConsentForm({ form, chosen, hint, children }: Props) {
  return (
    <form method="post" action={form.action} className="grid gap-5 text-pretty">
      <HiddenFields fields={form.fields} />
      {chosen ? <WorkspaceChoice workspaces={form.workspaces} chosen={chosen} hint={hint} /> : null}
      {children}
      <div className="flex flex-col-reverse gap-2 sm:grid sm:auto-cols-fr sm:grid-flow-col">
        <Button type="submit" name="decision" value="cancel">
          Cancel
        </Button>
        {chosen ? (
          <Button type="submit" variant="primary" name="decision" value="approve">
            Connect
          </Button>
        ) : null}
      </div>
      <button
        type="submit"
        name="decision"
        value="switch_account"
        className="justify-self-center rounded-md px-2 py-1 text-accent-ink text-list hover:underline max-md:min-h-11"
      >
        Use another account
      </button>
    </form>
  );
}

type ChoiceProps = { workspaces: ConsentWorkspace[]; chosen: ConsentWorkspace; hint: string | undefined };

function WorkspaceChoice({ workspaces, chosen, hint }: ChoiceProps) {
  if (workspaces.length < 2) return <input type="hidden" name="workspace_id" value={chosen.id} />;
  return (
    <Field label="Workspace" {...(hint ? { hint } : {})}>
      {({ id, describedBy }) => (
        <Select
          id={id}
          name="workspace_id"
          autoComplete="off"
          defaultValue={chosen.id}
          aria-describedby={describedBy}
        >
          {workspaces.map((workspace) => (
            <option key={workspace.id} value={workspace.id}>
              {workspace.hasFreeSlot ? workspace.name : `${workspace.name} (no free slot)`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Hidden fields that the form posts beside the decision. */
export function HiddenFields({ fields }: Pick<PostedForm, 'fields'>) {
  return fields.map(({ name, value }) => <input key={name} type="hidden" name={name} value={value} />);
}
