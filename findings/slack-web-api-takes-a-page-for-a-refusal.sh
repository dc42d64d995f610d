#!/usr/bin/env bash
# Subject:     answers of Slack's Web API that are no JSON, in Slack's own client
# Versions:    @slack/web-api 8.2.0, Node.js 24
# Expectation: an answer with the status 200 that is no JSON, such as the page of a proxy or a cut answer, says nothing about
#              what Slack did. The client reports another error than for `{"ok":false,"error":…}`, as for a status 503.
# Behaviour:   both are a `slack_webapi_platform_error`, and the text is the name of Slack's error. Whoever sends again what
#              Slack refused sends twice what Slack posted.
# Seen on 27 November 2026:
#              refused: slack_webapi_platform_error not_in_channel
#              a page: slack_webapi_platform_error <html>Please wait</html>
#              cut: slack_webapi_platform_error {"ok":true,"ts":"17
#              status 503: slack_webapi_http_error 503
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @slack/web-api@8.2.0 >> npm.log
cat > post.mjs <<'JS'
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';

const answers = {
  refused: [200, '{"ok":false,"error":"not_in_channel"}'],
  'a page': [200, '<html>Please wait</html>'],
  cut: [200, '{"ok":true,"ts":"17'],
  'status 503': [503, ''],
};
let answer;
const server = createServer((_req, res) => res.writeHead(answer[0]).end(answer[1]));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new WebClient('xoxb-1', {
  slackApiUrl: `http://127.0.0.1:${server.address().port}/api/`,
  retryConfig: { retries: 0 },
  logLevel: LogLevel.ERROR,
});
for (const name of Object.keys(answers)) {
  answer = answers[name];
  await client.chat.postMessage({ channel: 'D1', text: 'Hello' }).then(
    () => console.log(`${name}: posted`),
    ({ code, data, statusCode }) => console.log(`${name}: ${code} ${data?.error ?? statusCode}`),
  );
}
server.close();
JS
node post.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(refused\|a page\|cut\|status 503\): /\1: /p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
