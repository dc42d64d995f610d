import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { FieldError } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { cx } from '#app/lib/cx.ts';
import { isComposing } from '#app/lib/is-composing.ts';
import type { CustomField } from '#server/screens/fields/views.ts';

type Props = {
  field: CustomField;
  /** Empty for none. */
  value: string;
  /** Resolves to the problem, or null when the value was saved. */
  save: (typed: string) => Promise<string | null>;
  autoFocus?: boolean;
};

/** Length of a text that the panel cuts off. */
const LONG = 24;

/** Looks like text until it is used. */
const QUIET =
  'control -mx-1.5 h-7 w-[calc(100%+0.75rem)] rounded-md border-transparent bg-transparent px-[5px] hover:border-line-control focus:border-line-control focus:bg-surface max-md:h-11 md:text-list';

/** Edits a value in place. A choice is saved immediately, other values on Enter or when the field loses the focus. Escape restores the value. */
export function FieldEditor({ field, value, save, autoFocus = false }: Props) {
  const id = useId();
  /** The typed text, until it is saved. */
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** The text that is being saved. */
  const [saving, setSaving] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const restore = () => {
    setDraft(null);
    setProblem(null);
  };
  const submit = async (typed: string) => {
    if (typed === last.current) return;
    if (typed.trim() === value) return restore();
    last.current = typed;
    setSaving(typed);
    const refused = await save(typed);
    // Reaches a user who moved on to another conversation.
    if (refused !== null && !box.current)
      toast.error(`Could not save ${field.name}`, { description: refused });
    if (last.current !== typed) return;
    last.current = null;
    setSaving(null);
    setProblem(refused);
    // What was typed in the meantime stays.
    setDraft((now) => (refused === null && now === typed ? null : now));
  };
  const finish = ({ validity }: HTMLInputElement) => {
    // A date that is typed only in part reads as an empty one.
    if (validity.badInput) setProblem(`${field.name} must be a complete date.`);
    else if (draft !== null) void submit(draft);
  };
  const control = {
    id,
    'aria-describedby': problem ? `${id}-problem` : undefined,
    'aria-invalid': problem ? (true as const) : undefined,
    'aria-busy': saving !== null,
    autoFocus,
  };
  return (
    <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <label htmlFor={id} className="w-fit text-ink-faint text-xs [overflow-wrap:anywhere]">
        {field.name}
      </label>
      {field.type === 'choice' ? (
        <Select
          {...control}
          value={value}
          onChange={({ target }) => void submit(target.value)}
          className={cx(QUIET, 'pr-7')}
        >
          <option value="">None</option>
          {field.choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </Select>
      ) : (
        <input
          {...control}
          type={field.type === 'date' ? 'date' : 'text'}
          inputMode={field.type === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          max={field.type === 'date' ? '9999-12-31' : undefined}
          placeholder="Add"
          title={value.length > LONG ? value : undefined}
          data-edited={draft === null && problem === null ? undefined : true}
          value={draft ?? value}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onBlur={({ currentTarget }) => finish(currentTarget)}
          onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
            if (event.key === 'Enter' && !isComposing(event.nativeEvent)) {
              event.preventDefault();
              finish(event.currentTarget);
            } else if (event.key === 'Escape' && (draft !== null || problem !== null)) {
              event.preventDefault();
              event.stopPropagation();
              if (event.currentTarget.validity.badInput) event.currentTarget.value = value;
              restore();
            }
          }}
          className={cx(
            QUIET,
            field.type === 'date' && value === '' && draft === null && 'not-focus:text-ink-faint',
          )}
        />
      )}
      {problem ? <FieldError id={`${id}-problem`}>{problem}</FieldError> : null}
    </div>
  );
}
