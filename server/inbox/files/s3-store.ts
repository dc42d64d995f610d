import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';

/** Minimum part size that S3 allows, in bytes. One part is sent while the next part is collected. */
const PART_BYTES = 5 * 1024 * 1024;
/**
 * Timeouts in ms: to connect, and without any byte of the store, also in the middle of a file. The client makes three attempts to open,
 * store or remove a file.
 */
const CONNECT_MS = 3_000;
const IDLE_MS = 30_000;
/** Number of files removed in parallel. */
const REMOVE_BATCH = 10;

/**
 * Returns a store that streams files to and from a bucket of an S3-compatible store. Files are removed one by one, as
 * not every store supports bulk deletion.
 * @param address `S3_URL`: `https://key:secret@host:port/bucket/prefix?region=eu-central-1`
 */
export function s3Store(address: string, { idleMs = IDLE_MS } = {}): FileStore {
  const { bucket, prefix, open } = parseAddress(address);
  // Not `socketTimeout`, which would also end the response to a slow reader. A request without a body is answered within this time.
  const reading = open({ requestTimeout: idleMs, throwOnRequestTimeout: true });
  // Not `requestTimeout`, which would also end a slow upload. Without the other option it only writes a warning.
  const writing = open({ socketTimeout: idleMs });
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    async write(key, source) {
      let sizeBytes = 0;
      let sourceFault: { error: unknown } | undefined;
      const counted = async function* () {
        try {
          for await (const piece of source) {
            sizeBytes += piece.length;
            yield piece;
          }
        } catch (error) {
          sourceFault = { error };
          throw error;
        }
      };
      const upload = new Upload({
        client: writing,
        params: { ...objectOf(key), Body: Readable.from(counted(), { objectMode: false }) },
        partSize: PART_BYTES,
        queueSize: 1,
        leavePartsOnError: false,
      });
      await upload.done().catch((error: unknown) => {
        // Aborting the parts can fail too; the error of the source is the cause.
        throw sourceFault ? sourceFault.error : error;
      });
      return { sizeBytes };
    },
    async read(key) {
      const { Body } = await reading.send(new GetObjectCommand(objectOf(key)));
      if (!(Body instanceof Readable && 'socket' in Body)) throw new Error(`There is no stored file ${key}.`);
      failWhenSilent(Body, idleMs);
      return Body;
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += REMOVE_BATCH) {
        const batch = keys.slice(from, from + REMOVE_BATCH);
        await Promise.all(batch.map((key) => writing.send(new DeleteObjectCommand(objectOf(key)))));
      }
    },
  };
}

/** A file on its way. */
type Download = Extract<GetObjectCommandOutput['Body'], { complete: boolean }>;

/** Destroys a response if its reader waits and no byte arrives between two checks. */
function failWhenSilent(response: Download, idleMs: number): void {
  // After its end, a response has no socket any more.
  const { socket } = response;
  /** Received bytes at the check before, if the reader waited for more. */
  let before: number | undefined;
  const timer = setInterval(() => {
    const { bytesRead } = socket;
    const isReadersTurn = response.readableLength > 0 || response.complete;
    if (!isReadersTurn && bytesRead === before)
      response.destroy(new Error('The store timed out in the middle of a file.'));
    before = isReadersTurn ? undefined : bytesRead;
  }, idleMs);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}

type Timeouts = { requestTimeout: number; throwOnRequestTimeout: true } | { socketTimeout: number };

/** Returns the bucket, the prefix of its keys, and a function that creates a client. */
function parseAddress(address: string) {
  const url = new URL(address);
  const [bucket = '', ...folders] = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const open = (timeouts: Timeouts) =>
    new S3Client({
      endpoint: url.origin,
      region: url.searchParams.get('region') ?? 'us-east-1',
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
      // Path style works with every compatible store, and the bucket name needs no DNS entry or certificate.
      forcePathStyle: true,
      // Other S3-compatible stores reject the SDK's default checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        ...timeouts,
        httpAgent: { maxSockets: 200 },
        httpsAgent: { maxSockets: 200 },
      },
    });
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join(''), open };
}
