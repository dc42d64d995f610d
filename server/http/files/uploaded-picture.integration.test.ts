import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { uploadPath } from '#server/screens/inbox/upload-path.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import { PICTURE_BYTES, storeBytes, uploadPicture } from '#test/fixtures/stored-files.ts';
import { makeTeammates, sessionCookie } from '#test/fixtures/teammates.ts';

/** A picture that a teammate uploaded, and a function that loads a path with some headers, by default those of the agent. */
const test = screensTest
  .extend('picture', ({ workspaceId }) => uploadPicture(workspaceId, 'Größe &c.gif'))
  .extend('read', async ({ service, teammates }) => {
    const cookie = await sessionCookie(teammates.agent.id);
    return async (path: string, headers: Record<string, string> = { cookie }) => {
      const response = await fetch(`${service.url}${path}`, { headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    };
  });

const NOT_FOUND = { status: 404, body: '{"message":"The file was not found."}' };

describe('a picture that is not sent yet', () => {
  test('is shown to the teammates of its workspace, and cannot run or be stored by others', async ({
    picture,
    read,
    teammates,
  }) => {
    const { status, headers, body } = await read(uploadPath(picture));
    expect({ status, body }).toEqual({ status: 200, body: PICTURE_BYTES });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/gif',
      'content-disposition': expect.stringMatching(/^inline; filename="Gr__e _c\.gif"/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'private, max-age=300',
    });
    const viewer = { cookie: await sessionCookie(teammates.viewer.id) };
    expect(await read(uploadPath(picture), viewer)).toMatchObject({ status: 200 });
  });

  test('is not shown to an anonymous caller or an attacker of another workspace', async ({
    picture,
    read,
  }) => {
    const elsewhere = await makeTeammates();
    expect(await read(uploadPath(picture), {})).toMatchObject({ status: 401 });
    const attacker = { cookie: await sessionCookie(elsewhere.owner.id) };
    expect(await read(uploadPath(picture), attacker)).toMatchObject(NOT_FOUND);
    const forged = signUploaded(elsewhere.workspaceId, picture);
    expect(await read(uploadPath(forged), attacker)).toMatchObject(NOT_FOUND);
  });

  test('is not found with a changed field', async ({ picture, read }) => {
    for (const change of [
      { id: randomUUID() },
      { id: 'x' },
      { name: 'other.gif' },
      { contentType: 'image/png' },
      { sizeBytes: 1 },
      { signature: 'AAAA' },
      { signature: '' },
    ]) {
      const path = uploadPath({ ...picture, ...change });
      expect(await read(path), JSON.stringify(change)).toMatchObject(NOT_FOUND);
    }
    expect(await read(`/uploads/${picture.id}`)).toMatchObject(NOT_FOUND);
  });

  test('is not found once it has expired, and other types never are', async ({
    picture,
    read,
    workspaceId,
  }) => {
    const text = signUploaded(workspaceId, await storeBytes(workspaceId));
    expect(await read(uploadPath(text))).toMatchObject(NOT_FOUND);
    await db().storedFile.update({
      where: { id: picture.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    expect(await read(uploadPath(picture))).toMatchObject(NOT_FOUND);
  });
});
