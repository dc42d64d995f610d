import type { Bundle, Create, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';

type Step = {
  key: string;
  noun: string;
  label: string;
  description: string;
  method: 'POST' | 'PATCH';
  /** Path within the API. `{conversation_id}` and `{contact_id}` are replaced with the input fields of that name. */
  path: string;
  inputFields: PlainInputField[];
  /** Converts the other input values into the body. Default: the values themselves. */
  toBody?: (values: Record<string, unknown>) => Record<string, unknown>;
  outputFields: PlainOutputField[];
  sample: Record<string, unknown>;
};

/** Returns an action that calls the API once with the values of its input fields. */
export function createStep(step: Step) {
  const { key, noun, label, description, method, inputFields, outputFields, sample } = step;
  const { toBody = (values) => values } = step;
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      inputFields,
      perform: (z: ZObject, bundle: Bundle) => {
        const values = { ...bundle.inputData };
        const path = step.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
          const value = String(values[name] ?? '');
          delete values[name];
          return encodeURIComponent(value);
        });
        return callService<Record<string, unknown>>(z, { method, path, body: toBody(values) });
      },
      outputFields,
      sample,
    },
  } satisfies Create;
}
