import { type Attack, onSocket, request } from '#test/faults/attackers.ts';

const MEGABYTE = 1024 * 1024;
const PIECE = Buffer.alloc(MEGABYTE - 1, 'a');

/** Attacks on the pages: of a stranger, and of a viewer, whose cookie and workspace the target has. */
export const PAGE_ATTACKS: Record<string, Attack> = {
  'renders of /docs': (target) => request(target, '/docs'),
  'renders of /sign-in': (target) => request(target, '/sign-in'),
  'unfinished posts of 1 MB to a page': async ({ url, address, deadline }) => {
    await onSocket(url, deadline, (socket) => {
      socket.write(
        `POST /sign-in HTTP/1.1\r\nHost: ${url.host}\r\nX-Forwarded-For: ${address}\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
          `Content-Length: ${MEGABYTE}\r\n\r\n`,
      );
      socket.write(PIECE);
      socket.resume();
    });
  },
  'batches of ten searches by a viewer': async (target) => {
    const procedures = Array.from({ length: 10 }, () => 'inbox.list').join(',');
    const input = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [index, { json: { search: `order ${index}` } }]),
    );
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
    await request(target, `/api/screens/${procedures}?${query}`, {
      headers: { cookie: target.cookie ?? '', 'x-workspace-id': target.workspaceId ?? '' },
    });
  },
};
