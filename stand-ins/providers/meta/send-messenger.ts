import { isRecord, objectOf, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json } from '../../http/responses.ts';
import { acceptSend, refusalFor } from '../accept-send.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { chatWith, findPerson, unknownPerson } from '../people.ts';
import { keyOf, type SentFile } from '../state.ts';
import { storeFile } from '../store-file.ts';
import type { GraphCall } from './graph-call.ts';
import { graphError, invalidParameter, UPLOAD_FAILURE_SUBCODE, uploadFailure } from './graph-error.ts';
import { echoOf } from './messenger-kind.ts';
import { mediaKind } from './whatsapp-kind.ts';

const TEXT_MAX_LENGTH = { messenger: 2_000, instagram: 1_000 } as const;
const APP_ID = '1517776481860111';

/** `POST /{page id or me}/messages`. @see https://developers.facebook.com/docs/messenger-platform/reference/send-api */
export function sendMessengerMessage(call: GraphCall): HttpResponse {
  const { providers, request, account } = call;
  const { fields } = request;
  const { refusals, newMessageId } = CHANNEL_KINDS[account.channel];
  const id = textOf(objectOf(fields.recipient).id);
  if (fields.sender_action) return json({ recipient_id: id });
  const message = objectOf(fields.message);
  const text = textOf(message.text);
  const tag = textOf(fields.tag);
  if (!id) return invalidParameter('recipient is required.');
  if (fields.messaging_type === 'MESSAGE_TAG' && !tag) return invalidParameter('tag is required.');
  if (tag && tag !== 'HUMAN_AGENT') return invalidParameter(`tag ${tag} is not supported.`);
  const maxLength = account.channel === 'instagram' ? TEXT_MAX_LENGTH.instagram : TEXT_MAX_LENGTH.messenger;
  if ([...text].length > maxLength) {
    return graphError({
      message: `(#100) Length of param message[text] must be less than or equal to ${maxLength}`,
      code: 100,
    });
  }
  // The upload failure applies to the upload request.
  const refused = account.switches.refuseNext === UPLOAD_FAILURE_SUBCODE ? undefined : refusalFor(account);
  if (refused) return refused;
  const { window } = account.switches;
  if (window === 'expired' || (window === 'closed' && tag !== 'HUMAN_AGENT')) {
    const key = account.channel === 'instagram' ? '2534022' : '2018278';
    return refusals[key]?.response ?? 'hang';
  }
  const isUserId = /^\d{5,25}$/.test(id);
  const person = findPerson(account, (each) => each.id === id) ?? (isUserId ? unknownPerson(id) : undefined);
  if (!person) return refusals['2018001']?.response ?? 'hang';
  const files = filesOf(call, message);
  if ('refused' in files) return files.refused;
  if (!text && files.length === 0) return invalidParameter('message must have text or an attachment.');
  const chat = chatWith(account, person);
  const sent = acceptSend(providers, account, chat, { id: newMessageId(), text, files, label: tag || null });
  const product = account.channel === 'instagram' ? 'instagram' : 'page';
  providers.outbox.put(account, echoOf({ providers, account, chat, message: sent }, product, APP_ID));
  return json({ recipient_id: id, message_id: sent.id });
}

/**
 * `POST /{page id or me}/message_attachments`: uploads a file, to be sent by its id. The declared type must be right.
 * @see https://developers.facebook.com/docs/messenger-platform/reference/attachment-upload-api
 */
export function uploadAttachment(call: GraphCall): HttpResponse {
  const { providers, request, account } = call;
  const uploads = request.files.filter(({ field }) => field === 'filedata');
  const [upload] = uploads;
  if (!upload || uploads.length > 1) {
    const message = '(#100) Incorrect number of files uploaded. Must upload exactly one file.';
    return graphError({ message, code: 100, subcode: 2018005 });
  }
  if (account.switches.refuseNext === UPLOAD_FAILURE_SUBCODE) return refusalFor(account) ?? uploadFailure();
  const { type, payload } = objectOf(objectOf(request.fields.message).attachment);
  const kind = mediaKind(upload.type);
  const isRight = type === 'file' || type === (kind === 'document' ? 'file' : kind);
  if (!isRight || payload === undefined) return uploadFailure();
  if (account.channel === 'instagram' && request.fields.platform !== 'instagram') return uploadFailure();
  return json({ attachment_id: storeFile(providers, account, upload).id });
}

/** Returns the files of a message: in the request, by upload id, or by URL. */
function filesOf(call: GraphCall, message: Record<string, unknown>): SentFile[] | { refused: HttpResponse } {
  const { providers, request, account } = call;
  if (request.files.length > 0) return request.files.map((file) => storeFile(providers, account, file));
  const written = Array.isArray(message.attachments) ? message.attachments : [message.attachment];
  const files: SentFile[] = [];
  for (const attachment of written.filter(isRecord)) {
    const payload = objectOf(attachment.payload);
    const stored = providers.state.files.get(textOf(payload.attachment_id));
    if (stored && stored.account === keyOf(account)) {
      files.push({ id: stored.id, name: stored.name, type: stored.type, size: stored.size });
    } else if (payload.url) {
      files.push({
        id: textOf(payload.url),
        name: textOf(payload.url),
        type: textOf(attachment.type),
        size: 0,
      });
    } else {
      return { refused: uploadFailure() };
    }
  }
  return files;
}
