#!/usr/bin/env bash
# Subject:     text of format=flowed mail (RFC 3676) in postal-mime
# Versions:    postal-mime 4.0.0, Node.js 24
# Expectation: RFC 3676 §4.5: a change of quote depth ends a paragraph, also when the line above ends with a space. The
#              answer below a quoted line stays a line of its own, and the lines of a quoted paragraph lose their marks.
# Behaviour:   lines are joined whatever their quote depth. An answer becomes part of the quoted line above it, and a quoted
#              paragraph has the marks of its further lines in the middle. Thunderbird and other programs write such mail.
# Seen on 27 November 2026:
#              "> Which size? 42, please. > And which colour? > Take your time.\nBlue."
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts postal-mime@4.0.0 >> npm.log
cat > parse.mjs <<'JS'
import PostalMime from 'postal-mime';

const body = ['> Which size? ', '42, please. ', '> And which colour? ', '> Take your time.', 'Blue.'];
const mail = ['From: ida@berg.example', 'Subject: Re: Order', 'Content-Type: text/plain; format=flowed', '', ...body];
const { text } = await PostalMime.parse(mail.join('\r\n'));
console.log(JSON.stringify(text.trimEnd()));
JS
node parse.mjs | tee seen
[ "$(cat seen)" = '"> Which size? 42, please. > And which colour? > Take your time.\nBlue."' ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
