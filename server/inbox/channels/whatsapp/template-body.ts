import { z } from 'zod';
import type { OutgoingTemplate } from '#server/inbox/channels/outgoing-message.ts';

/** A template that was approved, with the values for its places, in order, as it is kept with a message. */
export const sentTemplateShape = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string().regex(/^[A-Za-z_]{2,15}$/),
  values: z.array(z.object({ name: z.string().nullable(), text: z.string() })),
}) satisfies z.ZodType<OutgoingTemplate>;

/** A template as WhatsApp takes it (WhatsApp, template messages). Named places are named; others come in order. */
export function templateBody({ name, language, values }: OutgoingTemplate): Record<string, unknown> {
  const parameters = values.map((value) => ({
    type: 'text',
    ...(value.name === null ? {} : { parameter_name: value.name }),
    text: value.text,
  }));
  return {
    type: 'template',
    template: {
      name,
      language: { code: language },
      ...(parameters.length > 0 ? { components: [{ type: 'body', parameters }] } : {}),
    },
  };
}
