/** A field of a body or a record, or a parameter, in words. */
export type FieldView = {
  name: string;
  /** For example `string`, `array of Contact`, `Teammate or null`. */
  type: string;
  /** The record that the type names, if it names one. */
  record: string | null;
  required: boolean;
  description: string;
  /** What a value must keep to, for example `at most 200 characters`. */
  limits: string[];
  /** The values it can have, when there are few. */
  values: string[];
};

/** A response in words. `record` is what the body is, or a list of. */
export type ResponseView = {
  status: string;
  description: string;
  record: string | null;
  isList: boolean;
  example: string | null;
  /** Described in the call's own words, not in those that all calls share. */
  isParticular: boolean;
};

/** One call of the API. */
export type OperationView = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  needsToken: boolean;
  pathFields: FieldView[];
  queryFields: FieldView[];
  headerFields: FieldView[];
  bodyFields: FieldView[];
  /** The path and query of an example call, below the API's address. */
  exampleTarget: string;
  /** The body of that call, as JSON on several lines. */
  exampleBody: string | null;
  success: ResponseView;
  errors: ResponseView[];
};

/** An event, and what it carries besides the envelope. */
export type EventView = {
  id: string;
  key: string;
  name: string;
  description: string;
  fields: FieldView[];
  example: string;
};

export type RecordView = { name: string; description: string; fields: FieldView[]; example: string | null };

export type GroupView = { name: string; description: string; operations: OperationView[] };

/** The whole reference, in the order in which it is read. */
export type ReferenceView = {
  groups: GroupView[];
  events: EventView[];
  records: RecordView[];
};
