export {
  CONDITION_CHOICES_MAX,
  CONDITIONS_MAX,
  FIELD_OPERATORS,
  type FieldCondition,
  type FieldOperator,
  parseFieldConditions,
  writeFieldConditions,
} from '#server/inbox/lists/field-conditions.ts';
