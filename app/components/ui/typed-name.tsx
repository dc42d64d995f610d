import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';

type Props = { name: string; typed: string; onType: (typed: string) => void; problem: string | null };

/** Field of a dialog in which a name is typed to confirm what happens to the record. */
export function TypedName({ name, typed, onType, problem }: Props) {
  return (
    <div className="mt-1 text-ink">
      <Field label={`Type ${name} to confirm`} problem={problem ?? undefined}>
        {({ id, describedBy, invalid }) => (
          <Input
            id={id}
            value={typed}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
    </div>
  );
}
