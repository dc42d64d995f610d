#!/usr/bin/env bash
# Subject:     the address of a Bot API server below a path, in a library for Telegram's Bot API
# Versions:    telegraf 4.16.3, grammy 1.46.0, Node.js 24
# Expectation: `apiRoot` is the start of every address, as in grammY, so `https://proxy.example/telegram` calls
#              `/telegram/bot<token>/<method>`.
# Behaviour:   telegraf resolves `./bot<token>/<method>` against it. Without a slash at the end the last part of the path is
#              dropped without an error, and calls go to another path.
# Seen on 28 November 2026:
#              telegraf /telegram: /bot1:A/getMe
#              telegraf /telegram/: /telegram/bot1:A/getMe
#              grammy /telegram: /telegram/bot1:A/getMe
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts grammy@1.46.0 telegraf@4.16.3 >> npm.log
cat > call.mjs <<'JS'
import { createServer } from 'node:http';
import { Api } from 'grammy';
import { Telegram } from 'telegraf';

let caller;
const server = createServer((req, res) => {
  console.log(`${caller}: ${req.url}`);
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ ok: true, result: {} }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
for (const path of ['/telegram', '/telegram/']) {
  caller = `telegraf ${path}`;
  await new Telegram('1:A', { apiRoot: `${origin}${path}` }).getMe();
}
caller = 'grammy /telegram';
await new Api('1:A', { apiRoot: `${origin}/telegram` }).getMe();
server.close();
server.closeAllConnections();
JS
node call.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(telegraf\|grammy\) /\1 /p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
