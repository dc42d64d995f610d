import type { Bundle, Create, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';

type Step = {
  key: string;
  noun: string;
  label: string;
  description: string;
  method: 'POST' | 'PATCH';
  /** `{conversation_id}` and `{contact_id}` are fields of the step. */
  path: string;
  inputFields: PlainInputField[];
  /** Makes the body of what the other fields hold; by default it is that. */
  toBody?: (values: Record<string, unknown>) => Record<string, unknown>;
  outputFields: PlainOutputField[];
  sample: Record<string, unknown>;
};

/** An action: one call of the API, of the values that the step's fields hold. */
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
