import { isRecord, objectOf, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json } from '../../http/responses.ts';
import { acceptSend, refusalFor } from '../accept-send.ts';
import { wamid } from '../make-ids.ts';
import { chatWith, findPerson, unknownPerson } from '../people.ts';
import { keyOf, type Person } from '../state.ts';
import type { GraphCall } from './graph-call.ts';
import { graphError, invalidParameter } from './graph-error.ts';
import { renderTemplate } from './templates.ts';
import { whatsappKind } from './whatsapp-kind.ts';

const TEXT_MAX_LENGTH = 4_096;
const MEDIA = ['image', 'video', 'audio', 'document', 'sticker'];

type Content = { text: string; fileId: string | null; label: string | null };

/** `POST /{phone number id}/messages`. @see https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages */
export function sendWhatsappMessage(call: GraphCall): HttpResponse {
  const { providers, request, account } = call;
  const { fields } = request;
  if (fields.messaging_product !== 'whatsapp') {
    return invalidParameter('The parameter messaging_product is required.');
  }
  if (fields.status === 'read') return json({ success: true });
  const to = textOf(fields.to).replaceAll(/\D/g, '');
  const recipient = textOf(fields.recipient);
  if (!to && !recipient) return invalidParameter('The parameter to is required.');
  const refused = refusalFor(account);
  if (refused) return refused;
  const content = parseContent(call);
  if ('refused' in content) return content.refused;
  const person = findRecipient(call, to, recipient);
  if (!person) {
    const [code, title, details] = [131026, 'Message undeliverable', 'Message Undeliverable.'];
    return graphError({ message: `(#${code}) ${title}`, code, details });
  }
  const isTemplate = fields.type === 'template';
  if (account.switches.window !== 'open' && !isTemplate) {
    return whatsappKind.refusals['131047']?.response ?? 'hang';
  }
  const file = content.fileId ? providers.state.files.get(content.fileId) : undefined;
  const { id } = acceptSend(providers, account, chatWith(account, person), {
    id: wamid(),
    text: content.text,
    files: file ? [{ id: file.id, name: file.name, type: file.type, size: file.size }] : [],
    label: content.label,
  });
  return json({
    messaging_product: 'whatsapp',
    contacts: [
      {
        input: to || recipient,
        ...(person.phone ? { wa_id: person.phone } : {}),
        user_id: person.id,
      },
    ],
    messages: [{ id, ...(isTemplate ? { message_status: 'accepted' } : {}) }],
  });
}

/** Finds the recipient. All numbers are reachable; user ids must belong to a known person or have a valid shape. */
function findRecipient({ account }: GraphCall, to: string, recipient: string): Person | undefined {
  if (to) return findPerson(account, ({ phone }) => phone === to) ?? unknownPerson(`US.${to}`, to);
  const isUserId = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient);
  return (
    findPerson(account, ({ id }) => id === recipient) ?? (isUserId ? unknownPerson(recipient) : undefined)
  );
}

function parseContent({ providers, request, account }: GraphCall): Content | { refused: HttpResponse } {
  const { fields } = request;
  const type = textOf(fields.type) || 'text';
  if (type === 'text') {
    const text = textOf(objectOf(fields.text).body);
    if (!text) return { refused: invalidParameter('The parameter text.body is required.') };
    if ([...text].length > TEXT_MAX_LENGTH) {
      return {
        refused: invalidParameter(`Param text.body must be at most ${TEXT_MAX_LENGTH} characters long.`),
      };
    }
    return { text, fileId: null, label: null };
  }
  if (MEDIA.includes(type)) {
    const media = objectOf(fields[type]);
    const fileId = textOf(media.id);
    const file = providers.state.files.get(fileId);
    if (!file || file.account !== keyOf(account)) {
      return {
        refused: invalidParameter(
          `Param ${type}.id is not a valid whatsapp business account media attachment ID`,
        ),
      };
    }
    if (type === 'document' && media.filename) file.name = textOf(media.filename);
    return { text: textOf(media.caption), fileId, label: null };
  }
  if (type === 'template') return parseTemplate(objectOf(fields.template));
  if (type === 'reaction')
    return { text: textOf(objectOf(fields.reaction).emoji), fileId: null, label: 'Reaction' };
  const shown = SHOWN[type]?.(fields);
  if (shown === undefined) return { refused: invalidParameter(`Unsupported message type ${type}.`) };
  if (shown === '') return { refused: invalidParameter(`The parameter ${type} is required.`) };
  return { text: shown, fileId: null, label: type };
}

/** Returns the words of kinds that the pages show as text; empty without the required fields. */
const SHOWN: Readonly<Record<string, (fields: Record<string, unknown>) => string>> = {
  interactive: ({ interactive }) => textOf(objectOf(objectOf(interactive).body).text),
  location: ({ location }) => {
    const { name, address, latitude, longitude } = objectOf(location);
    const place = [textOf(latitude), textOf(longitude)].filter(Boolean).join(', ');
    return place && [textOf(name), textOf(address), place].filter(Boolean).join(', ');
  },
  contacts: ({ contacts }) =>
    (Array.isArray(contacts) ? contacts : [])
      .map((contact) => textOf(objectOf(objectOf(contact).name).formatted_name))
      .join(', '),
};

function parseTemplate(template: Record<string, unknown>): Content | { refused: HttpResponse } {
  const name = textOf(template.name);
  const language = textOf(objectOf(template.language).code);
  const components = Array.isArray(template.components) ? template.components.filter(isRecord) : [];
  const body = components.find(({ type }) => textOf(type).toLowerCase() === 'body');
  const parameters = Array.isArray(body?.parameters) ? body.parameters.filter(isRecord) : [];
  const text = renderTemplate(
    name,
    language,
    parameters.map((parameter) => textOf(parameter.text)),
  );
  if (text === undefined) {
    return {
      refused: graphError({
        message: '(#132001) Template name does not exist in the translation',
        code: 132001,
        details: `template name (${name}) does not exist in ${language}`,
        status: 404,
      }),
    };
  }
  if (text === null) {
    return {
      refused: graphError({
        message: '(#132000) Number of parameters does not match the expected number of params',
        code: 132000,
        details: 'body: number of localizable_params does not match the expected number of params',
      }),
    };
  }
  return { text, fileId: null, label: `Template ${name}` };
}
