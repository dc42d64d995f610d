/** A field of a body or record, or a parameter. */
export type FieldView = {
  name: string;
  /** For example `string`, `array of Contact`, `Teammate or null`. */
  type: string;
  /** The record in the type, if any. */
  record: string | null;
  required: boolean;
  description: string;
  /** For example `at most 200 characters`. */
  limits: string[];
  /** The allowed values of an enum. */
  values: string[];
};

/** A response. `record` is the type of the body or of its items. */
export type ResponseView = {
  status: string;
  description: string;
  record: string | null;
  isList: boolean;
  example: string | null;
  /** True when the call has a specific description, false for the shared one. */
  isParticular: boolean;
};

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
  /** Path and query of an example call, relative to the API's address. */
  exampleTarget: string;
  /** Formatted JSON body of the example call. */
  exampleBody: string | null;
  /** Field and file of the form of the example call. */
  exampleFile: string | null;
  success: ResponseView;
  errors: ResponseView[];
};

/** An event. `fields` excludes the envelope. `example`: formatted JSON, if the document has one. */
export type EventView = {
  id: string;
  key: string;
  name: string;
  description: string;
  fields: FieldView[];
  /** Whether the fields are those of `data`. */
  isInData: boolean;
  example: string | null;
};

export type RecordView = { name: string; description: string; fields: FieldView[]; example: string | null };

export type GroupView = { name: string; description: string; operations: OperationView[] };

export type ReferenceView = {
  groups: GroupView[];
  /** Fields of every event. */
  envelope: string[];
  events: EventView[];
  records: RecordView[];
};
