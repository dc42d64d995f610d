import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { discardBody, watchBodySpeed } from '#server/http/request/read-body.ts';

/** Limits of a form. Sizes in bytes. */
export type FormLimits = {
  fields: number;
  fieldBytes: number;
  files: number;
  fileBytes: number;
  filesBytes: number;
  /** The complete body, including boundaries and headers. */
  bodyBytes: number;
};

/** A file of a form. Its source must be read to the end. */
export type FormFile = {
  field: string;
  name: string;
  contentType: string;
  source: AsyncIterable<Uint8Array>;
};

/** Reason why a form cannot be read. Thrown, as it is found while streaming. */
export type FormProblemKind = 'malformed' | 'too_many_files' | 'file_too_large' | 'files_too_large';
export class FormProblem extends Error {
  readonly formProblem: FormProblemKind;

  constructor(kind: FormProblemKind) {
    super(`The form cannot be read: ${kind}.`);
    this.name = 'FormProblem';
    this.formProblem = kind;
  }
}

const FORM_TYPE = /^multipart\/form-data\s*;/i;
/** A boundary has at most 70 characters (RFC 2046 §5.1.1). */
const TYPE_MAX_LENGTH = 200;
/** Limits of a part's headers. Three of them are used, and only the start of a long name. */
const HEADER_PAIRS_MAX = 10;
const HEADER_MAX_BYTES = 8 * 1024;
/** Buffer per file before its source is read, in bytes. */
const FILE_WAITING_BYTES = 64 * 1024;
/** Maximum time to store received data after the end of the body, in ms. */
const STORED_WITHIN_MS = 60_000;

/**
 * Streams a form (`multipart/form-data`, RFC 7578): returns its text fields and passes its files to
 * `receiveFile`, one after the other, with backpressure. On any error the rest of the body is discarded, so that
 * the sender gets the response, and every `receiveFile` has finished when this throws.
 * @throws FormProblem, RequestProblem when the body is too slow, or the error of `receiveFile`
 */
export async function readMultipart(
  req: IncomingMessage,
  limits: FormLimits,
  receiveFile: (file: FormFile) => Promise<void>,
): Promise<[name: string, value: string][]> {
  const parser = openParser(req, limits);
  const texts: [string, string][] = [];
  let taken: Promise<void> = Promise.resolve();
  const open = new Set<Readable>();
  const { promise: read, resolve, reject } = Promise.withResolvers<void>();
  const tooMuchOf = (maxBytes: number) => {
    let bytes = 0;
    return ({ length }: Uint8Array) => {
      bytes += length;
      if (bytes > maxBytes) reject(new FormProblem('files_too_large'));
    };
  };
  const countFiles = tooMuchOf(limits.filesBytes);
  const countBody = tooMuchOf(limits.bodyBytes);

  const stopWatching = watchBodySpeed(req, reject);
  let patience: NodeJS.Timeout | undefined;
  const onEnd = () => {
    stopWatching();
    // Ends every form, however it was built.
    patience = setTimeout(() => reject(new FormProblem('malformed')), STORED_WITHIN_MS);
  };
  const onClose = () => {
    if (!req.complete) reject(new FormProblem('malformed'));
  };
  req.on('data', countBody).once('end', onEnd).once('close', onClose);
  parser
    .on('field', (name, value) => texts.push([name ?? '', value]))
    .on('file', (field, source, name, _encoding, contentType) => {
      open.add(source);
      source.once('close', () => open.delete(source));
      // A source that is no longer read can still emit errors.
      source.on('error', () => undefined);
      source.once('limit', () => reject(new FormProblem('file_too_large')));
      const counted = passing(source, countFiles);
      // Backpressure: the next file stays unread until the current one is stored.
      taken = taken.then(() =>
        receiveFile({ field: field ?? '', name: name ?? '', contentType, source: counted }),
      );
      taken.catch(reject);
    })
    .on('filesLimit', () => reject(new FormProblem('too_many_files')))
    .on('fieldsLimit', () => reject(new FormProblem('malformed')))
    .on('partsLimit', () => reject(new FormProblem('malformed')))
    .on('error', () => reject(new FormProblem('malformed')))
    .on('finish', resolve);
  if (req.destroyed) onClose();
  else req.pipe(parser);

  try {
    await read;
    await taken;
    return texts;
  } catch (error) {
    for (const source of open) source.destroy(new Error('The form was aborted.'));
    await Promise.allSettled([taken]);
    throw error;
  } finally {
    stopWatching();
    clearTimeout(patience);
    req.off('data', countBody).off('end', onEnd).off('close', onClose);
    req.unpipe(parser);
    if (!req.complete) void discardBody(req);
  }
}

async function* passing(source: Readable, take: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    take(piece);
    yield piece;
  }
}

function openParser(
  req: IncomingMessage,
  { fields, fieldBytes, files, fileBytes }: FormLimits,
): BusboyInstance {
  const type = req.headers['content-type'] ?? '';
  if (type.length > TYPE_MAX_LENGTH || !FORM_TYPE.test(type)) throw new FormProblem('malformed');
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        fields,
        fieldSize: fieldBytes,
        files,
        fileSize: fileBytes,
        parts: fields + files + 1,
        headerPairs: HEADER_PAIRS_MAX,
        headerSize: HEADER_MAX_BYTES,
      },
      fileHwm: FILE_WAITING_BYTES,
      isPartAFile: (_field, _type, name) => name !== undefined,
    });
  } catch {
    throw new FormProblem('malformed');
  }
}
