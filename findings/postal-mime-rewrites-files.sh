#!/usr/bin/env bash
# Subject:     bytes of attached files in postal-mime
# Versions:    postal-mime 4.0.0, Node.js 24
# Expectation: an attachment has the bytes that the sender attached. Encodings for text (7bit, 8bit, quoted-printable) have line
#              breaks of CRLF (RFC 2046 §4.1.1), and the last break before a boundary belongs to the boundary (§5.1.1).
# Behaviour:   CRLF becomes LF and a line break is added at the end. A calendar is decoded, rewritten and encoded again, even
#              from base64. Only other files in base64 are unchanged, so a signature or a checksum of a file fails.
# Seen on 27 November 2026:
#              7bit text/csv: changed, quoted-printable text/csv: changed, base64 text/csv: same, base64 text/calendar: changed
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts postal-mime@4.0.0 >> npm.log
cat > parse.mjs <<'JS'
import PostalMime from 'postal-mime';

const file = 'a;b\r\n1;2\r\n';
const seen = [];
for (const [encoding, type] of [
  ['7bit', 'text/csv'],
  ['quoted-printable', 'text/csv'],
  ['base64', 'text/csv'],
  ['base64', 'text/calendar'],
]) {
  const body = encoding === 'base64' ? Buffer.from(file).toString('base64') : file;
  const part = [`Content-Type: ${type}; name=a.txt`, 'Content-Disposition: attachment', `Content-Transfer-Encoding: ${encoding}`];
  const mail = ['From: ida@berg.example', 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...part, '', body, '--b--', ''];
  const { attachments } = await PostalMime.parse(mail.join('\r\n'));
  seen.push(`${encoding} ${type}: ${Buffer.from(attachments[0].content).toString() === file ? 'same' : 'changed'}`);
}
console.log(seen.join(', '));
JS
node parse.mjs | tee seen
[ "$(cat seen)" = '7bit text/csv: changed, quoted-printable text/csv: changed, base64 text/csv: same, base64 text/calendar: changed' ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
