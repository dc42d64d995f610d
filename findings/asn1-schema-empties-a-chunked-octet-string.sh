#!/usr/bin/env bash
# Subject:     content of signed mail (CMS, RFC 5652) that a streaming program wrote in chunks (BER)
# Versions:    @peculiar/asn1-cms 2.11.1, @peculiar/asn1-schema 2.11.1, asn1js 3.1.0, Node.js 24
# Expectation: `EncapsulatedContentInfo.eContent` is the signed text, whether its OCTET STRING has one piece (DER) or several
#              of unknown total length, as `openssl cms -sign -stream` writes them.
# Behaviour:   `single` is missing and `any` has the bytes of the element with its tags. Parsing these as an OctetString
#              gives no bytes and no error; `getValue()` of asn1js joins the chunks.
# Seen on 27 November 2026:
#              single: -, any: 18 bytes, parsed again: "", asn1js: "Hello, Ida"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts \
  @peculiar/asn1-cms@2.11.1 @peculiar/asn1-schema@2.11.1 asn1js@3.1.0 >> npm.log
cat > parse.mjs <<'JS'
import { EncapsulatedContentInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { fromBER } from 'asn1js';

const text = (bytes) => JSON.stringify(Buffer.from(bytes).toString());
const chunk = (words) => `04${words.length.toString(16).padStart(2, '0')}${Buffer.from(words).toString('hex')}`;
// A SEQUENCE of the type "data" and, in chunks, the content; all lengths are left open.
const info = `308006092a864886f70d010701a0802480${chunk('Hello,')}${chunk(' Ida')}000000000000`;
const { single, any } = AsnConvert.parse(Buffer.from(info, 'hex'), EncapsulatedContentInfo).eContent;
const again = AsnConvert.parse(any, OctetString).buffer;
console.log(
  `single: ${single ? text(single.buffer) : '-'}, any: ${any.byteLength} bytes, parsed again: ${text(again)}, ` +
    `asn1js: ${text(fromBER(any).result.getValue())}`,
);
JS
node parse.mjs | tee seen
[ "$(cat seen)" = 'single: -, any: 18 bytes, parsed again: "", asn1js: "Hello, Ida"' ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
