#!/usr/bin/env bash
# Subject:     ARC results of earlier forwarders in mailauth (RFC 8617)
# Versions:    mailauth 7.1.0, Node.js 24
# Expectation: `arc.chain` has the parsed ARC-Authentication-Results of each set in one form, so that a reader who trusts both of two
#              forwarders can look at what each of them found.
# Behaviour:   the outcomes are in `value` in each set but the newest, where verification takes them away: there they are only in
#              `arc.authenticationResults`, under the name `result`. One loop over the chain finds no outcome of the last forwarder.
# Seen on 30 November 2026:
#              set 1: dmarc value=pass result=undefined; set 2: dmarc value=undefined result=undefined; newest: dmarc value=undefined result=fail
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts mailauth@7.1.0 >> npm.log
cat > seal.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto';
import { authenticate, sealMessage } from 'mailauth';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
let mail = 'From: Ida <ida@berg.example>\r\nTo: shop@tal.example\r\nSubject: Hello\r\nDate: Mon, 30 Nov 2026 10:00:00 +0000\r\n\r\nHello\r\n';
const hops = [
  ['one.example', 'none', 'dmarc=pass header.from=berg.example'],
  ['two.example', 'pass', 'dmarc=fail header.from=berg.example'],
];
for (const [index, [domain, cv, found]] of hops.entries()) {
  const authResults = `mx.${domain}; ${found}`;
  const seal = await sealMessage(mail, { signingDomain: domain, selector: 's', privateKey, i: index + 1, cv, authResults });
  mail = `${seal}${mail}`;
}
const resolver = async (name) => {
  if (name.startsWith('s._domainkey.')) return [[record]];
  throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
};
const { arc } = await authenticate(mail, { resolver, disableDmarc: true, disableBimi: true, mta: 'mx.tal.example' });
if (arc.status.result !== 'pass') throw new Error(`The chain did not pass: ${arc.status.comment}`);
const outcome = ({ dmarc }) => `dmarc value=${dmarc.value} result=${dmarc.result}`;
const sets = arc.chain.map((set) => `set ${set.i}: ${outcome(set['arc-authentication-results'].parsed)}`);
console.log([...sets, `newest: ${outcome(arc.authenticationResults)}`].join('; '));
JS
node seal.mjs | tee seen
[ "$(cat seen)" = 'set 1: dmarc value=pass result=undefined; set 2: dmarc value=undefined result=undefined; newest: dmarc value=undefined result=fail' ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
