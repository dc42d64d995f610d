import { describeDay } from '#server/screens/fields/describe-day.ts';
import type { CustomField } from '#server/screens/fields/views.ts';
import type { FieldCondition, FieldOperator } from '#server/screens/inbox/field-conditions.ts';

export const operatorNames: Record<FieldOperator, string> = {
  is: 'is',
  has: 'contains',
  eq: 'is',
  lt: 'is less than',
  gt: 'is more than',
  on: 'is',
  before: 'is before',
  after: 'is after',
  any: 'is any of',
  set: 'has a value',
  empty: 'is empty',
};

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Returns a condition in words, such as `Plan is Free or Pro`. `field`: undefined when it was deleted. */
export function conditionWords({ operator, values }: FieldCondition, field: CustomField | undefined): string {
  if (!field) return 'Deleted field';
  if (values.length === 0) return `${field.name} ${operatorNames[operator]}`;
  if (operator === 'any') {
    const names = values.map(
      (id) => field.choices.find((choice) => choice.id === id)?.name ?? 'deleted choice',
    );
    return `${field.name} is ${or.format(names)}`;
  }
  const [value = ''] = values;
  const shown = field.type === 'date' ? describeDay(value) : value;
  return `${field.name} ${operatorNames[operator]} ${shown}`;
}
