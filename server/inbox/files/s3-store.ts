import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';

/** Minimum part size that S3 allows, in bytes. One part is sent while the next part is collected. */
const PART_BYTES = 5 * 1024 * 1024;
/** Timeouts in ms: to connect, and without any byte in either direction, also in the middle of a file. */
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
  const { client, bucket, prefix } = connect(address, idleMs);
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
        client,
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
      const { Body } = await client.send(new GetObjectCommand(objectOf(key)));
      if (!(Body instanceof Readable)) throw new Error(`There is no stored file ${key}.`);
      return Body;
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += REMOVE_BATCH) {
        const batch = keys.slice(from, from + REMOVE_BATCH);
        await Promise.all(batch.map((key) => client.send(new DeleteObjectCommand(objectOf(key)))));
      }
    },
  };
}

function connect(address: string, idleMs: number) {
  const url = new URL(address);
  const [bucket = '', ...folders] = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const client = new S3Client({
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
      // `requestTimeout` only writes a warning.
      socketTimeout: idleMs,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
  return { client, bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}
