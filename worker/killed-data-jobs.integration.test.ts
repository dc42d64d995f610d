import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { getExport, requestExport } from '#server/administration/export/request-export.ts';
import { requestErasure } from '#server/administration/privacy/request-erasure.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { openFile } from '#server/inbox/files/file-store.ts';
import { readZip } from '#test/clients/read-zip.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { rowsWithText } from '#test/database/rows-with-text.ts';
import { holdRow, test } from '#test/fixtures/data-jobs-test.ts';
import { until } from '#test/fixtures/until.ts';

const MEGABYTE = 1024 * 1024;
/** More than two parts of an upload to S3. */
const FILES = 14;
const KILLS = 2;

test('an export whose workers are killed while they upload has each row and file once, and its unfinished archives go', async ({
  teammates: { workspaceId, owner },
  s3,
  startWorker,
  write,
}) => {
  const { files } = await write('Wren', { messages: FILES, fileBytes: MEGABYTE });
  await requestExport({ workspaceId, by: owner, sessionId: crypto.randomUUID(), password: PASSWORD });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const isUploaded = s3.holdCompletion();
    const worker = await startWorker();
    await until('the parts of an archive are uploaded', isUploaded);
    await worker.kill();
    expect(await getExport(db(), workspaceId)).toMatchObject({ state: 'running', archives: [] });
  }
  await startWorker();
  const found = await until('the export is ready', async () => {
    const view = await getExport(db(), workspaceId);
    return view?.state === 'ready' ? view : undefined;
  });
  expect(found.archives).toHaveLength(1);
  const [{ id } = { id: '' }] = found.archives;
  const entries = readZip(await buffer(await openFile(id)));
  const exported = [...entries].filter(([path]) => path.startsWith('files/'));
  expect(
    new Map(exported.map(([path, bytes]) => [path.slice('files/'.length).split(' ')[0], bytes])),
  ).toEqual(files);
  const lines = (entries.get('messages.jsonl') ?? Buffer.of()).toString().trim().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).content)).size).toBe(FILES);
  expect(lines).toHaveLength(FILES);

  // The archives of the killed workers expire after six hours.
  const unfinished = await db().storedFile.updateManyAndReturn({
    where: { sizeBytes: null, expiresAt: { not: null } },
    data: { expiresAt: new Date(0) },
  });
  expect(unfinished).toHaveLength(KILLS);
  await cleanUp();
  await until('they are removed', async () => {
    return (await db().storedFile.count({ where: { id: { in: unfinished.map((file) => file.id) } } })) === 0;
  });
  const left = await db().storedFile.findMany({ select: { id: true } });
  expect(new Set(left.map((file) => file.id))).toEqual(new Set([...files.keys(), id]));
});

test('an erasure whose workers are killed at each kind of row is finished by the next one, counts once and leaves no file', async ({
  teammates: { workspaceId, owner },
  s3,
  startWorker,
  write,
}) => {
  const other = await write('Robin', { messages: 2, fileBytes: 1_000 });
  const { contactId, conversationId, files } = await write('Magpie', { messages: 30, fileBytes: 1_000 });
  await requestErasure({ workspaceId, contactId, typed: 'Magpie Lark', by: owner });
  const [fileId] = files.keys();
  const file = { row: 'file_id = $1', values: [fileId] };
  await db().contactErasure.update({ where: { contactId }, data: { dueAt: new Date() } });
  // PostgreSQL finishes the statement of a killed worker, unless its session ends, too.
  for (const { table, row, values, isFinished } of [
    { table: 'conversations', row: 'id = $1', values: [conversationId], isFinished: false },
    { table: 'attachments', ...file, isFinished: false },
    { table: 'attachments', ...file, isFinished: true },
    { table: 'messages', row: 'content = $1', values: ['Magpie wrote 29'], isFinished: false },
  ]) {
    await using held = await holdRow(table, row, values);
    const worker = await startWorker();
    await cleanUp();
    await held.isWaitedFor();
    await worker.kill();
    if (!isFinished) await held.endWaiting();
  }
  await startWorker();
  await cleanUp();
  await until(
    'the contact is erased',
    async () => (await db().contactErasure.count({ where: { workspaceId } })) === 0,
  );
  const receipt = await db().auditEntry.findFirstOrThrow({ where: { workspaceId, kind: 'contact_erased' } });
  expect(receipt.data).toMatchObject({ conversations: '1', messages: '30', files: '30' });
  expect(await db().auditEntry.count({ where: { workspaceId, kind: 'contact_erased' } })).toBe(1);
  expect(await rowsWithText('magpie')).toEqual([]);
  await until('its files are removed', async () => {
    return (await db().storedFile.count({ where: { id: { in: [...files.keys()] } } })) === 0;
  });
  const keys = (await s3.keys()).join();
  expect([...files.keys()].filter((id) => keys.includes(id))).toEqual([]);
  expect([...other.files.keys()].filter((id) => keys.includes(id))).toHaveLength(other.files.size);
});

/** Queues the cleanup that otherwise runs each minute. */
async function cleanUp(): Promise<void> {
  await pool().query(`select graphile_worker.add_job('clean-up', queue_name => 'clean-up')`);
}
