import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readMail, UNREADABLE_NOTE } from '#server/inbox/incoming-mail/read-mail.ts';
import { MailProcessDied, runMailTask } from '#server/inbox/mail-parser/mail-task.ts';
import { HOSTILE_MAILS, mail, nested } from '#test/fixtures/hostile-mails.ts';
import { millisecondsOf } from '#test/fixtures/processor-time.ts';
import { makeMailTask, readRawMail } from '#test/fixtures/read-raw-mail.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

/** Upper bound on the worker's processor time for one mail, in ms. The worker's other jobs wait for that time. */
const WORKER_MS = 3_000;
/** Upper bound on the memory that one mail adds to the worker, in bytes. */
const WORKER_BYTES = 200_000_000;

test.each(Object.entries(HOSTILE_MAILS))(
  'an attacker’s mail with %s is read within the limits of time and memory',
  async (_what, make) => {
    const raw = make();
    const [processor, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
    const parsed = await readRawMail(raw, 'mallory@evil.test');
    expect(millisecondsOf(process.cpuUsage(processor))).toBeLessThan(WORKER_MS);
    expect(parsed.from?.address).toMatch(/@evil\.test$/);
    expect(parsed.text.length).toBeLessThan(500_000);
    expect(parsed.files.length).toBeLessThanOrEqual(100);
    expect(parsed.to.length).toBeLessThanOrEqual(100);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(WORKER_BYTES);
  },
);

test('mails of 2.1 MB with as many lines as are parsed need at most 300 MB', async () => {
  // One process for all, with a parser process's heap.
  const program = String.raw`
    import { checkMailShape } from '#server/inbox/mail-parser/check-mail-shape.ts';
    import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';
    const kinds = [
      ['text/plain; format=flowed', '> word word word wo \r\n'],
      ['text/html', '<p>Hello <b>you</b></p>'],
      ['text/calendar', 'ATTENDEE:mailto:ada@acme.example\r\n'],
    ];
    for (const [type, unit] of kinds) {
      const body = unit.repeat(2_100_000 / unit.length);
      const raw = Buffer.from('From: m@evil.test\r\nContent-Type: ' + type + '\r\n\r\n' + body);
      if (checkMailShape(raw) !== null) throw new Error(type + ' is not parsed.');
      await parseMail(raw, undefined);
    }
    console.log(process.resourceUsage().maxRSS * 1024);`;
  const heap = ['--max-old-space-size=256', '--max-semi-space-size=4'];
  const args = [...heap, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(Number(stdout)).toBeLessThan(300 * 1024 * 1024);
});

test('a mail that cannot be parsed falls back to headers and a note, and the next mail is read', async () => {
  const parsed = await readRawMail(mail(nested(5_000), '=?utf-8?Q?Gr=C3=BC=C3=9Fe?='));
  expect(parsed).toMatchObject({
    from: { name: 'Mallory', address: 'mallory@evil.test' },
    subject: 'Grüße',
    messageId: '<m@evil.test>',
    text: expect.stringContaining(UNREADABLE_NOTE),
  });
  expect(await readRawMail(mail('\r\nHi'))).toMatchObject({ text: 'Hi', subject: 'Hello' });
});

test('a mail that needs too much memory ends its parser process, and the next mail is read', async () => {
  // A parser needs more than a kilobyte per line, and a large mail may have this many lines.
  const raw = mail(`\r\n${`${'Buy! '.repeat(8)}\r\n`.repeat(1_000_000)}`);
  const ended = { kind: 'unparsed', reason: 'took_too_much_memory' };
  expect(await runMailTask(makeMailTask(raw))).toMatchObject(ended);
  expect(await readRawMail(mail('\r\nHi'))).toMatchObject({ text: 'Hi' });
});

test('a mail whose parser process is killed is retried, and falls back to plain text at the third attempt', async () => {
  const task = makeMailTask(mail('\r\nHi'));
  const { open } = task.source;
  task.source.open = async () => {
    await killChildren();
    return open();
  };
  await expect(readMail(task)).rejects.toThrow(MailProcessDied);
  await expect(readMail(task, 1)).rejects.toThrow(MailProcessDied);
  expect(await readMail(task, 2)).toMatchObject({
    authentication: 'failed',
    mail: { subject: 'Hello', text: `${UNREADABLE_NOTE}\n\nHi` },
  });
});

/** Kills the child processes of this process, as the kernel does when memory runs out. */
async function killChildren(): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
  for (const line of stdout.split('\n')) {
    const [pid, parent, command] = line.trim().split(/\s+/);
    if (Number(parent) === process.pid && command !== 'ps') process.kill(Number(pid), 'SIGKILL');
  }
}

test('an attacker’s HTML runs no script and loads no remote image', async () => {
  const html = `<html><head><style>@import "https://evil.test/x";</style><meta http-equiv=refresh content="0;url=https://evil.test"></head>
    <body onload="alert(1)" background="https://evil.test/b.png"><script>alert(1)</script><p style="background:url(https://evil.test/c);color:red">Hi</p>
    <img src="https://evil.test/pixel.gif" onerror="alert(1)"><img src="cid:logo"><img srcset="https://evil.test/2 2x"><svg><script>alert(1)</script></svg>
    <a href="javascript:alert(1)">a</a><a href="https://ok.test/">b</a><form action="https://evil.test"><input name=p></form><iframe src="https://evil.test"></iframe>
    <object data="https://evil.test"></object><link rel=stylesheet href="https://evil.test/s.css"><base href="https://evil.test"><video src="https://evil.test/v"></video></body></html>`;
  const parsed = await readRawMail(mail(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`));
  expect(parsed.html).toContain('data-remote="https://evil.test/pixel.gif"');
  expect(parsed.html).toContain('src="cid:logo"');
  expect(parsed.html).toContain('href="https://ok.test/"');
  const rest = (parsed.html ?? '').replace('data-remote="https://evil.test/pixel.gif"', '');
  expect(rest).not.toMatch(
    /evil\.test|script|onload|onerror|<form|<input|<iframe|<object|<link|<base|<meta|<svg|<style|srcset/i,
  );
  expect(parsed.text).toContain('Hi');
  expect(parsed.text).not.toContain('alert');
});

test('an attacker cannot inject a header with an encoded line break', async () => {
  const raw = mail('\r\nHi', '=?utf-8?Q?a=0D=0ABcc:_victim@example.com?=');
  const parsed = await readRawMail(raw);
  expect(parsed.to.map(({ address }) => address)).toEqual(['support@inbox.test']);
  const named = Buffer.from('From: "=?utf-8?Q?a=0D=0AX-Evil:_1?=" <a@b.test>\r\n\r\nHi');
  expect((await readRawMail(named)).from?.name).not.toMatch(/[\r\n]/);
});
