import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'inbox-files';

/** An S3-compatible server on a port of 127.0.0.1, which checks every signature. */
export type S3Server = {
  /** The `S3_URL` of the server. */
  url: string;
  /** URL with a wrong secret. */
  urlOfStranger: string;
  /** Lists the keys of all objects in its bucket, and of unfinished uploads. */
  keys(): Promise<string[]>;
  /**
   * Holds the next request that completes a multipart upload until its client is gone.
   * @returns whether it has come
   */
  holdCompletion(): () => boolean;
  stop(): Promise<void>;
};

/** Starts a server with an empty bucket. Its folder is deleted when it stops. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    allowMismatchedSignatures: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  // Implements AbortMultipartUpload, which s3rver lacks: deletes the uploaded parts and responds with 204.
  server.middleware.unshift(async (call, next) => {
    const { uploadId } = call.query;
    if (call.method !== 'DELETE' || typeof uploadId !== 'string') return next();
    for (const path of await readdir(directory, { recursive: true })) {
      if (basename(path) === uploadId) await rm(join(directory, path), { recursive: true, force: true });
    }
    call.status = 204;
  });
  let held: { hasCome: boolean } | undefined;
  server.middleware.unshift(async (call, next) => {
    const completes = call.method === 'POST' && typeof call.query.uploadId === 'string';
    if (!completes || !held || held.hasCome) return next();
    held.hasCome = true;
    await once(call.res, 'close');
  });
  const { port }: AddressInfo = await server.run();
  const at = (secret: string) =>
    `http://S3RVER:${secret}@127.0.0.1:${port}/${BUCKET}/files?region=eu-central-1`;
  return {
    url: at('S3RVER'),
    urlOfStranger: at('guessed'),
    keys: async () => {
      const files = await readdir(join(directory, BUCKET), { recursive: true, withFileTypes: true });
      return files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
    holdCompletion: () => {
      const next = { hasCome: false };
      held = next;
      return () => next.hasCome;
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
