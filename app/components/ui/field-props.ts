import type { FieldControl } from '#app/components/ui/field.tsx';
import type { FormState } from '#app/lib/form-state.ts';

/**
 * What a control of a form gets, so that after a refusal it holds what was typed and says what is wrong with it. It also
 * needs `state.attempt` as its key: the browser empties a form that was sent, so it is drawn again with its value.
 */
export function fieldProps(
  { id, describedBy, invalid }: FieldControl,
  {
    state,
    name,
    defaultValue,
  }: { state: FormState; name: string; defaultValue?: string | number | readonly string[] | undefined },
) {
  return {
    id,
    name,
    defaultValue: state.values[name] ?? defaultValue,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
  };
}
