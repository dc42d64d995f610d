import type { FieldType } from '#server/screens/fields/views.ts';

export const TYPE_NAMES: Record<FieldType, string> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
};
