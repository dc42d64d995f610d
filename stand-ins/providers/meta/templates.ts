type Template = {
  name: string;
  language: string;
  body: string;
  category: string;
  example: string[];
  header?: string;
};

const TEMPLATES: readonly Template[] = [
  {
    name: 'order_update',
    language: 'en',
    category: 'UTILITY',
    body: 'Hi {{1}}, there is news about your order {{2}}. Reply here to hear more.',
    example: ['Ada', '4711'],
  },
  {
    name: 'order_update',
    language: 'de',
    category: 'UTILITY',
    body: 'Hallo {{1}}, es gibt Neues zu Ihrer Bestellung {{2}}. Antworten Sie hier.',
    example: ['Ada', '4711'],
  },
  {
    name: 'we_are_back',
    language: 'en_US',
    category: 'MARKETING',
    header: 'We are back',
    body: 'Thank you for your patience. How can we help?',
    example: [],
  },
];

/** `GET /{business account id}/message_templates`: the approved templates, and one that is pending. */
export function templatesOf() {
  const approved = TEMPLATES.map((template, index) => describe(template, index, 'APPROVED'));
  const pending = describe({ ...first(), name: 'spring_sale' }, TEMPLATES.length, 'PENDING');
  return { data: [...approved, pending], paging: { cursors: { before: 'MAZDZD', after: 'MjQZD' } } };
}

/** Renders a template. Undefined: no such template and language. Null: wrong number of parameters. */
export function renderTemplate(
  name: string,
  language: string,
  parameters: string[],
): string | null | undefined {
  const template = TEMPLATES.find((each) => each.name === name && each.language === language);
  if (!template) return undefined;
  if (parameters.length !== template.example.length) return null;
  return template.body.replace(/\{\{(\d)\}\}/g, (_all, index: string) => parameters[Number(index) - 1] ?? '');
}

function describe(
  { name, language, category, body, example, header }: Template,
  index: number,
  status: string,
) {
  return {
    name,
    parameter_format: 'POSITIONAL',
    components: [
      ...(header ? [{ type: 'HEADER', format: 'TEXT', text: header }] : []),
      { type: 'BODY', text: body, ...(example.length > 0 ? { example: { body_text: [example] } } : {}) },
    ],
    language,
    status,
    category,
    id: String(594_425_479_261_596 + index),
  };
}

function first(): Template {
  const [template] = TEMPLATES;
  if (!template) throw new Error('There is no template.');
  return template;
}
