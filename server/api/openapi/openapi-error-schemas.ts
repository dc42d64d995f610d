import type { oas31 } from 'zod-openapi';

const sentence = { type: 'string', minLength: 1 } as const;

/** The two bodies of an error (spec.md §7), strict: an error says this and nothing else. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'What went wrong.',
    required: ['message'],
    properties: { message: { ...sentence, description: 'A sentence for a person to read.' } },
    additionalProperties: false,
    examples: [{ message: 'The conversation was not found.' }],
  },
  ValidationError: {
    type: 'object',
    description: 'What is wrong with the values that were sent, under the field that each belongs to.',
    required: ['message', 'errors'],
    properties: {
      message: { ...sentence, description: 'The first sentence of the first field.' },
      errors: {
        type: 'object',
        description:
          'Field to sentences. Errors of the body as a whole are under `body`, a merged conversation under ' +
          '`conversation`, too many hooks under `hooks`.',
        minProperties: 1,
        additionalProperties: { type: 'array', minItems: 1, items: sentence },
      },
    },
    additionalProperties: false,
    examples: [
      {
        message: 'The subject is required.',
        errors: {
          subject: ['The subject is required.'],
          content: ['The content must be at most 8,000 characters.'],
        },
      },
    ],
  },
} satisfies Record<string, oas31.SchemaObject>;
