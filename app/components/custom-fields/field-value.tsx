import { describeDay } from '#server/screens/fields/describe-day.ts';
import type { CustomField } from '#server/screens/fields/views.ts';

/** A value as people read it. */
export function FieldValue({ field: { type, choices }, value }: { field: CustomField; value: string }) {
  if (type === 'choice') return choices.find(({ id }) => id === value)?.name;
  if (type === 'date') return <time dateTime={value}>{describeDay(value)}</time>;
  return <bdi>{value}</bdi>;
}
