import { describe, expect } from 'vitest';
import { continueExport } from '#server/administration/export/continue-export.ts';
import { endExports } from '#server/administration/export/end-exports.ts';
import { getExport, requestExport } from '#server/administration/export/request-export.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { readZip } from '#test/clients/read-zip.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';

const SECRET = 'zq-secret';

const test = mailTest
  .extend('request', ({ teammates: { workspaceId, owner } }) => {
    return async ({ by = owner, password = PASSWORD } = {}) => {
      await requestExport({ workspaceId, by, sessionId: crypto.randomUUID(), password });
      const newest = { where: { workspaceId }, orderBy: { requestedAt: 'desc' } } as const;
      return (await db().workspaceExport.findFirstOrThrow(newest)).id;
    };
  })
  .extend('write', ({ teammates: { workspaceId } }) => async (exportId: string, archiveBytes: number) => {
    for (let runs = 1; runs < 200; runs += 1) {
      // Two workers at the same time.
      await Promise.all([
        continueExport(exportId, { archiveBytes }),
        continueExport(exportId, { archiveBytes }),
      ]);
      const view = await getExport(db(), workspaceId);
      if (view?.state !== 'running') return runs;
    }
    throw new Error('The export does not end.');
  })
  .extend('download', ({ service, teammates: { owner } }) => {
    return async (id: string, { by = owner, site = 'same-origin' } = {}) => {
      const headers = { cookie: await sessionCookie(by.id), 'sec-fetch-site': site };
      return fetch(`${service.url}/workspace-exports/${id}`, { headers });
    };
  })
  .extend('archives', ({ teammates: { workspaceId } }) => async () => {
    return (await getExport(db(), workspaceId))?.archives ?? [];
  });

describe('an export of a workspace', () => {
  test('has each row, file and original mail once, in archives of bounded size, and no secret', async ({
    teammates: { workspaceId, owner },
    inbox,
    request,
    write,
    download,
    archives,
  }) => {
    const { conversationId, id: messageId } = await inbox.first();
    const { id: fileId } = await storeBytes(workspaceId, { content: 'An invoice' });
    const file = { id: fileId, fileId, name: 'invoice.txt', contentType: 'text/plain', sizeBytes: 10 };
    await db().attachment.create({ data: { ...file, workspaceId, messageId } });
    const note = { workspaceId, conversationId, authorKind: 'teammate' } as const;
    await db().note.createMany({
      data: Array.from({ length: 450 }, (_, n) => ({ ...note, content: `Note ${n}` })),
    });
    await db().reaction.createMany({
      data: ['👍', '👎', '🎉'].map((emoji) => ({ workspaceId, messageId, author: 'ada', emoji })),
    });
    const secret = Buffer.from(SECRET);
    await db().channelAccount.create({
      data: { workspaceId, channel: 'telegram', externalId: 'bot', name: 'Bot', credentials: secret },
    });
    await db().apiToken.create({
      data: {
        workspaceId,
        label: 'Sync',
        abilities: ['full_access'],
        tokenHash: Buffer.alloc(32, SECRET),
        lastFour: 'abcd',
        createdByName: owner.name,
      },
    });
    await db().emailDomain.create({
      data: { workspaceId, domain: 'acme.test', verificationToken: SECRET },
    });
    await db().savedReply.create({
      data: { workspaceId, ownerId: owner.id, createdByName: owner.name, name: SECRET, content: SECRET },
    });
    const draftFile = await storeBytes(workspaceId, { name: 'offer.txt', content: 'An offer' });
    const expired = { ...draftFile, id: crypto.randomUUID() };
    const attachments = [draftFile, expired];
    await db().replyDraft.create({
      data: { workspaceId, conversationId, version: 1, isEmpty: false, content: 'A draft', attachments },
    });
    const id = await request();
    expect(await write(id, 20_000)).toBeGreaterThan(2);
    const found = await archives();
    expect(found.map(({ number }) => number)).toEqual(found.map((_, at) => at + 1));
    const lines = new Map<string, unknown[]>();
    const files = new Map<string, string>();
    for (const archive of found) {
      const response = await download(archive.id);
      expect(response.status).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBe(archive.sizeBytes);
      for (const [path, content] of readZip(bytes)) {
        expect(content.toString()).not.toContain(SECRET);
        expect(content.toString('latin1')).not.toContain(secret.toString('hex'));
        if (!path.endsWith('.jsonl')) files.set(path, content.toString());
        else {
          const rows = content
            .toString()
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line));
          lines.set(path, [...(lines.get(path) ?? []), ...rows]);
        }
      }
    }
    expect(lines.get('messages.jsonl')).toMatchObject([{ id: messageId, author_address: 'ada@acme.test' }]);
    expect(lines.get('contacts.jsonl')).toMatchObject([{ email: 'ada@acme.test' }]);
    const notes = lines.get('notes.jsonl') as { id: string; content: string }[];
    expect(new Set(notes.map(({ content }) => content)).size).toBe(450);
    expect(notes).toHaveLength(450);
    expect(lines.get('reactions.jsonl')).toHaveLength(3);
    expect(lines.get('users.jsonl')).toHaveLength(4);
    expect(lines.get('saved_replies.jsonl') ?? []).toEqual([]);
    expect(files.get(`files/${fileId} invoice.txt`)).toBe('An invoice');
    expect(files.get(`unsent-files/${draftFile.id} offer.txt`)).toBe('An offer');
    expect(files.get(`mails/${messageId}.eml`)).toContain('From: Ada Lovelace <ada@acme.test>');
    const view = await getExport(db(), workspaceId);
    expect(view).toMatchObject({ state: 'ready', files: 3, requestedByName: owner.name });
    const downloads = { workspaceId, kind: 'workspace_export_downloaded' };
    expect(await db().auditEntry.count({ where: downloads })).toBe(found.length);
  });

  test('continues after a crash with the archive that was not finished, and removes the broken one', async ({
    teammates: { workspaceId },
    inbox,
    request,
    write,
    archives,
  }) => {
    await inbox.first();
    const id = await request();
    await continueExport(id, { archiveBytes: 500 });
    const [first] = await db().workspaceExportArchive.findMany({ where: { exportId: id } });
    const broken = await db().storedFile.create({
      data: { store: 'database', expiresAt: new Date(0) },
    });
    await write(id, 500);
    expect((await archives())[0]?.id).toBe(first?.id);
    await removeExpiredFiles();
    expect(await db().storedFile.count({ where: { id: broken.id } })).toBe(0);
    const stored = await db().storedFile.count({ where: { exportArchive: { exportId: id } } });
    expect(stored).toBe((await archives()).length);
    expect(await db().workspaceExport.count({ where: { workspaceId } })).toBe(1);
  });

  test('continues in the table where it stopped after an update that changed the number of tables', async ({
    inbox,
    teammates: { workspaceId },
    request,
    write,
    download,
    archives,
  }) => {
    const { conversationId } = await inbox.first();
    const note = { workspaceId, conversationId, authorKind: 'teammate' } as const;
    await db().note.createMany({
      data: Array.from({ length: 450 }, (_, n) => ({ ...note, content: `Note ${n}` })),
    });
    const id = await request();
    const cursorOf = async () =>
      (await db().workspaceExport.findUniqueOrThrow({ where: { id } })).cursor as {
        step: number;
        name: string;
      };
    for (let runs = 0; runs < 100; runs += 1) {
      await continueExport(id, { archiveBytes: 1_000 });
      if ((await cursorOf()).name === 'notes') break;
    }
    const cursor = await cursorOf();
    await db().workspaceExport.update({
      where: { id },
      data: { cursor: { ...cursor, step: cursor.step + 3 } },
    });
    await write(id, 1_000_000);
    const contents: string[] = [];
    for (const archive of await archives()) {
      const files = readZip(Buffer.from(await (await download(archive.id)).arrayBuffer()));
      contents.push(...(files.get('notes.jsonl')?.toString().split('\n').filter(Boolean) ?? []));
    }
    expect(contents).toHaveLength(450);
    expect(new Set(contents).size).toBe(450);
  });

  test('is given up after a day without progress, and another one can start', async ({
    request,
    write,
    archives,
  }) => {
    const id = await request();
    await continueExport(id, { archiveBytes: 100 });
    const where = { id };
    await db().workspaceExport.update({ where, data: { progressedAt: new Date(Date.now() - 86_500_000) } });
    await endExports();
    await continueExport(id);
    expect((await db().workspaceExport.findUniqueOrThrow({ where })).failedAt).not.toBeNull();
    await removeExpiredFiles();
    expect(await db().workspaceExportArchive.count({ where: { exportId: id } })).toBe(0);
    await write(await request(), 1_000_000);
    expect(await archives()).toHaveLength(1);
  });
});

describe('who is not an owner of the workspace', () => {
  test('an admin, a downgraded owner, an owner of another workspace and another site cannot download it', async ({
    teammates: { workspaceId, owner, admin },
    request,
    write,
    download,
    archives,
  }) => {
    await write(await request(), 1_000_000);
    const [archive] = await archives();
    const id = archive?.id ?? '';
    const other = await makeTeammates();
    const statuses = await Promise.all([
      download(id, { by: admin }),
      download(id, { by: other.owner }),
      download(id, { site: 'cross-site' }),
      download(crypto.randomUUID()),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 404, 403, 404]);
    expect((await download(id)).status).toBe(200);
    const membership = { workspaceId_userId: { workspaceId, userId: owner.id } };
    await db().member.update({ where: membership, data: { role: 'admin' } });
    expect((await download(id)).status).toBe(403);
    await db().member.update({ where: membership, data: { role: 'owner' } });
    await db().workspaceExport.updateMany({
      where: { workspaceId },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    expect((await download(id)).status).toBe(404);
    expect((await getExport(db(), workspaceId))?.state).toBe('expired');
  });

  test('cannot request it, nor an owner with a wrong password, a second one at the same time, or a fourth a day', async ({
    teammates: { workspaceId, admin },
    request,
    write,
  }) => {
    await expect(request({ by: admin })).rejects.toThrow('Only an owner');
    await expect(request({ password: 'wrong' })).rejects.toThrow('password');
    const outcomes = await Promise.allSettled([request(), request()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [first] = await db().workspaceExport.findMany({ where: { workspaceId } });
    await write(first?.id ?? '', 1_000_000);
    for (let more = 0; more < 2; more += 1) await write(await request(), 1_000_000);
    await expect(request()).rejects.toThrow('3 times a day');
  });
});
