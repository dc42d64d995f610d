/** Where a dropdown gets its choices from. */
export type ChoiceSource = 'users' | 'teams';

export type Field = {
  /** The name in the API, also in the `errors` of a refusal. */
  name: string;
  label: string;
  required?: true;
  hint?: string;
  input:
    | { kind: 'text' | 'email' | 'long' | 'checkbox' }
    | { kind: 'record'; of: 'conversation' | 'contact' }
    | { kind: 'select'; options: readonly string[]; whenEmpty: string }
    | { kind: 'choices'; source: ChoiceSource; none: string; whenEmpty: string };
};

export type StepKey =
  | 'create-contact'
  | 'update-contact'
  | 'create-conversation'
  | 'send-reply'
  | 'add-note'
  | 'add-tags'
  | 'update-conversation'
  | 'find-contact'
  | 'find-conversation';

/** An action or a search of the service: a form on the page, a call behind it. `{name}` in a path is a field. */
export type Step = {
  key: StepKey;
  kind: 'action' | 'search';
  name: string;
  description: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  fields: readonly Field[];
};

/** What a checkbox sends when it is ticked. */
export const TICKED = 'yes';
/** Platform-side field of Find Contact: the platform, not the service, creates what was not found. */
export const CREATE_WHEN_MISSING = 'create_when_missing';
