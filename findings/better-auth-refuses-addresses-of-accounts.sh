#!/usr/bin/env bash
# Subject:     email addresses in Better Auth's endpoints for passwords
# Versions:    better-auth 1.7.25, Node.js 24
# Expectation: whoever has an account with an address that browsers and mail servers accept (HTML, `input type=email`) signs in
#              with it, and gets a link for a new password.
# Behaviour:   both endpoints refuse every address in domains such as `.рф`, written `.xn--p1ai`, and those with `&` or two dots
#              before the `@`, as invalid. Accounts that were added in another way, such as by an import, are locked out.
# Seen on 30 November 2026:
#              ada@acme.example: sign-in 200, new password 200
#              ivan@acme.xn--p1ai: sign-in 400 INVALID_EMAIL, new password 400 VALIDATION_ERROR
#              r&d@acme.example: sign-in 400 INVALID_EMAIL, new password 400 VALIDATION_ERROR
#              a..b@acme.example: sign-in 400 INVALID_EMAIL, new password 400 VALIDATION_ERROR
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts better-auth@1.7.25 >> npm.log
cat > sign-in.mjs <<'JS'
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { hashPassword } from 'better-auth/crypto';

const password = 'a long password';
const hash = await hashPassword(password);
const auth = betterAuth({
  baseURL: 'http://localhost:1',
  secret: 'only for this script, which stores nothing',
  database: memoryAdapter({ user: [], account: [], session: [], verification: [] }),
  emailAndPassword: { enabled: true, sendResetPassword: async () => {} },
  logger: { disabled: true },
  telemetry: { enabled: false },
});
const { internalAdapter } = await auth.$context;
async function call(path, body) {
  const headers = { 'content-type': 'application/json', origin: 'http://localhost:1' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await auth.handler(new Request(`http://localhost:1/api/auth${path}`, request));
  const { code } = await response.json();
  return code === undefined ? response.status : `${response.status} ${code}`;
}
for (const email of ['ada@acme.example', 'ivan@acme.xn--p1ai', 'r&d@acme.example', 'a..b@acme.example']) {
  const { id } = await internalAdapter.createUser({ email, name: 'Ada', emailVerified: true });
  await internalAdapter.linkAccount({ userId: id, accountId: id, providerId: 'credential', password: hash });
  const signIn = await call('/sign-in/email', { email, password });
  const reset = await call('/request-password-reset', { email });
  console.log(`${email}: sign-in ${signIn}, new password ${reset}`);
}
process.exit();
JS
node sign-in.mjs | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \([^ ]*@[^ ]*: \)/\1/p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
