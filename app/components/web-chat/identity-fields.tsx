import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';

type Props = {
  workspaceName: string;
  name: string;
  email: string;
  problems: Record<string, string>;
  change: (changes: { name?: string; email?: string }) => void;
};

/** Optional name and email address of the visitor. */
export function IdentityFields({ workspaceName, name, email, problems, change }: Props) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-balance text-ink-soft text-list">
        Optional, so that {workspaceName} knows your name and can reach you by email.
      </legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <Field label="Name (optional)" problem={problems.name}>
          {({ id, describedBy, invalid }) => (
            <Input
              id={id}
              value={name}
              autoComplete="name"
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Email (optional)" problem={problems.email}>
          {({ id, describedBy, invalid }) => (
            <Input
              id={id}
              type="email"
              value={email}
              autoComplete="email"
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={({ currentTarget }) => change({ email: currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
