import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStore } from '#server/inbox/files/file-store-type.ts';

/** What the API allows at least for a part, in bytes: one is sent while the next one is collected. */
const PART_BYTES = 5 * 1024 * 1024;
/** How long connecting may take, and how long the store may say nothing, in milliseconds. */
const CONNECT_MS = 3_000;
const SILENT_MS = 20_000;
/** So many files are removed at once. */
const REMOVED_AT_ONCE = 10;

/**
 * Keeps files in a bucket of an S3-compatible store, streamed both ways. Removes them one by one, as not every store
 * knows how to remove many.
 * @param address `S3_URL`: `https://key:secret@host:port/bucket/prefix?region=eu-central-1`
 */
export function s3Store(address: string): FileStore {
  const { client, bucket, prefix } = connect(address);
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    async write(key, source) {
      let sizeBytes = 0;
      let brokenOff: { error: unknown } | undefined;
      const counted = async function* () {
        try {
          for await (const piece of source) {
            sizeBytes += piece.length;
            yield piece;
          }
        } catch (error) {
          brokenOff = { error };
          throw error;
        }
      };
      const upload = new Upload({
        client,
        params: { ...objectOf(key), Body: Readable.from(counted(), { objectMode: false }) },
        partSize: PART_BYTES,
        queueSize: 1,
        // An upload that fails leaves no parts behind.
        leavePartsOnError: false,
      });
      await upload.done().catch((error: unknown) => {
        // Its parts may fail to go as well; that is not why.
        throw brokenOff ? brokenOff.error : error;
      });
      return { sizeBytes };
    },
    async read(key) {
      const { Body } = await client.send(new GetObjectCommand(objectOf(key)));
      if (!(Body instanceof Readable)) throw new Error(`There is no stored file ${key}.`);
      return Body;
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
        const batch = keys.slice(from, from + REMOVED_AT_ONCE);
        await Promise.all(batch.map((key) => client.send(new DeleteObjectCommand(objectOf(key)))));
      }
    },
  };
}

function connect(address: string) {
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
    // The bucket is in the path: every compatible store understands that, and a name needs no certificate.
    forcePathStyle: true,
    // Stores other than the first know no checksums but those that a call cannot do without.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENT_MS,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
  return { client, bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}
