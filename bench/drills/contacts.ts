import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { judge } from '#bench/drills/judge.ts';
import { pool } from '#server/core/database/pools.ts';
import { chatClient } from '#test/clients/chat-client.ts';
import { until } from '#test/fixtures/until.ts';

/** Messages of contacts: accepted by a server, and refused for now. */
export type Sent = { accepted: string[]; refused: string[] };

type Running = { url: string; smtpPort: number };

/** Pause between two messages of a visitor, within the rate limits, in ms. */
const PAUSE_MS = 2_500;
let made = 0;

/**
 * Starts a visitor of the web chat for each token, and a mail server that delivers to a mailbox. Both send one message after the other. A
 * mail server tries again when its connection is refused, so only accepted mails count.
 * @param servers returns the running servers
 * @param retryMs time for which a visitor sends a refused message again
 */
export function startContacts(
  tokens: string[],
  mailbox: string,
  servers: () => Running[],
  { retryMs = 0 }: { retryMs?: number } = {},
) {
  const sent: Sent = { accepted: [], refused: [] };
  let isOver = false;
  const repeat = async (send: (mark: string, server: Running) => Promise<void>) => {
    while (!isOver) {
      made += 1;
      const running = servers();
      const server = running[made % running.length];
      if (server) await send(`contact-${made}.`, server);
      await sleep(PAUSE_MS);
    }
  };
  const chat =
    (token: string) =>
    async (mark: string, { url }: Running) => {
      const giveUpAt = performance.now() + retryMs;
      const message = { id: randomUUID(), content: mark };
      for (;;) {
        const status = await chatClient(url, { token })
          .write(message)
          .then(
            (response) => response.status,
            () => 0,
          );
        if (status >= 200 && status < 300) return void sent.accepted.push(mark);
        if (performance.now() >= giveUpAt) return void sent.refused.push(mark);
        await sleep(PAUSE_MS);
      }
    };
  const mail = async (mark: string, { smtpPort }: Running) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtpPort,
      secure: false,
      tls: { rejectUnauthorized: false },
    });
    const message = { from: 'ada@elsewhere.test', to: mailbox, subject: mark, text: mark };
    await transport.sendMail(message).then(
      () => sent.accepted.push(mark),
      () => undefined,
    );
    transport.close();
  };
  const all = Promise.all([...tokens.map((token) => repeat(chat(token))), repeat(mail)]);
  return {
    stop: async () => {
      isOver = true;
      await all;
      return sent;
    },
  };
}

/** Checks that each accepted message of a contact is in its conversation exactly once. */
export async function judgeContacts(workspaceId: string, { accepted, refused }: Sent): Promise<void> {
  const count = async () => {
    const { rows } = await pool().query<{ mark: string; number: number }>(
      `select substring(content from 'contact-[0-9]+\\.') as mark, count(*)::int as number from messages
       where workspace_id = $1 and content like 'contact-%' group by 1`,
      [workspaceId],
    );
    return new Map(rows.map(({ mark, number }) => [mark, number]));
  };
  let found = await count();
  await until(
    'all messages of contacts are received',
    async () => {
      found = await count();
      return accepted.every((mark) => found.has(mark));
    },
    90_000,
  ).catch(() => undefined);
  const lost = accepted.filter((mark) => !found.has(mark));
  judge(
    `${lost.length} of ${accepted.length} chat messages and mails lost`,
    lost.length === 0 && accepted.length > 0,
  );
  judge(`${refused.length} chat messages refused`, refused.length === 0);
  const twice = [...found].filter(([, number]) => number > 1);
  judge(`${twice.length} received twice`, twice.length === 0);
}
