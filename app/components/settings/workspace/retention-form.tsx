'use client';

import { useState } from 'react';
import { RetentionDialog } from '#app/components/settings/workspace/retention-dialog.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { Retention, RetentionView } from '#server/screens/settings/views.ts';

/** Initial value of the days of conversations. */
const DEFAULT_DAYS = '365';

type Mode = 'keep' | 'delete' | 'anonymize';

type Days = 'conversationDays' | 'fileDays' | 'auditDays';

/** The retention rule of the workspace. Saving shows what the first night would delete. */
export function RetentionForm({ rule }: { rule: RetentionView }) {
  const [mode, setMode] = useState<Mode>(modeOf(rule));
  const [days, setDays] = useState({
    conversationDays: rule.conversationDays?.toString() ?? DEFAULT_DAYS,
    fileDays: rule.fileDays?.toString() ?? '',
    auditDays: rule.auditDays?.toString() ?? '',
  });
  const [problems, setProblems] = useState<Days[]>([]);
  const [reviewed, setReviewed] = useState<Retention | null>(null);
  const review = () => {
    const entered = mode === 'keep' ? { ...days, conversationDays: '' } : days;
    const isRefused = (field: Days) =>
      entered[field] === ''
        ? field === 'conversationDays' && mode !== 'keep'
        : !isWithin(entered[field], rule);
    const refused = (Object.keys(days) as Days[]).filter(isRefused);
    setProblems(refused);
    if (refused.length > 0) return;
    const number = (field: Days) => (entered[field] === '' ? null : Number(entered[field]));
    setReviewed({
      conversationDays: number('conversationDays'),
      anonymizes: mode === 'anonymize',
      fileDays: number('fileDays'),
      auditDays: number('auditDays'),
    });
  };
  const fieldOf = (field: Days, label: string, hint: string) => (
    <DaysField
      label={label}
      hint={hint}
      value={days[field]}
      onChange={(value) => setDays({ ...days, [field]: value })}
      problem={
        problems.includes(field)
          ? `Enter a number from ${rule.daysMin} to ${rule.daysMax.toLocaleString('en-GB')}.`
          : null
      }
    />
  );
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Solved, closed and spam conversations" hint={mode === 'keep' ? undefined : HINTS[mode]}>
          {({ id, describedBy }) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={mode}
              onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
            >
              <option value="keep">Keep</option>
              <option value="delete">Delete</option>
              <option value="anonymize">Anonymize</option>
            </Select>
          )}
        </Field>
        {mode === 'keep'
          ? null
          : fieldOf('conversationDays', 'Days after the last message', 'Counted from the newest message.')}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {fieldOf(
          'fileDays',
          'Delete files after (days)',
          'Files and original emails of all conversations, also open ones. Leave it empty to keep them.',
        )}
        {fieldOf(
          'auditDays',
          'Delete audit entries after (days)',
          'Also the receipts of erased contacts. Leave it empty to keep them.',
        )}
      </div>
      <Button type="submit" variant="primary" className="w-fit max-md:w-full">
        Review and save
      </Button>
      {reviewed ? (
        <RetentionDialog
          retention={reviewed}
          workspaceName={rule.workspaceName}
          onClose={() => setReviewed(null)}
        />
      ) : null}
    </form>
  );
}

const HINTS: Record<Exclude<Mode, 'keep'>, string> = {
  delete: 'They can be restored for 30 days, and are then removed for good.',
  anonymize: 'Names, addresses, texts and files are removed immediately. Numbers stay the same.',
};

function modeOf({ conversationDays, anonymizes }: Retention): Mode {
  if (conversationDays === null) return 'keep';
  return anonymizes ? 'anonymize' : 'delete';
}

function isWithin(text: string, { daysMin, daysMax }: RetentionView): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= daysMin && Number(text) <= daysMax;
}

type DaysFieldProps = {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
  problem: string | null;
};

function DaysField({ label, hint, value, onChange, problem }: DaysFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {({ id, describedBy, invalid }) => (
        <span className="block w-28">
          <Input
            id={id}
            value={value}
            inputMode="numeric"
            autoComplete="off"
            onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
            aria-describedby={describedBy}
            aria-invalid={invalid}
          />
        </span>
      )}
    </Field>
  );
}
