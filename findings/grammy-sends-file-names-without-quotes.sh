#!/usr/bin/env bash
# Subject:     names of files that a bot sends, in the forms of two libraries for Telegram's Bot API
# Versions:    grammy 1.46.0, telegraf 4.16.3, Node.js 24
# Expectation: a file name with a space, a semicolon or a quotation mark is quoted and escaped in `Content-Disposition`
#              (RFC 7578 §4.2, RFC 2183 §2), so that any reader of forms finds the name that the bot gave.
# Behaviour:   grammY writes no quotation marks at all, telegraf writes them and escapes none in the name. A reader that follows
#              the RFC cuts these names or refuses the form. Telegram accepts both, so the fault shows only where a bot is
#              tested against something else, and looks like one of the reader.
# Seen on 28 November 2026:
#              grammy: filename=Our list.pdf
#              grammy: filename=a;b.pdf
#              telegraf: filename="Our list.pdf"
#              telegraf: filename="a"b.pdf"
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts grammy@1.46.0 telegraf@4.16.3 >> npm.log
cat > send.mjs <<'JS'
import { createServer } from 'node:http';
import { Api, InputFile } from 'grammy';
import { Telegram } from 'telegraf';

let library;
const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const [written] = /filename=[^\r\n]*/.exec(Buffer.concat(chunks).toString());
  console.log(`${library}: ${written}`);
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ ok: true, result: { message_id: 1, date: 1, chat: { id: 1, type: 'private' } } }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const apiRoot = `http://127.0.0.1:${server.address().port}`;
const content = Buffer.from('x');
library = 'grammy';
for (const name of ['Our list.pdf', 'a;b.pdf'])
  await new Api('1:A', { apiRoot }).sendDocument(1, new InputFile(content, name));
library = 'telegraf';
for (const filename of ['Our list.pdf', 'a"b.pdf'])
  await new Telegram('1:A', { apiRoot }).sendDocument(1, { source: content, filename });
server.close();
server.closeAllConnections();
JS
node send.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(grammy\|telegraf\): /\1: /p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
