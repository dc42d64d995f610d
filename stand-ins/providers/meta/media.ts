import { createHash } from 'node:crypto';
import { textOf } from '../../http/bodies.ts';
import { type HttpResponse, json, raw } from '../../http/http-response.ts';
import { keyOf } from '../state.ts';
import { storeFile } from '../store-file.ts';
import type { GraphCall } from './graph-call.ts';
import { invalidParameter, unknownObject } from './graph-error.ts';

/** `POST /{phone number id}/media`. @see https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media */
export function uploadMedia({ providers, request, account }: GraphCall): HttpResponse {
  const file = request.files.find(({ field }) => field === 'file');
  if (request.fields.messaging_product !== 'whatsapp') {
    return invalidParameter('The parameter messaging_product is required.');
  }
  if (!file) return invalidParameter('The parameter file is required.');
  const type = textOf(request.fields.type) || file.type;
  const { id } = storeFile(providers, account, { ...file, type });
  return json({ id });
}

/** `GET /{media id}`: where the file is; with `content`, the file itself, for the same token alone. */
export function answerMedia({ providers, account }: GraphCall, id: string, content: boolean): HttpResponse {
  const file = providers.state.files.get(id);
  if (!file || file.account !== keyOf(account)) return unknownObject('GET', id);
  if (content) return raw(file.content, file.type);
  return json({
    messaging_product: 'whatsapp',
    url: `${providers.settings.url}/meta/media/${id}`,
    mime_type: file.type,
    sha256: createHash('sha256').update(file.content).digest('hex'),
    file_size: file.size,
    id,
  });
}
