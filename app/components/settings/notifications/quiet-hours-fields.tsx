import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { browserTimeZone } from '#app/lib/browser-time-zone.ts';
import type { FormState } from '#app/lib/form-state.ts';
import type { Preferences } from '#server/screens/notification-views.ts';

/** Suggested quiet hours, in minutes since midnight. */
const DEFAULT_FROM = 20 * 60;
const DEFAULT_UNTIL = 8 * 60;

type Props = {
  quiet: Preferences['quiet'];
  timeZones: string[];
  state: FormState;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

/** Turns quiet hours on, with their start, end and time zone. */
export function QuietHoursFields({ quiet, timeZones, state, isOn, onChange }: Props) {
  const timeZone = quiet?.timeZone ?? browserTimeZone();
  return (
    <fieldset className="grid gap-3 border-t pt-5">
      <legend className="sr-only">Quiet hours</legend>
      <Checkbox
        name="quiet"
        label="Quiet hours"
        hint="No push or desktop notifications, and no sounds. Emails are sent when quiet hours end."
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {isOn ? (
        <div className="grid max-w-xl grid-cols-[8rem_8rem_minmax(0,1fr)] gap-3 max-md:grid-cols-2">
          <TextField
            state={state}
            name="quietFrom"
            label="From"
            type="time"
            defaultValue={timeOf(quiet?.from ?? DEFAULT_FROM)}
            required
          />
          <TextField
            state={state}
            name="quietUntil"
            label="Until"
            type="time"
            defaultValue={timeOf(quiet?.until ?? DEFAULT_UNTIL)}
            required
          />
          <div className="max-md:col-span-2">
            <Field label="Time zone" problem={state.fields.timeZone}>
              {(control) => (
                <Select
                  key={state.attempt}
                  {...fieldProps(control, {
                    state,
                    name: 'timeZone',
                    defaultValue: timeZone,
                  })}
                >
                  {[...new Set([timeZone, ...timeZones])].map((name) => (
                    <option key={name} value={name}>
                      {name.replaceAll('_', ' ')}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
        </div>
      ) : null}
    </fieldset>
  );
}

/** Returns `HH:MM` for a time field. */
function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
