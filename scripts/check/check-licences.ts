import { readFile } from 'node:fs/promises';
import { PACKAGES } from '#scripts/tools/install-packages.mjs';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Public Domain',
  'Python-2.0',
  'Unlicense',
];

/** Licences that cover only the package's own files. They permit unmodified packages, as npm installs them. */
const WEAK_COPYLEFT = ['EPL-2.0', 'LGPL-3.0-or-later', 'MPL-2.0'];

const ACCEPTED: ReadonlySet<string> = new Set([...PERMISSIVE, ...WEAK_COPYLEFT]);

/** Licences of packages whose lock file entry has none, from the packages' own files. */
const READ_IN_PACKAGE: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  'seq-queue': 'MIT',
  streamsearch: 'MIT',
  'urlsafe-base64': 'MIT',
};

/** Packages that only run at their vendor, under the vendor's terms. We distribute none of them. */
const VENDOR_TERMS: ReadonlySet<string> = new Set(['zapier-platform-core', 'zapier-platform-schema']);

type LockedPackage = { license?: unknown; dev?: boolean };

/**
 * Refuses dependencies whose licence is not accepted (docs/decisions/0017-mit-licence.md). For `packages/` only
 * dependencies that users install count.
 * @throws UserError with a line for each refused package
 */
export async function checkLicences(): Promise<void> {
  const refused = findRefusedLicences(await readLock('package-lock.json'));
  for (const name of PACKAGES) {
    const locked = await readLock(`packages/${name}/package-lock.json`);
    const installed = Object.entries(locked).filter(([, { dev }]) => !dev);
    refused.push(...findRefusedLicences(Object.fromEntries(installed)));
  }
  if (refused.length > 0) throw new UserError(refused.join('\n'));
}

/** Returns a line for each package of a lock file whose licence is not accepted or not stated. */
export function findRefusedLicences(locked: Record<string, LockedPackage>): string[] {
  return Object.entries(locked).flatMap(([path, { license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = typeof license === 'string' ? license : READ_IN_PACKAGE[name];
    if (VENDOR_TERMS.has(name) || (licence !== undefined && isAccepted(licence))) return [];
    return [`${name}: ${licence ?? 'no licence stated'} is not accepted (scripts/check/check-licences.ts).`];
  });
}

/** Evaluates an SPDX expression. OR needs one accepted side, AND needs all. */
function isAccepted(expression: string): boolean {
  const ids = expression.replaceAll(/[()]/g, '').split(/ (?:or|and) /i);
  const accepted = ids.filter((id) => ACCEPTED.has(id));
  return / and /i.test(expression) ? accepted.length === ids.length : accepted.length > 0;
}

async function readLock(file: string): Promise<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(await readFile(projectPath(file), 'utf8'));
  delete packages[''];
  return packages;
}
