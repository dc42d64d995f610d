import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { deleteWorkspace, removeWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { closeDatabase, db, inTransaction } from '#server/core/database/prisma.ts';
import { settings as currentSettings } from '#server/core/env.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { linkFiles } from '#server/inbox/files/link-files.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { discardFiles, type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as baseTest } from '#test/fixtures/s3-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// A tenth is reserved for small emails.
const test = baseTest.extend('settings', { scope: 'file' }, () => ({ FILES_QUOTA_MB: '5' }));

describe('a stored file', () => {
  test('that a message links is not removed', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId, { name: '../a.txt', content: 'Hello' });
    expect(file).toEqual({ id: expect.any(String), name: 'a.txt', contentType: 'text/plain', sizeBytes: 5 });
    const { messageId } = await receive(connection, [file]);
    await removeExpiredFiles();
    expect(await db().attachment.findMany({ where: { messageId } })).toMatchObject([{ id: file.id }]);
    expect(await textOf(file.id)).toBe('Hello');
  });

  test('that no message links is removed when it expires, not earlier', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId);
    await removeExpiredFiles();
    expect(await chunksOf(file.id)).toBe(1);
    await expire(file.id);
    expect(await removeExpiredFiles()).toBe(1);
    expect(await chunksOf(file.id)).toBe(0);
    expect(await db().storedFile.count({ where: { id: file.id } })).toBe(0);
  });

  test('is linked once: not by a second message, after it expired, or in another workspace', async ({
    connection,
  }) => {
    const refusal = { errors: { files: [GONE] } };
    const file = await storeBytes(connection.workspaceId);
    await receive(connection, [file]);
    await expect(receive(connection, [file])).rejects.toMatchObject(refusal);
    const expired = await storeBytes(connection.workspaceId);
    await expire(expired.id);
    await expect(receive(connection, [expired])).rejects.toMatchObject(refusal);
    const foreign = await storeBytes((await makeConnection()).workspaceId);
    await expect(receive(connection, [foreign])).rejects.toMatchObject(refusal);
    expect(await db().message.count({ where: { workspaceId: connection.workspaceId } })).toBe(1);
  });

  test('is linked by only one of two parallel messages', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId);
    const results = await Promise.allSettled([receive(connection, [file]), receive(connection, [file])]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await db().attachment.count({ where: { id: file.id } })).toBe(1);
  });

  test('is removed after its message was deleted', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId);
    const { conversationId } = await receive(connection, [file]);
    await db().conversation.delete({ where: { id: conversationId } });
    await expect(removeExpiredFiles()).resolves.toBeGreaterThan(0);
    expect(await chunksOf(file.id)).toBe(0);
  });

  test('is removed after its workspace was deleted', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId);
    const unlinked = await storeBytes(connection.workspaceId);
    await receive(connection, [file]);
    const { name } = await db().workspace.findUniqueOrThrow({ where: { id: connection.workspaceId } });
    await deleteWorkspace({ workspaceId: connection.workspaceId, name, by: connection.teammate });
    await removeWorkspace(connection.workspaceId);
    expect(await db().storedFile.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
    await removeExpiredFiles();
    expect([await chunksOf(file.id), await chunksOf(unlinked.id)]).toEqual([0, 0]);
  });

  test('that is discarded is removed by the next cleanup, unless it is linked', async ({ connection }) => {
    const [linked, discarded] = [
      await storeBytes(connection.workspaceId),
      await storeBytes(connection.workspaceId),
    ];
    await receive(connection, [linked]);
    await discardFiles([linked.id, discarded.id]);
    await removeExpiredFiles();
    expect([await chunksOf(linked.id), await chunksOf(discarded.id)]).toEqual([1, 0]);
  });

  test('leaves nothing when its source fails', async ({ connection }) => {
    async function* source() {
      yield Buffer.alloc(MB);
      throw new Error('gone');
    }
    const file = { name: 'a.bin', contentType: '', source: source() };
    await expect(storeFile(connection.workspaceId, file)).rejects.toThrow('gone');
    await removeExpiredFiles();
    expect(await db().storedFile.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });

  test('is not linked when the transaction of its message is rolled back', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId);
    const { messageId } = await receive(connection, []);
    const change = inTransaction(async (tx) => {
      await linkFiles(tx, { workspaceId: connection.workspaceId, messageId, files: [file], now: new Date() });
      throw new Error('undone');
    });
    await expect(change).rejects.toThrow('undone');
    await expire(file.id);
    await removeExpiredFiles();
    expect(await chunksOf(file.id)).toBe(0);
  });
});

describe('the quota of a workspace', () => {
  test('counts only the files of the workspace', async ({ connection }) => {
    await storeBytes(connection.workspaceId, { content: Buffer.alloc(MB) });
    await storeBytes((await makeConnection()).workspaceId, { content: Buffer.alloc(MB) });
    expect(await readFileUsage(db(), connection.workspaceId)).toEqual({ usedBytes: MB, quotaBytes: 5 * MB });
  });

  test('is not exceeded by files that finish in parallel', async ({ connection }) => {
    const content = Buffer.alloc(MB);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => storeBytes(connection.workspaceId, { content })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        errors: {
          files: ['This chat cannot accept more files right now. Send your message without files.'],
        },
      },
    });
    expect((await readFileUsage(db(), connection.workspaceId)).usedBytes).toBe(4 * MB);
    await removeExpiredFiles();
    expect(await db().storedFile.count({ where: { workspaceId: connection.workspaceId } })).toBe(4);
  });

  test('is asked before bytes are written, in steps for a large file', async ({ connection }) => {
    const { workspaceId } = connection;
    await storeBytes(workspaceId, { content: Buffer.alloc(4 * MB) });
    let written = 0;
    async function* source() {
      for (; written < 40; written += 1) {
        const usage = await readFileUsage(db(), workspaceId);
        const chunks = await db().$queryRaw<{ bytes: number }[]>`
          select coalesce(sum(length(c.content)), 0)::float8 as bytes
          from file_chunks c join stored_files f on f.id = c.file_id where f.workspace_id = ${workspaceId}::uuid`;
        expect(chunks[0]?.bytes).toBeLessThanOrEqual(usage.usedBytes);
        yield Buffer.alloc(64 * 1024);
      }
    }
    const file = { name: 'a.bin', contentType: '', source: source() };
    await expect(storeFile(workspaceId, file)).rejects.toThrow('cannot accept more files');
    expect(written).toBe(7);
    await removeExpiredFiles();
    expect((await readFileUsage(db(), workspaceId)).usedBytes).toBe(4 * MB);
  });

  test('has room again after files are removed', async ({ connection }) => {
    const file = await storeBytes(connection.workspaceId, { content: Buffer.alloc(4.5 * MB) });
    await expect(storeBytes(connection.workspaceId)).rejects.toThrow('cannot accept more files');
    await discardFiles([file.id]);
    await removeExpiredFiles();
    await storeBytes(connection.workspaceId);
  });
});

describe('with an S3-compatible store', () => {
  test('new files are stored in S3, older files stay readable in the database, and both are removed', async ({
    connection,
    s3,
  }) => {
    const [old, unlinkedOld] = [
      await storeBytes(connection.workspaceId),
      await storeBytes(connection.workspaceId),
    ];
    await restartWith({ S3_URL: s3.url });
    const content = Buffer.alloc(MB, 'x');
    const [file, unlinked] = [
      await storeBytes(connection.workspaceId, { content }),
      await storeBytes(connection.workspaceId),
    ];
    await receive(connection, [old, file]);
    expect([await chunksOf(file.id), await textOf(old.id)]).toEqual([0, 'Hello']);
    expect(await textOf(file.id)).toBe(content.toString());
    await discardFiles([unlinked.id, unlinkedOld.id]);
    await removeExpiredFiles();
    await expect(openFile(unlinked.id)).rejects.toThrow();
    expect(await textOf(file.id)).toHaveLength(MB);
  });

  test('that is unreachable, files in the database are removed, and files in S3 later', async ({
    connection,
    s3,
  }) => {
    await restartWith({});
    const inDatabase = await storeBytes(connection.workspaceId);
    await restartWith({ S3_URL: s3.url });
    const inS3 = await storeBytes(connection.workspaceId);
    await discardFiles([inDatabase.id, inS3.id]);
    await restartWith({ S3_URL: 'http://key:secret@127.0.0.1:1/nowhere' });
    await expect(removeExpiredFiles()).rejects.toThrow('could not be removed');
    expect(await chunksOf(inDatabase.id)).toBe(0);
    expect(await db().storedFile.count({ where: { id: inS3.id } })).toBe(1);
    // The store may have removed its content before it failed.
    await expect(receive(connection, [inS3])).rejects.toMatchObject({ errors: { files: [GONE] } });
    await restartWith({ S3_URL: s3.url });
    await removeExpiredFiles();
    expect(await db().storedFile.count({ where: { id: inS3.id } })).toBe(0);
  });
});

test('a file that does not exist cannot be opened', async () => {
  await expect(openFile(randomUUID())).rejects.toThrow();
});

const MB = 1_000_000;

const GONE = 'The files could not be saved. Send them again.';

const receive = ({ workspaceId }: { workspaceId: string }, attachments: StoredFile[], fields = {}) =>
  receiveMessage(...incoming(workspaceId, { attachments, ...fields }));

const chunksOf = (fileId: string) => db().fileChunk.count({ where: { fileId } });

const expire = (id: string) =>
  db().storedFile.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } });

async function textOf(id: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await openFile(id)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Simulates a restart with other settings, on the same database. */
async function restartWith(settings: Record<string, string>) {
  const { DATABASE_URL } = currentSettings();
  await closeDatabase();
  setTestSettings({ DATABASE_URL, FILES_QUOTA_MB: '4', ...settings });
}
