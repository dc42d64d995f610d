import type { CustomField } from '#server/contacts/custom-fields.ts';
import type { ShownCount } from '#server/core/shown-count.ts';

export type { CustomField } from '#server/contacts/custom-fields.ts';
export type { FieldValues } from '#server/contacts/field-values.ts';
export type { FieldSubject, FieldType } from '#server/generated/prisma/enums.ts';

/** The fields of a workspace in their order. */
export type FieldsView = { fields: CustomField[]; max: number; choicesMax: number };

/** Number of contacts or conversations that have a value of a field, and by the id of the choice. */
export type FieldUsage = {
  values: ShownCount;
  choices: Record<string, ShownCount>;
  /** Saved replies that use the variable of the field. */
  savedReplies: number;
};
