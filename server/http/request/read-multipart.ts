import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { throwAway, watchBodySpeed } from '#server/http/request/read-body.ts';

/** How much of a form is taken in; sizes in bytes. */
export type FormLimits = {
  fields: number;
  fieldBytes: number;
  files: number;
  fileBytes: number;
  filesBytes: number;
  /** All of it, with what is between its parts. */
  bodyBytes: number;
};

/** A file of a form as it comes: it must be read to its end. */
export type FormFile = {
  field: string;
  name: string;
  contentType: string;
  source: AsyncIterable<Uint8Array>;
};

/** Why a form cannot be read. Thrown, since it is found in the middle of one. */
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
/** A boundary has 70 characters at most (RFC 2046 §5.1.1). */
const TYPE_MAX_LENGTH = 200;
/** Of the headers of a part three say something, and of a long name only a little is kept. */
const HEADER_PAIRS_MAX = 10;
const HEADER_MAX_BYTES = 8 * 1024;
/** How much of each file waits until it is taken, in bytes. */
const FILE_WAITING_BYTES = 64 * 1024;
/** How long what has come may take to be stored, in milliseconds. */
const STORED_WITHIN_MS = 60_000;

/**
 * Reads a form (`multipart/form-data`, RFC 7578) as it comes: its texts, and its files by `takeFile`, which is given
 * one after the other and holds the sender up while it is busy. Whatever goes wrong, the rest of the body is taken in
 * and thrown away, so that the sender hears of it, and every `takeFile` has ended when this throws.
 * @throws FormProblem, RequestProblem when it comes too slowly, or what `takeFile` threw
 */
export async function readMultipart(
  req: IncomingMessage,
  limits: FormLimits,
  takeFile: (file: FormFile) => Promise<void>,
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
    // However the form was put together, it comes to an end.
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
      // One that no one reads any more has errors as well.
      source.on('error', () => undefined);
      source.once('limit', () => reject(new FormProblem('file_too_large')));
      const counted = passing(source, countFiles);
      // What comes after it waits: little of it has been read then.
      taken = taken.then(() =>
        takeFile({ field: field ?? '', name: name ?? '', contentType, source: counted }),
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
    for (const source of open) source.destroy(new Error('The form was given up.'));
    await Promise.allSettled([taken]);
    throw error;
  } finally {
    stopWatching();
    clearTimeout(patience);
    req.off('data', countBody).off('end', onEnd).off('close', onClose);
    req.unpipe(parser);
    if (!req.complete) void throwAway(req);
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
