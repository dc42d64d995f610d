import { toFormTarget } from '#app/components/settings/workspace/sla-target.ts';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = { state: FormState; name: string; label: string; hint: string; minutes: number | null };

/** An SLA target as a number and a unit, which is posted as `<name>Unit`. Empty means no target. */
export function SlaTargetField({ state, name, label, hint, minutes }: Props) {
  const shown = toFormTarget(minutes);
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {(control) => (
        <span className="flex gap-2">
          <span className="w-24 shrink-0">
            <Input
              key={state.attempt}
              {...fieldProps(control, { state, name, defaultValue: shown.amount })}
              type="number"
              min={1}
              autoComplete="off"
            />
          </span>
          <span className="w-32">
            <Select
              key={state.attempt}
              name={`${name}Unit`}
              aria-label={`${label}: minutes or hours`}
              defaultValue={state.values[`${name}Unit`] ?? shown.unit}
            >
              <option value="minutes">minutes</option>
              <option value="hours">hours</option>
            </Select>
          </span>
        </span>
      )}
    </Field>
  );
}
