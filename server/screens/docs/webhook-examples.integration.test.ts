import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { findFreePort } from '#scripts/tools/ports.ts';
import { projectPath } from '#server/core/project.ts';
import { WEBHOOK_EXAMPLES } from '#server/screens/docs/webhook-examples.ts';
import { until } from '#test/fixtures/until.ts';
import { test as webhookTest } from '#test/fixtures/webhook-test.ts';
import { findExampleProgram } from '#test/servers/example-programs.ts';
import type { Received } from '#test/servers/receiver.ts';

type Language = keyof typeof WEBHOOK_EXAMPLES;

type Example = {
  language: Language;
  program: string | undefined;
  /** Its file, and arguments of the program. The example is part of the text, as the page shows it. */
  file: string;
  args: (file: string, port: number) => string[];
  text: (example: string) => string;
};

const EXAMPLES: Example[] = [
  {
    language: 'javascript',
    program: process.execPath,
    file: 'receive.mjs',
    args: (file) => [file],
    text: (example) => `${example}\nfunction store(event) { console.log('stored ' + event.id); }`,
  },
  {
    language: 'python',
    program: await findExampleProgram('python'),
    file: 'receive.py',
    args: (file) => ['-u', file],
    text: (example) => `${example}

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(body, self.headers)
        if genuine:
            print("stored " + json.loads(body)["id"])
        self.send_response(204 if genuine else 400)
        self.end_headers()

HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()`,
  },
  {
    language: 'go',
    program: await findExampleProgram('go'),
    file: 'receive.go',
    args: (file) => ['run', file],
    text: (example) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${example}

func store(body []byte) {
	var event struct{ Id string }
	json.Unmarshal(body, &event)
	fmt.Println("stored " + event.Id)
}

func main() {
	http.HandleFunc("/", receive)
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}`,
  },
  {
    language: 'php',
    program: await findExampleProgram('php'),
    file: 'receive.php',
    args: (file, port) => ['-S', `127.0.0.1:${port}`, file],
    text: (example) => `<?php
function store($event) { error_log('stored ' . $event['id']); }
${example}`,
  },
];

/** `start` runs an example. Returns a function that sends it a request, and its output. */
const test = webhookTest.extend('start', ({ service: _ }, { onCleanup }) => {
  let end = async () => {};
  onCleanup(() => end());
  return async ({ file, args, text, program = '' }: Example, example: string, secret: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'example-'));
    await symlink(projectPath('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, file), text(example));
    const port = await findFreePort();
    const settings = [`WEBHOOK_SECRET=${secret}`, `PORT=${port}`, `GOCACHE=${join(folder, 'cache')}`];
    // In its own group: `go run` starts the program that it has built.
    const command = [...settings, program, ...args(join(folder, file), port)];
    const child = spawn('env', command, { cwd: folder, detached: true });
    end = async () => {
      await endGroup(child);
      await rm(folder, { recursive: true });
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
      });
    const send = async (headers: Record<string, string>, body: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    await until(`the example listens: ${output}`, async () => {
      if (child.exitCode !== null) throw new Error(`The example has ended:\n${output}`);
      return send({}, '{}').catch(() => undefined);
    });
    return { send, output: () => output };
  };
});

for (const example of EXAMPLES) {
  const { title, text } = WEBHOOK_EXAMPLES[example.language];
  test.skipIf(example.program === undefined)(
    `the example in ${title} accepts what the service sends, and nothing that an attacker sends`,
    async ({ makeWebhook, note, received, start }) => {
      const { secret } = await makeWebhook();
      await note('Übergabe an Zoë');
      const [request] = await received(1);
      const genuine = headersOf(request);
      const { send, output } = await start(example, text, secret);
      expect(await send(genuine, request.body)).toBe(204);
      const { id } = JSON.parse(request.body);
      await until('the event is stored', async () => output().includes(`stored ${id}`));

      const sign = (at: number, key: string) => new Webhook(key).sign(id, new Date(at), request.body);
      const signed = (at: number, key = secret) => ({
        ...genuine,
        'webhook-timestamp': String(Math.floor(at / 1_000)),
        'webhook-signature': sign(at, key),
      });
      const other = `whsec_${Buffer.from('the key of another webhook').toString('base64')}`;
      const now = Date.now();
      const rotated = `${sign(now, other)} ${sign(now, secret)}`;
      expect(await send({ ...signed(now), 'webhook-signature': rotated }, request.body)).toBe(204);

      const attacks: [string, Record<string, string>, string][] = [
        ['another body', genuine, request.body.replace('Zoë', 'Eve')],
        ['another id', { ...genuine, 'webhook-id': 'other' }, request.body],
        ['the key of another webhook', signed(now, other), request.body],
        ['a request of an hour ago', signed(now - 3_600_000), request.body],
        ['a request of in an hour', signed(now + 3_600_000), request.body],
        ['no number as the timestamp', { ...genuine, 'webhook-timestamp': 'soon' }, request.body],
        ['an empty signature', { ...genuine, 'webhook-signature': '' }, request.body],
        ['no headers', {}, request.body],
      ];
      for (const [attack, headers, body] of attacks) expect(await send(headers, body), attack).toBe(400);
    },
  );
}

/** Returns the headers of a request that belong to the webhook. */
function headersOf({ headers }: Received): Record<string, string> {
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'exit');
}
