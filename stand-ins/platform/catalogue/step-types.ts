/** Source of a dropdown's choices. */
export type ChoiceSource = 'users' | 'teams';

export type Field = {
  /** Name in the API, and in the `errors` of a response. */
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

/** An action or a search of the service: a form on the page and an API call. `{name}` in a path is a field. */
export type Step = {
  key: StepKey;
  kind: 'action' | 'search';
  name: string;
  description: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  fields: readonly Field[];
};

/** Value of a ticked checkbox. */
export const TICKED = 'yes';
/** Platform-side field of Find Contact: the platform, not the service, creates a missing contact. */
export const CREATE_WHEN_MISSING = 'create_when_missing';
