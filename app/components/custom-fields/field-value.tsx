import type { CustomField } from '#server/screens/fields/views.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A value as people read it. */
export function FieldValue({ field: { type, choices }, value }: { field: CustomField; value: string }) {
  if (type === 'choice') return choices.find(({ id }) => id === value)?.name;
  if (type === 'date') return <time dateTime={value}>{DAY.format(new Date(`${value}T00:00:00Z`))}</time>;
  return <bdi>{value}</bdi>;
}
