import { Plus, X } from 'lucide-react';
import { type DraftHoliday, newRow } from '#app/components/settings/business-hours/hours-draft.ts';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';

type Props = {
  holidays: DraftHoliday[];
  problem: string | undefined;
  onChange: (holidays: DraftHoliday[]) => void;
};

/** Days on which the team does not work, with their names. */
export function HolidayFields({ holidays, problem, onChange }: Props) {
  const set = (changed: DraftHoliday) =>
    onChange(holidays.map((holiday) => (holiday.id === changed.id ? changed : holiday)));
  const invalid = { 'aria-invalid': problem ? true : undefined };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-0.5 font-medium text-list">Holidays</legend>
      <p className="text-ink-soft text-list">
        Closed on these days. A night shift that started before still ends.
      </p>
      {holidays.length > 0 ? (
        <ul className="grid gap-2">
          {holidays.map((holiday) => (
            <li key={holiday.id} className="flex items-center gap-2">
              <Input
                type="date"
                name="holidays"
                aria-label="Date of the holiday"
                value={holiday.date}
                onChange={({ currentTarget }) => set({ ...holiday, date: currentTarget.value })}
                className="w-40 shrink-0"
                {...invalid}
              />
              <Input
                aria-label="Name of the holiday"
                placeholder="Christmas Day"
                autoComplete="off"
                value={holiday.name}
                onChange={({ currentTarget }) => set({ ...holiday, name: currentTarget.value })}
                className="max-w-80"
                {...invalid}
              />
              <IconButton
                icon={X}
                label={`Remove ${holiday.name || 'the holiday'}`}
                onClick={() => onChange(holidays.filter((other) => other !== holiday))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <Button className="w-fit" onClick={() => onChange([...holidays, newRow({ date: '', name: '' })])}>
        <Plus aria-hidden size={16} />
        Add holiday
      </Button>
    </fieldset>
  );
}
