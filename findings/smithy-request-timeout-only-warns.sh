#!/usr/bin/env bash
# Subject:     `requestTimeout` of `requestHandler` in clients of the AWS SDK for JavaScript
# Versions:    @smithy/node-http-handler 4.14.2, Node.js 24
# Expectation: a request without a response fails after that time, as with earlier versions.
# Behaviour:   it goes on and a warning is written, unless `throwOnRequestTimeout` is set, as the types say. With it, a request whose body takes longer to
#              send fails too. `socketTimeout` does not count while bytes are sent, and ends a response whose reader is slow.
# Seen on 30 November 2026:
#              requestTimeout: no error within a second
#              and throwOnRequestTimeout: TimeoutError
#              socketTimeout: TimeoutError
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @smithy/node-http-handler@4.14.2 >> npm.log
cat > request.mjs <<'JS'
import { createServer } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const server = createServer(() => undefined);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const request = { method: 'GET', protocol: 'http:', hostname: '127.0.0.1', port: server.address().port, path: '/', headers: {} };
const options = {
  requestTimeout: { requestTimeout: 100 },
  'and throwOnRequestTimeout': { requestTimeout: 100, throwOnRequestTimeout: true },
  socketTimeout: { socketTimeout: 100 },
};
for (const [name, timeouts] of Object.entries(options)) {
  const logger = { warn: () => undefined };
  const answer = new NodeHttpHandler({ ...timeouts, logger }).handle(request).then(() => 'a response', (error) => error.name);
  const waiting = new Promise((resolve) => setTimeout(resolve, 1_000, 'no error within a second'));
  console.log(`${name}: ${await Promise.race([answer, waiting])}`);
}
process.exit();
JS
node request.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(requestTimeout\|and throwOnRequestTimeout\|socketTimeout\): /\1: /p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
